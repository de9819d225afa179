// SPDX-License-Identifier: Apache-2.0
// What the thread sanitizer must not report: libstdc++ is not instrumented, so the count inside
// std::exception_ptr looks unordered to it. Nothing of our own may stand here.

// Visible, since the sanitizer's library looks it up.
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
  return "race:exception_ptr*_M_release\n";  // its name comes mangled or not
}

// SPDX-License-Identifier: Apache-2.0
// How a kernel says why it failed.
#pragma once

#include <stdarg.h>
#include <stdio.h>

#include "engine/backend/api/kernel.h"

namespace tenon::cpu {
namespace TENON_CPU_LEVEL {

/// Writes the reason (printf format) and returns `status`.
__attribute__((format(printf, 3, 4))) inline int32_t fail(const TenonKernelArgs* args,
                                                          TenonStatus status, const char* format,
                                                          ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(args->message, args->messageBytes, format, values);
  va_end(values);
  return status;
}

}  // namespace TENON_CPU_LEVEL
}  // namespace tenon::cpu

// SPDX-License-Identifier: Apache-2.0
// The rules as a program for `./dev check`: check_rules ROOT prints what is broken and exits 1 if
// anything is.
#include <exception>
#include <iostream>

#include "tests/architecture/tree_rules.h"

int main(int argc, char** argv) try {
  std::vector<tenon::architecture::Finding> found =
      tenon::architecture::checkProject(argc > 1 ? argv[1] : ".");
  for (const tenon::architecture::Finding& finding : found)
    std::cout << tenon::architecture::findingLine(finding) << '\n';
  return found.empty() ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "check_rules: " << error.what() << '\n';
  return 2;
}

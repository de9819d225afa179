// SPDX-License-Identifier: Apache-2.0
// tenon-cli: trains and looks at projects from a terminal. Links no Qt.
#include <CLI/CLI.hpp>
#include <sstream>

#include "app/cli/arguments.h"
#include "app/cli/cli.h"
#include "app/cli/output.h"
#include "engine/base/environment.h"
#include "engine/base/error.h"
#include "engine/base/log.h"

namespace {

int run(CLI::App& app, int argc, char** argv, const int& exitCode) {
  try {
    tenon::cli::checkArguments(app, std::vector<std::string>(argv + 1, argv + argc));
    app.parse(argc, argv);
    return exitCode;
  } catch (const CLI::ParseError& error) {
    std::ostringstream output;
    std::ostringstream errors;
    const bool asked = app.exit(error, output, errors) == 0;  // --help, --version
    tenon::cli::sayText(output.str());
    tenon::cli::complainText(errors.str());
    return asked ? tenon::cli::kOk : tenon::cli::kUsage;
  } catch (const tenon::Error& error) {
    tenon::cli::complain("tenon-cli: {}\n", error.what());
    return tenon::cli::exitCodeOf(error.code());
  } catch (const std::bad_alloc&) {
    tenon::cli::complain("tenon-cli: out of memory\n");
    return tenon::cli::kDevice;
  } catch (const std::exception& error) {
    tenon::cli::complain("tenon-cli: {}\n", error.what());
    return tenon::cli::kInternal;
  }
}

}  // namespace

int main(int argc, char** argv) {
  tenon::cli::prepareOutput();
  tenon::processLog().attach(std::make_shared<tenon::StderrLogSink>());
  tenon::processLog().setLevel(tenon::LogLevel::Warning);
  CLI::App app("Tenon: train and inspect neural networks");
  app.require_subcommand(1);
  app.set_version_flag("--version", "tenon-cli " TENON_VERSION);
  int exitCode = tenon::cli::kOk;
  tenon::cli::addTrain(app, exitCode);
  tenon::cli::addEvaluate(app, exitCode);
  tenon::cli::addRuns(app, exitCode);
  tenon::cli::addCheck(app, exitCode);
  tenon::cli::addDevices(app, exitCode);
  tenon::cli::addBench(app, exitCode);
  for (CLI::App* command : app.get_subcommands({}))  // --help comes before
    command->parse_complete_callback(&tenon::refuseBadEnvironment);
  return tenon::cli::exitCodeAfterOutput(run(app, argc, argv, exitCode));
}

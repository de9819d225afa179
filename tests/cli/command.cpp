// SPDX-License-Identifier: Apache-2.0
// Processes for tests, by fork and exec.
#include "tests/cli/command.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/support/idx_files.h"

namespace tenon::testing {
namespace {

const char* kProgram = TENON_BINARY_DIR "/bin/tenon-cli";

pid_t start(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
            const std::string& output, const std::string& errors) {
  const pid_t child = fork();
  if (child != 0) return child;
  for (const auto& [path, descriptor] :
       {std::pair{output, STDOUT_FILENO}, std::pair{errors, STDERR_FILENO}}) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, descriptor);
    close(file);
  }
  for (const std::string& entry : environment) putenv(const_cast<char*>(entry.c_str()));
  std::vector<char*> argv = {const_cast<char*>(kProgram)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(kProgram, argv.data());
  _exit(127);
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

int waitFor(pid_t process) {
  int status = 0;
  if (waitpid(process, &status, 0) != process) return -1000;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

pid_t startCli(const std::vector<std::string>& arguments,
               const std::vector<std::string>& environment) {
  return start(arguments, environment, "/dev/null", "/dev/null");
}

CommandResult runCli(const std::vector<std::string>& arguments,
                     const std::vector<std::string>& environment) {
  const TemporaryFolder folder;
  CommandResult result;
  result.exitCode = waitFor(start(arguments, environment, folder.path("out"), folder.path("err")));
  result.output = content(folder.path("out"));
  result.errors = content(folder.path("err"));
  return result;
}

}  // namespace tenon::testing

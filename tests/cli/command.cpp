// SPDX-License-Identifier: Apache-2.0
// Processes for tests, by fork and exec.
#include "tests/cli/command.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/support/idx_files.h"

namespace tenon::testing {
namespace {

const char* kProgram = TENON_BINARY_DIR "/bin/tenon-cli";

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

pid_t launchCli(const Launch& launch) {
  const pid_t child = fork();
  if (child != 0) return child;
  for (const auto& [path, descriptor] :
       {std::pair{launch.output, STDOUT_FILENO}, std::pair{launch.errors, STDERR_FILENO}}) {
    if (path.empty()) {
      close(descriptor);
      continue;
    }
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, descriptor);
    close(file);
  }
  if (!launch.input.empty()) {
    const int file = open(launch.input.c_str(), O_RDONLY);
    dup2(file, STDIN_FILENO);
    close(file);
  }
  if (launch.user &&
      (setgroups(0, nullptr) != 0 || setgid(*launch.user) != 0 || setuid(*launch.user) != 0))
    _exit(126);
  for (const std::string& entry : launch.environment) putenv(const_cast<char*>(entry.c_str()));
  std::vector<char*> argv = {const_cast<char*>(kProgram)};
  for (const std::string& argument : launch.arguments)
    argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(kProgram, argv.data());
  _exit(127);
}

int waitFor(pid_t process) {
  int status = 0;
  if (waitpid(process, &status, 0) != process) return -1000;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

pid_t startCli(const std::vector<std::string>& arguments,
               const std::vector<std::string>& environment) {
  return launchCli({arguments, environment});
}

CommandResult launchToEnd(Launch launch) {
  const TemporaryFolder folder;
  launch.output = folder.path("out");
  launch.errors = folder.path("err");
  CommandResult result;
  result.exitCode = waitFor(launchCli(launch));
  result.output = content(launch.output);
  result.errors = content(launch.errors);
  return result;
}

CommandResult runCli(const std::vector<std::string>& arguments,
                     const std::vector<std::string>& environment) {
  return launchToEnd({arguments, environment});
}

}  // namespace tenon::testing

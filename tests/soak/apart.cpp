// A child sends its complaint through a pipe and leaves without running destructors.
#include "soak/apart.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace soak {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void send(int pipe, const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t more = write(pipe, text.data() + sent, text.size() - sent);
    if (more <= 0) return;
    sent += static_cast<std::size_t>(more);
  }
}

std::string receive(int pipe) {
  std::string text;
  std::array<char, 4096> part;
  for (;;) {
    const ssize_t got = read(pipe, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
}

std::string judged(const std::function<std::string()>& judge) {
  try {
    return judge();
  } catch (const std::exception& error) {
    return std::string("exception: ") + error.what();
  }
}

}  // namespace

std::string apart(const std::function<std::string()>& judge, unsigned cpu_seconds) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) fail("pipe");
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    const rlimit limit{cpu_seconds, cpu_seconds + 1};
    setrlimit(RLIMIT_CPU, &limit);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    std::signal(SIGABRT, SIG_DFL);  // a test framework's handler would report the crash itself
    send(ends[1], judged(judge));
    _exit(0);
  }
  close(ends[1]);
  std::string complaint = receive(ends[0]);
  close(ends[0]);
  int status = 0;
  if (waitpid(child, &status, 0) != child) fail("waitpid");
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGXCPU) return "no answer in " + std::to_string(cpu_seconds) + " s";
    return std::string("ended by a signal: ") + strsignal(signal);
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
    return "ended with exit code " + std::to_string(WEXITSTATUS(status));
  }
  return complaint;
}

}  // namespace soak

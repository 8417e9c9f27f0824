// The first signal asks for an end, the second is one.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <future>

#include "terminal/interrupt.hpp"

using pimbb::terminal::Interrupt;

namespace {

void ignore(int) {}

/// Raises `signal` and waits until it has become a request to stop.
void raise_and_wait(const Interrupt& interrupt, int signal) {
  std::promise<void> stopped;
  const std::stop_callback notice(interrupt.token(), [&] { stopped.set_value(); });
  std::raise(signal);
  stopped.get_future().wait();
}

}  // namespace

TEST_CASE("the first signal becomes a request to stop, afterwards the old handler is back") {
  for (const int signal : {SIGINT, SIGTERM}) {
    const auto before = std::signal(signal, ignore);
    {
      const Interrupt interrupt;
      CHECK_FALSE(interrupt.requested());
      raise_and_wait(interrupt, signal);
      CHECK(interrupt.requested());
    }
    const bool restored = std::signal(signal, before) == ignore;
    CHECK(restored);
  }
}

TEST_CASE("each search starts without a request") {
  {
    const Interrupt first;
    raise_and_wait(first, SIGINT);
  }
  const Interrupt second;
  CHECK_FALSE(second.requested());
}

TEST_CASE("the second signal ends the process, also if it is another one") {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const Interrupt interrupt;
    raise_and_wait(interrupt, SIGINT);
    std::raise(SIGTERM);
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGTERM);
}

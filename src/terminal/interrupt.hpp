// Ctrl-C and SIGTERM: the first asks the search to stop and give its best answer, the second ends
// the process at once.
//
// A signal handler may do very little; std::stop_source::request_stop is not among it. The handler
// writes one byte to a pipe, and a thread that sleeps on the pipe makes the request.
#pragma once

#include <array>
#include <csignal>
#include <stop_token>
#include <thread>

namespace pimbb::terminal {

/// Handles both signals while it lives; at most one object at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }
  [[nodiscard]] bool requested() const { return source_.stop_requested(); }

 private:
  std::stop_source source_;
  std::array<int, 2> pipe_{};
  std::array<struct sigaction, 2> previous_{};
  std::thread watcher_;
};

}  // namespace pimbb::terminal

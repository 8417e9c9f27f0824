// Ctrl-C and SIGTERM: the first signal requests the search to stop with its best answer, the second
// one ends the process immediately.
//
// std::stop_source::request_stop must not be called in a signal handler. The handler writes one
// byte to a pipe, and a thread that reads the pipe makes the request.
#pragma once

#include <array>
#include <csignal>
#include <stop_token>
#include <thread>

#include "terminal/caller.hpp"

namespace pimbb::terminal {

/// Handles both signals while it exists; at most one object at a time. With a caller, whose own the
/// signals are, its requests to stop are passed on, and any number of objects may exist.
class Interrupt {
 public:
  explicit Interrupt(const Caller* caller = nullptr);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  [[nodiscard]] std::stop_token token() const {
    return caller_ == nullptr ? source_.get_token() : caller_->stop;
  }
  [[nodiscard]] bool requested() const { return token().stop_requested(); }

 private:
  const Caller* caller_;
  std::stop_source source_;
  std::array<int, 2> pipe_{};
  std::array<struct sigaction, 2> previous_{};
  std::thread watcher_;
};

}  // namespace pimbb::terminal

// The handler, the pipe and the thread behind Interrupt.
#include "terminal/interrupt.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <system_error>

namespace pimbb::terminal {
namespace {

constexpr std::array<int, 2> kSignals{SIGINT, SIGTERM};
constexpr char kSignalled = 's';
constexpr char kFinished = 'f';

// What the handler sees; lock-free, hence safe in it.
std::atomic<int> write_end{-1};
std::atomic<bool> asked_before{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void send(int fd, char byte) {
  while (write(fd, &byte, 1) < 0 && errno == EINTR) {
  }
}

extern "C" void on_signal(int signal) {
  const int saved = errno;
  if (asked_before.exchange(true)) {
    std::signal(signal, SIG_DFL);  // delivered when this handler returns
    raise(signal);
  } else {
    send(write_end.load(), kSignalled);
  }
  errno = saved;
}

}  // namespace

Interrupt::Interrupt(const Caller* caller) : caller_(caller) {
  if (caller != nullptr) return;
  if (pipe2(pipe_.data(), O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "pipe for signals");
  }
  asked_before = false;
  write_end = pipe_[1];
  watcher_ = std::thread([this] {
    char byte = 0;
    while (read(pipe_[0], &byte, 1) != 0 && byte != kFinished) {
      if (byte == kSignalled) source_.request_stop();
    }
  });
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &previous_[i]);
}

Interrupt::~Interrupt() {
  if (caller_ != nullptr) return;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], &previous_[i], nullptr);
  }
  send(pipe_[1], kFinished);
  watcher_.join();
  write_end = -1;
  close(pipe_[0]);
  close(pipe_[1]);
}

}  // namespace pimbb::terminal

// The threads of one run.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

namespace pimbb::run {

/// Runs `body`, whose parallel loops have this many threads, more than the machine has if asked
/// for: tests rely on that.
void on_threads(int threads, const std::function<void()>& body);

/// Runs that go on at the same time, each an on_threads() called by a thread of its own, on as many
/// cores as each of them may have threads. Their loops share the cores that no run's own thread
/// has, and one more when a run ends: more threads than cores would wait for each other.
class SharedCores {
 public:
  /// `runs` of them begin now, each with up to `threads` threads.
  SharedCores(int threads, int runs);
  ~SharedCores();
  SharedCores(const SharedCores&) = delete;
  SharedCores& operator=(const SharedCores&) = delete;
  /// From any thread, once for each run.
  void end_one() noexcept;

 private:
  struct Allowed;
  void allow();

  int threads_;
  int runs_;
  std::mutex mutex_;
  std::unique_ptr<Allowed> allowed_;
};

}  // namespace pimbb::run

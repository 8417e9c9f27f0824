// Who solves the parts: threads of this process, or other processes (rank_solvers.hpp).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "answers/explorable.hpp"

namespace pimbb::answers {

/// A search to be done.
struct PartTask {
  std::uint64_t ticket = 0;  ///< identifies it to who asked
  std::size_t point = 0;     ///< place in the list of points
  std::size_t network = 0;
  std::size_t part = 0;
  Ask ask;
  int threads = 1;
};

struct PartDone {
  std::uint64_t ticket = 0;
  PartAnswer answer;
  bool complete = true;  ///< not ended by the time limit or an interruption
  std::exception_ptr fault = nullptr;
};

class PartSolvers {
 public:
  PartSolvers() = default;
  PartSolvers(const PartSolvers&) = delete;
  PartSolvers& operator=(const PartSolvers&) = delete;
  virtual ~PartSolvers() = default;
  /// Searches at a time.
  [[nodiscard]] virtual std::size_t width() const = 0;
  /// Searches that may wait in addition, so that nobody is idle between two.
  [[nodiscard]] virtual std::size_t queue() const = 0;
  virtual void start(PartTask task) = 0;
  /// Waits until something is done, or for a moment if `briefly`.
  virtual std::vector<PartDone> wait(bool briefly) = 0;
  /// Time is over: searches that run are to end soon, those that wait at once.
  virtual void cancel() {}
};

/// Threads that take one search after the other; each search runs on `task.threads` threads, one as
/// a rule: most are over in milliseconds, too short to gain from a second one inside.
class ThreadSolvers final : public PartSolvers {
 public:
  using Solve = std::function<PartDone(const PartTask&)>;
  ThreadSolvers(int threads, Solve solve);
  ~ThreadSolvers() override;

  [[nodiscard]] std::size_t width() const override { return workers_.size(); }
  [[nodiscard]] std::size_t queue() const override { return workers_.size(); }
  void start(PartTask task) override;
  std::vector<PartDone> wait(bool briefly) override;

 private:
  void work();

  Solve solve_;
  std::mutex mutex_;
  std::condition_variable work_there_, done_there_;
  std::deque<PartTask> waiting_;
  std::vector<PartDone> done_;
  std::size_t running_ = 0;
  bool ended_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace pimbb::answers

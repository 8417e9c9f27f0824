// A queue, threads, and a list of results.
#include "answers/part_solvers.hpp"

#include <chrono>
#include <utility>

namespace pimbb::answers {

ThreadSolvers::ThreadSolvers(int threads, Solve solve) : solve_(std::move(solve)) {
  for (int k = 0; k < threads; ++k) workers_.emplace_back([this] { work(); });
}

ThreadSolvers::~ThreadSolvers() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    waiting_.clear();
  }
  work_there_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadSolvers::start(PartTask task) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(task));
  }
  work_there_.notify_one();
}

std::vector<PartDone> ThreadSolvers::wait(bool briefly) {
  std::unique_lock lock(mutex_);
  if (briefly) {
    done_there_.wait_for(lock, std::chrono::microseconds(200), [&] { return !done_.empty(); });
  } else {
    done_there_.wait(lock, [&] { return !done_.empty() || (waiting_.empty() && running_ == 0); });
  }
  return std::exchange(done_, {});
}

void ThreadSolvers::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    work_there_.wait(lock, [&] { return ended_ || !waiting_.empty(); });
    if (ended_) return;
    const PartTask task = std::move(waiting_.front());
    waiting_.pop_front();
    ++running_;
    lock.unlock();
    PartDone done = solve_(task);
    lock.lock();
    --running_;
    done_.push_back(std::move(done));
    done_there_.notify_one();
  }
}

}  // namespace pimbb::answers

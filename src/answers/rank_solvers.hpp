// An exploration of several processes: number 0 hands out searches, the others solve them.
//
// Messages are lines of text. Nobody waits inside the library of messages: both sides look for
// messages between their own work, at least every 200 us, so a process that has nothing to do takes
// next to no time from others. Each process has one more search waiting than it has threads.
// Process 0 solves as well, unless there are more than kSolvingWithFew processes: then it would be
// late to hand out.
#pragma once

#include <functional>
#include <map>

#include "answers/part_solvers.hpp"
#include "answers/point_problems.hpp"

namespace pimbb::answers {

inline constexpr int kSolvingWithFew = 16;

/// The threads of all processes, seen from number 0.
class RankSolvers final : public PartSolvers {
 public:
  /// Keeps references. `solve` is for the threads of this process.
  RankSolvers(Ranks& ranks, const PointProblems& problems, int threads, ThreadSolvers::Solve solve);

  [[nodiscard]] std::size_t width() const override { return width_; }
  [[nodiscard]] std::size_t queue() const override { return members_.size(); }
  void start(PartTask task) override;
  std::vector<PartDone> wait(bool briefly) override;
  void cancel() override;

 private:
  struct Member {
    int rank = 0;
    int threads = 1;
    std::size_t busy = 0;  // searches that it has
  };
  struct Given {
    std::size_t member = 0;
    PartTask task;
  };
  void take_message(const Ranks::Message& message, std::vector<PartDone>& done);
  void take_line(const std::string& line, int rank, std::vector<PartDone>& done);

  Ranks& ranks_;
  const PointProblems& problems_;
  std::unique_ptr<ThreadSolvers> own_;
  std::vector<Member> members_;
  std::size_t width_ = 0;
  std::map<std::uint64_t, Given> given_;  // by ticket
};

/// Solves what number 0 hands out, until it says that it was all.
void serve(Ranks& ranks, const Space& space, const Explorable& explorable, const RunLimits& limits);

/// Runs `body` in every process. If it fails in one, the others end too: number 0 then throws its
/// own error, or one that names the process.
void on_all_ranks(Ranks& ranks, const std::function<void()>& body);

}  // namespace pimbb::answers

// A parallel loop whose results are taken up one by one, in their order, and which grows with them.
#pragma once

#include <cstddef>
#include <functional>

namespace pimbb::run {

/// What a pipeline does with the numbers 0, 1, 2 and so on.
struct PipelineSteps {
  /// How many numbers `body` may be called with, no fewer than before; asked at the beginning and
  /// after each `after`. The pipeline ends when `after` has been called with all of them.
  std::function<std::size_t()> known;
  /// Called with any number once, on all threads; begun in the order of the numbers.
  std::function<void(std::size_t)> body;
  /// Called with k as soon as after(k - 1) and body(k) are done, on any thread. What it and `known`
  /// write must not be read by a `body` that may be called by then.
  std::function<void(std::size_t)> after;
  /// Called by threads that are about to take numbers and have none: for work beside, which delays
  /// nobody. Empty: there is none.
  std::function<void()> aside = {};
};

/// Runs the steps on TBB's threads; `known` is never more than `ahead` above the number of calls of
/// `after`. An exception is rethrown; the rest may then be left out.
void pipeline(std::size_t ahead, const PipelineSteps& steps);

/// Whether other threads may soon have nothing to do, so that a body should share its work with
/// them: none of the numbers that are known to the pipeline is left for them. True outside of one.
/// A hint, which differs from run to run.
bool others_may_idle();

}  // namespace pimbb::run

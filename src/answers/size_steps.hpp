// The optimum as a step function of a size.
//
// A size of which more never hurts: every solution that fits size n fits n + 1 and costs the same
// there, so the optimum does not rise as n grows. Each solution needs a least size. If the optimum
// at n needs m < n, it is the optimum of m..n: nothing cheaper fits m, as it would fit n. So every
// solve settles all sizes from its need up to where it was asked, and steps are found by bisection
// between such ranges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "pimbb/sensitivity.hpp"

namespace pimbb::answers {

/// A problem of which one size varies. Solutions have numbers.
class SizedProblem {
 public:
  SizedProblem() = default;
  SizedProblem(const SizedProblem&) = delete;
  SizedProblem& operator=(const SizedProblem&) = delete;
  virtual ~SizedProblem() = default;

  struct Optimum {
    bool stopped = false;                ///< a limit was hit: nothing else is known
    std::optional<Rational> value = {};  ///< nothing: no solution, or none within the limit
    std::size_t solution = 0;
    std::int64_t need = 0;  ///< the least size that it fits
  };
  /// What is known before the search.
  struct Known {
    std::optional<Rational> below = {};  ///< the answer is among solutions that cost less
    std::optional<Rational> least = {};  ///< no solution costs less: one that costs this is optimal
  };
  /// The optimum of this size.
  virtual Optimum best(std::int64_t size, const Known& known) = 0;
};

/// The least size above `size` whose optimum is less than `value`, that of `size`; looked for as
/// far as `most`.
NextStep next_larger(SizedProblem& problem, std::int64_t size, const Rational& value,
                     std::int64_t most);
/// The greatest size below `size` whose optimum is greater; `need` is what a solution of this
/// value needs. Looked for as far down as `least`.
NextStep next_smaller(SizedProblem& problem, const Rational& value, std::int64_t need,
                      std::int64_t least);
/// All steps in least..most, ascending; fewer if a limit is hit: those of the greatest sizes.
std::vector<SizeStep> steps_between(SizedProblem& problem, std::int64_t least, std::int64_t most);

}  // namespace pimbb::answers

// The best of many candidates, each with a lower bound that is known and a value that is expensive.
//
// The candidates are examined in the order of their bounds. The first bound that is not below the
// cutoff, the best value so far, ends the search: all later ones are not below it either. To
// examine a candidate may mean to find a better value, to find that it has none below the cutoff,
// or only to raise its bound; it is then put back. Candidates of equal bound are examined in the
// order of their numbers, so the result is the same in every run. The caller keeps what it finds; a
// cutoff may be coarser than the value that it stands for, as long as no bound lies between them.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>

#include "search/best_first.hpp"

namespace pimbb::search {

/// What examining a candidate has led to.
template <class Bound>
struct Examined {
  enum class State : std::uint8_t {
    settled,  ///< nothing of it is below the cutoff any more
    raised,   ///< `bound` is a better bound: it is put back
    stopped   ///< a limit: `bound` holds, and the search ends
  };
  State state = State::settled;
  std::optional<Bound> cutoff = {};  ///< the new cutoff, if something better was found
  Bound bound = {};                  ///< if raised or stopped
};

template <class Bound>
class CandidateSearch {
 public:
  using State = typename Examined<Bound>::State;

  void add(Bound bound, std::uint64_t number) { open_.push(std::move(bound), number, {}); }
  [[nodiscard]] std::size_t size() const { return open_.size(); }

  /// Calls `examine(number)`, which returns an Examined, until no candidate is below the cutoff, if
  /// there is one. If `examine` stops the search: a bound on all candidates.
  template <class Examine>
  std::optional<Bound> run(std::optional<Bound> cutoff, const Examine& examine) {
    while (auto next = open_.next(cutoff ? &*cutoff : nullptr)) {
      const Examined<Bound> found = examine(next->rank);
      if (found.cutoff) {
        assert(!cutoff || !(*cutoff < *found.cutoff));
        cutoff = found.cutoff;
      }
      if (found.state == State::raised) {
        assert(next->bound < found.bound);
        open_.push(found.bound, next->rank, {});
      }
      if (found.state == State::stopped) {
        open_.leave_open(std::max(next->bound, found.bound));
        return cutoff ? std::min(*open_.least_bound(), *cutoff) : open_.least_bound();
      }
    }
    return std::nullopt;
  }

 private:
  struct Nothing {};
  BestFirst<Nothing, Bound> open_;
};

}  // namespace pimbb::search

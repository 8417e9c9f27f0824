// The best of many candidates, each with a lower bound that is known and a value that is expensive.
//
// The candidates are examined in the order of their bounds. The first bound that is not below the
// best value ends the search: all later ones are not below it either. To examine a candidate may
// mean to find its value, to find that it has none below the cutoff, or only to raise its bound; it
// is then put back. Candidates of equal bound are examined in the order of their numbers, so the
// result is the same in every run.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "search/best_first.hpp"

namespace pimbb::search {

/// What is known of a candidate after it was examined.
template <class Bound>
struct Examined {
  enum class State : std::uint8_t {
    settled,  ///< nothing of it is below the cutoff, or below `value`
    raised,   ///< `bound` is a better bound: it is put back
    stopped   ///< a limit: `bound` holds, and the search ends
  };
  State state = State::settled;
  std::optional<Bound> value;  ///< below the cutoff; of whatever state
  Bound bound{};               ///< raised, stopped
};

template <class Bound>
struct LeastCandidate {
  std::optional<std::uint64_t> best;  ///< its number; none if no value is below the first cutoff
  std::optional<Bound> value;         ///< of `best`; else the first cutoff, if there was one
  std::optional<Bound> bound;  ///< proven for all candidates if the search was stopped; else none
  std::uint64_t examined = 0;  ///< candidates taken, again when put back
};

template <class Bound>
class CandidateSearch {
 public:
  /// `id` is less than that of no other candidate of the same bound only if it comes first.
  void add(Bound bound, std::uint64_t id) { open_.push(std::move(bound), id, {}); }
  [[nodiscard]] std::size_t size() const { return open_.size(); }

  /// `examine(id, cutoff)` returns an Examined; the cutoff is null while there is none.
  template <class Examine>
  LeastCandidate<Bound> run(std::optional<Bound> cutoff, const Examine& examine) {
    LeastCandidate<Bound> least{std::nullopt, std::move(cutoff), std::nullopt, 0};
    while (auto next = open_.next(least.value ? &*least.value : nullptr)) {
      ++least.examined;
      const Examined<Bound> found = examine(next->rank, least.value ? &*least.value : nullptr);
      if (found.value && (!least.value || *found.value < *least.value)) {
        least.best = next->rank;
        least.value = found.value;
      }
      using State = typename Examined<Bound>::State;
      if (found.state == State::raised) {
        assert(next->bound < found.bound);
        open_.push(found.bound, next->rank, {});
      }
      if (found.state == State::stopped) {
        open_.leave_open(std::max(next->bound, found.bound));
        least.bound = open_.least_bound();
        if (least.value) least.bound = std::min(*least.bound, *least.value);
        break;
      }
    }
    return least;
  }

 private:
  struct Nothing {};
  BestFirst<Nothing, Bound> open_;
};

}  // namespace pimbb::search

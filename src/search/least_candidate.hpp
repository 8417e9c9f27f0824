// The best of many candidates, each with a lower bound that is known and a value that is expensive.
//
// The candidates are examined in the order of their bounds. The first bound that is not below the
// cutoff, the best value so far, ends the search: all later ones are not below it either. To
// examine a candidate may mean to find a better value, to find that it has none below the cutoff,
// or only to raise its bound; it is then put back. Candidates of equal bound are examined in the
// order of their numbers. The caller keeps what it finds; a cutoff may be coarser than the value
// that it stands for, as long as no bound lies between them.
//
// They are examined in rounds: all of a round in parallel, with what was known at its beginning,
// and what was found is settled in the order of the bounds. The size of a round does not depend on
// the number of threads, so the result is the same in every run. Rounds are of one candidate until
// there is a cutoff, and then grow, as early ones often find better values.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "run/parallel_for.hpp"
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

  /// Until no candidate is below the cutoff, if there is one: calls `look(number)` for up to `most`
  /// candidates in parallel, then `settle(number, looked)`, which returns an Examined, one by one.
  /// If a limit stops the search: a bound on all candidates.
  template <class Look, class Settle>
  std::optional<Bound> run(std::optional<Bound> cutoff, std::size_t most, const Look& look,
                           const Settle& settle) {
    using Looked = std::invoke_result_t<Look, std::uint64_t>;
    cutoff_ = std::move(cutoff);
    std::size_t width = 1;
    bool stopped = false;
    while (!stopped) {
      const std::vector<Entry> round = take(width);
      if (round.empty()) return std::nullopt;
      std::vector<Looked> looked(round.size());
      run::parallel_for(round.size(), [&](std::size_t k) { looked[k] = look(round[k].rank); });
      for (std::size_t k = 0; k < round.size(); ++k) {
        stopped = note(round[k], settle(round[k].rank, std::move(looked[k]))) || stopped;
      }
      if (cutoff_) width = std::min(most, 2 * width);
    }
    return cutoff_ ? std::min(*open_.least_bound(), *cutoff_) : open_.least_bound();
  }

 private:
  struct Nothing {};
  using Open = BestFirst<Nothing, Bound>;
  using Entry = typename Open::Entry;

  std::vector<Entry> take(std::size_t width) {
    std::vector<Entry> round;
    while (round.size() < width) {
      auto next = open_.next(cutoff_ ? &*cutoff_ : nullptr);
      if (!next) break;
      round.push_back(*std::move(next));
    }
    return round;
  }

  /// Whether a limit was reached.
  bool note(const Entry& entry, const Examined<Bound>& found) {
    if (found.cutoff) {
      assert(!cutoff_ || !(*cutoff_ < *found.cutoff));
      cutoff_ = found.cutoff;
    }
    if (found.state == State::raised) {
      assert(entry.bound < found.bound);
      open_.push(found.bound, entry.rank, {});
    }
    if (found.state != State::stopped) return false;
    open_.leave_open(std::max(entry.bound, found.bound));
    return true;
  }

  Open open_;
  std::optional<Bound> cutoff_;
};

}  // namespace pimbb::search

// A heuristic that looks for a better solution while branch and bound goes on.
//
// It begins when a node is merged and what it found is taken when a later one is: so the search is
// the same on any number of threads. In between, a thread that has no node in its hands does one of
// the heuristic's parts; what is still undone when the result is due is done then.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "run/parallel_for.hpp"

namespace pimbb::search {

/// How to improve an incumbent: empty, or a value and a solution.
template <class Incumbent>
struct Improve {
  using Enough = std::function<bool()>;

  std::size_t parts = 0;  ///< that can be done at the same time; none: there is no heuristic
  /// A solution made from the incumbent, or without one; empty if there is none. `enough`: true
  /// when the result is of no use any more. Thread-safe.
  std::function<Incumbent(std::size_t part, const Incumbent&, const Enough& enough)> search;
  /// Whether a search from this incumbent is of use, asked before each; empty: always.
  std::function<bool(const Incumbent&)> of_use;
  /// Told of the incumbent when what was found from it is taken; empty: nobody is told.
  std::function<void(const Incumbent&)> taken;
};

template <class Incumbent>
class Improvement {
 public:
  explicit Improvement(Improve<Incumbent> improve)
      : improve_(std::move(improve)), found_(improve_.parts) {}

  [[nodiscard]] bool possible() const { return improve_.parts > 0; }
  [[nodiscard]] bool under_way() const { return under_way_; }

  /// None is under way.
  void start(const Incumbent& from) {
    if (improve_.of_use && !improve_.of_use(from)) return;
    from_ = from;
    under_way_ = true;
    enough_ = false;
    begun_ = 0;  // last: from now on threads may help
  }
  /// Does a part that no thread has begun, if there is one. Thread-safe.
  void help() {
    if (begun_ >= improve_.parts) return;
    if (const std::size_t part = begun_++; part < improve_.parts) search(part);
  }
  /// What was found is of no use: who is helping may leave.
  void give_up() { enough_ = true; }

  /// The best that was found; nobody else is helping.
  Incumbent finish() {
    const std::size_t begun =
        std::min<std::size_t>(begun_.exchange(improve_.parts), improve_.parts);
    run::parallel_for(improve_.parts - begun, [&](std::size_t k) { search(begun + k); });
    under_way_ = false;
    if (improve_.taken) improve_.taken(from_);
    Incumbent best;
    for (Incumbent& found : std::exchange(found_, std::vector<Incumbent>(improve_.parts))) {
      if (found && (!best || found->first < best->first)) best = std::move(found);
    }
    return best;
  }

 private:
  void search(std::size_t part) {
    found_[part] = improve_.search(part, from_, [this] { return enough_.load(); });
  }

  Improve<Incumbent> improve_;
  bool under_way_ = false;
  Incumbent from_;
  std::vector<Incumbent> found_;                     // by part
  std::atomic<std::size_t> begun_ = improve_.parts;  // parts
  std::atomic<bool> enough_ = false;
};

}  // namespace pimbb::search

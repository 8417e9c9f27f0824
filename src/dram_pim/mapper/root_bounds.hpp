// Bounds at the root: of every arrival at the row buffer, and of the whole space.
//
// They need no search and give an early bound for a storage choice. The search later takes the
// children of the root from this list.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "dram_pim/mapper/cost_to_go.hpp"
#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/mapper/row_pricing.hpp"
#include "dram_pim/mapper/target.hpp"
#include "pimbb/dram_pim/rules.hpp"
#include "run/table_allocator.hpp"

namespace pimbb::dram_pim::mapper {

/// The least bounds of some arrivals.
struct LeastBounds {
  Wide bound = Wide::infinity();  ///< of the goal
  Int128 latency = kInfinity;
  Int128 energy = kInfinity;

  void include(const LeastBounds& other) {
    bound = std::min(bound, other.bound);
    latency = std::min(latency, other.latency);
    energy = std::min(energy, other.energy);
  }
};

/// The bounds of all arrivals within the caps, and a list of those worth a look.
struct RootBounds : LeastBounds {
  /// Arrivals that the search expands at first, and at most at a time: most are never looked at,
  /// and many nodes would take more memory than all tables.
  static constexpr std::size_t kAtFirst = 256;
  static constexpr std::size_t kAtATime = 2048;

  /// Bounds and indices (in the instance's list) of the arrivals that a mapping within the caps and
  /// below the cutoff can have. They come in parts, the first one from 0 on: no bound is less than
  /// one of an earlier part, and each but the first begins with its least.
  using Hopeful = std::pair<Wide, std::size_t>;
  run::RawTable<Hopeful> arrivals;

  /// Where the part that begins at `begin` ends. Each is half as large as all before it, but no
  /// smaller than kAtFirst and no larger than kAtATime.
  [[nodiscard]] std::size_t end_of_part(std::size_t begin) const {
    const std::size_t next = begin + std::clamp(begin / 2, kAtFirst, kAtATime);
    return std::min(next, arrivals.size());
  }
  /// Its arrivals in the order of the instance's list. Puts the list in order as far as the
  /// beginning of the next part, if it is not yet: not thread-safe.
  [[nodiscard]] std::vector<Hopeful> part(std::size_t begin, const std::function<void()>& check);

  /// Bounds of the activations from these arrivals on, or null.
  using MakeJoint = std::function<const JointRows*(const std::vector<std::size_t>& arrivals)>;

  /// Arrivals whose bounds are not below `cutoff` (null: all are) are not listed. Where a value is
  /// known to begin with these are most arrivals, and the list would take more memory than the
  /// tables. `make_joint` is called at most once, with the arrivals that are hopeful without it.
  /// `check` throws if the search must stop; it is called on several threads.
  RootBounds(const Instance& instance, const Storage& storage, const CostToGo& cost_to_go,
             const Target& target, const Rules& rules, const Wide* cutoff,
             const MakeJoint& make_joint, const std::function<void()>& check);
  [[nodiscard]] std::uint64_t bytes() const { return arrivals.size() * sizeof(arrivals[0]); }

  /// The costs of an arrival (of the instance's list) before anything else is decided, with the
  /// least activations, which are told apart: not all of them are in the sums. `joint`: null: none.
  static std::pair<Sums, Int128> least_sums(const Instance& instance, const Storage& storage,
                                            const JointRows* joint, std::size_t i);

 private:
  /// What the bound of an arrival depends on.
  struct Given {
    const Instance& instance;
    const Storage& storage;
    const CostToGo& cost_to_go;
    const Target& target;
    const Rules& rules;
    const Wide* cutoff;
    const std::function<void()>& check;
  };

  RootBounds() = default;
  void add_all(const Given& given, const std::vector<std::size_t>& among, const JointRows* joint);
  void add(const Given& given, const JointRows* joint, std::size_t i);
  void part_more(const std::function<void()>& check);

  LeastBounds unlisted_;
  std::size_t parted_ = 0;  // the beginning of a part: those before it and this one are in place
};

}  // namespace pimbb::dram_pim::mapper

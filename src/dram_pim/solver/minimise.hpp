// The least value of one goal over all storage choices.
//
// Where there are many storage choices, linear relaxations leave out what they can
// (storage_tree.hpp). Every other choice is looked at first: completion bounds with a single energy
// threshold are cheap, and give a lower bound of the choice and, down along the best bounds, a
// mapping. Then the choices are searched in the order of these bounds; those that cannot beat the
// incumbent are passed over. With bounds from relaxations the two take turns: what was looked at is
// searched once its bound is the least.
//
// A goal that trades latency against energy (EDP, blends) is searched with several thresholds,
// spread over the latencies that a better mapping can have: from the least of the choice to the one
// at which even its least energy is no longer enough.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "dram_pim/mapper/known_bounds.hpp"
#include "dram_pim/mapper/mapping_problem.hpp"
#include "dram_pim/solver/effort.hpp"
#include "dram_pim/storage/storage_tree.hpp"

namespace pimbb::dram_pim::mapper {

using Incumbent = std::optional<std::pair<Wide, Solved>>;

/// What the minimisation of one goal has established.
struct Minimum {
  Incumbent best;
  Wide bound;             ///< proven lower bound
  bool complete = false;  ///< `best` is the optimum, or there is none
};

class Minimiser {
 public:
  Minimiser(const Instance& instance, const RowPricing& pricing, const Question& question,
            Effort& effort, KnownBounds& known);

  /// Least value of the target's goal within its caps, starting from a known mapping. Throws
  /// TooLarge if there is no room for tables and no mapping is known.
  Minimum run(const Target& target, Incumbent best);

 private:
  /// A storage choice with what the search needs of it.
  struct Choice {
    Storage storage;
    std::unique_ptr<ChainRows> rows;
    LevelTiles levels;
    std::optional<run::Account::Hold> memory;
    Choice(const Minimiser& m, const std::vector<TensorFlags>& stores);
  };
  struct Prepared {  ///< ready to be searched
    std::shared_ptr<const Choice> choice;
    run::Account::Hold tables;
    Completion completion;
    MappingProblem problem;
    run::Account::Hold survey;
    Prepared(const Minimiser& m, std::shared_ptr<const Choice> chosen, const Target& target,
             std::vector<Int128> thresholds);
  };
  struct Look {  ///< what the first look at a choice has shown
    std::vector<TensorFlags> stores;
    Wide bound;
    Int128 latency;
    Int128 energy;
    std::unique_ptr<Prepared> prepared;  ///< if it was worth keeping
  };

  /// Where one goal stands: the choices still to come, and those looked at but not yet searched.
  struct Run {
    const Target& target;
    StorageTree tree;
    Minimum minimum;
    std::vector<Look> looks;
    std::uint64_t looked = 0;    ///< at so many choices
    Int128 latency = kInfinity;  ///< least of all looks
    Int128 energy = kInfinity;
    [[nodiscard]] const Wide* cutoff() const {
      return minimum.best ? &minimum.best->first : nullptr;
    }
  };

  [[nodiscard]] std::shared_ptr<const Choice> choice(const std::vector<TensorFlags>& stores);
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const Look& look, const Target& target,
                                                  const Incumbent& best);
  void look_at_all(Run& run);
  void look_at(StorageTree::Choice next, Run& run);
  [[nodiscard]] std::optional<Look> look(const std::vector<TensorFlags>& stores,
                                         const Target& target, Incumbent& best);
  void search_up_to(const Wide& limit, Run& run);
  void search(Look look, Run& run);
  [[nodiscard]] std::optional<Wide> branch_and_bound(Look look, Run& run);
  [[nodiscard]] bool cannot_improve(const Wide& bound, const Run& run) const;
  void leave_open(const Wide& bound, Run& run) const;

  const Instance& instance_;
  const RowPricing& pricing_;
  const Question& question_;
  Effort& effort_;
  KnownBounds& known_;
  std::uint64_t count_;                                                      // of storage choices
  std::optional<StorageBounds> bounds_;                                      // if they are many
  std::map<std::vector<TensorFlags>, std::shared_ptr<const Choice>> built_;  // if they are few
};

}  // namespace pimbb::dram_pim::mapper

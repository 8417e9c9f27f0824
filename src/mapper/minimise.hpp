// The least value of one goal over all storage choices.
//
// The storage tree hands out the choices one by one, without those that its relaxations exclude.
// Every choice is looked at first: completion bounds with a single energy threshold are cheap, and
// give a lower bound of the choice and, down along the best bounds, a mapping. If there are few
// choices, all are looked at before they are searched in the order of these bounds; if there are
// many, each is searched at once. Those that cannot beat the incumbent are passed over.
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

#include "mapper/effort.hpp"
#include "mapper/mapping_problem.hpp"
#include "mapper/storage_tree.hpp"

namespace pimbb::mapper {

using Incumbent = std::optional<std::pair<Wide, Solved>>;

/// What the minimisation of one goal has established.
struct Minimum {
  Incumbent best;
  Wide bound;             ///< proven lower bound
  bool complete = false;  ///< `best` is the optimum, or there is none
};

class Minimiser {
 public:
  Minimiser(const Instance& instance, const SolveOptions& options, Effort& effort);

  /// Least value of the target's goal within its caps, starting from a known mapping.
  Minimum run(const Target& target, Incumbent best);

  /// A bound that needs no search: all PEs busy all the time, every output and weight moved once.
  [[nodiscard]] Wide trivial_bound(const Target& target) const;

 private:
  /// A storage choice with what the search needs of it.
  struct Choice {
    Storage storage;
    LevelTiles levels;
  };
  struct Prepared {  ///< ready to be searched
    std::shared_ptr<const Choice> choice;
    Completion completion;
    MappingProblem problem;
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

  [[nodiscard]] std::shared_ptr<const Choice> choice(const std::vector<TensorFlags>& stores);
  [[nodiscard]] bool spatial_matters(const Storage& storage) const;
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const Look& look, const Target& target,
                                                  const Incumbent& best);
  std::optional<Look> look(const std::vector<TensorFlags>& stores, const Target& target,
                           Incumbent& best);
  void search(Look look, const Target& target, Minimum& minimum);
  [[nodiscard]] bool is_least(const Wide& value, const Target& target) const;
  void leave_open(const Wide& bound, const Target& target, Minimum& minimum) const;

  const Instance& instance_;
  const SolveOptions& options_;
  Effort& effort_;
  bool few_;                          // choices: looked at first, and their tables kept
  std::optional<FillPoints> points_;  // for relaxations, if these are worth it
  std::map<std::vector<TensorFlags>, std::shared_ptr<const Choice>> built_;  // those kept
};

}  // namespace pimbb::mapper

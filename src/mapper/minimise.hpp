// The least value of one goal over all storage choices.
//
// Every choice is looked at first: completion bounds with a single energy threshold are cheap, and
// give a lower bound of the choice and, down along the best bounds, a mapping. Then the choices are
// searched in the order of these bounds; those that cannot beat the incumbent are passed over.
//
// A goal that trades latency against energy (EDP, blends) is searched with several thresholds,
// spread over the latencies that a better mapping can have: from the least of the choice to the one
// at which even its least energy is no longer enough.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "mapper/effort.hpp"
#include "mapper/known_bounds.hpp"
#include "mapper/mapping_problem.hpp"

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
  /// Throws Stopped or TooLarge if there are more storage choices than can be listed.
  Minimiser(const Instance& instance, const SolveOptions& options, Effort& effort,
            KnownBounds& known);

  /// Least value of the target's goal within its caps, starting from a known mapping. Throws
  /// TooLarge if there is no room for tables and no mapping is known.
  Minimum run(const Target& target, Incumbent best);

 private:
  /// A storage choice with what the search needs of it.
  struct Choice {
    Storage storage;
    LevelTiles levels;
    search::Account::Hold memory;
  };
  struct Prepared {  ///< ready to be searched
    std::shared_ptr<const Choice> choice;
    search::Account::Hold tables;
    Completion completion;
    MappingProblem problem;
    search::Account::Hold survey;
    Prepared(const Minimiser& m, std::shared_ptr<const Choice> chosen, const Target& target,
             std::vector<Int128> thresholds);
  };
  struct Look {  ///< what the first look at a choice has shown
    std::size_t choice;
    Wide bound;
    Int128 latency;
    Int128 energy;
    std::unique_ptr<Prepared> prepared;  ///< if it was worth keeping
  };

  [[nodiscard]] std::shared_ptr<const Choice> choice(std::size_t k);
  [[nodiscard]] bool spatial_matters(const Storage& storage) const;
  [[nodiscard]] std::unique_ptr<Prepared> prepare(const Look& look, const Target& target,
                                                  const Incumbent& best);
  /// Puts what the lattice has collected for tables on the account.
  void count_collected();
  /// Looks at every choice, or until there is nothing to gain; false if a limit ended it.
  bool look_at_all(const Target& target, Minimum& minimum, std::vector<Look>& looks);
  std::optional<Look> look(std::size_t k, const Target& target, Incumbent& best);
  std::optional<Wide> search(Look look, const Target& target, Incumbent& best,
                             const Wide& elsewhere);

  const Instance& instance_;
  const SolveOptions& options_;
  Effort& effort_;
  KnownBounds& known_;
  std::vector<search::Account::Hold> collected_;
  std::uint64_t collected_bytes_ = 0;
  std::vector<std::vector<TensorFlags>> choices_;
  std::vector<std::shared_ptr<const Choice>> built_;  // those worth keeping
};

}  // namespace pimbb::mapper

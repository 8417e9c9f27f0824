// The least value of one goal over all storage choices.
//
// If there are many storage choices, linear relaxations exclude some of them (storage_tree.hpp).
// Every other choice gets a root evaluation: a cost-to-go with a single energy threshold is cheap
// and gives a lower bound of the choice and, by a dive along the best bounds, a mapping. Then the
// choices are searched in the order of these bounds; those that cannot beat the incumbent are
// skipped. With bounds from relaxations the two phases alternate: a choice is searched when its
// bound is the least.
//
// A goal that trades latency against energy (EDP, blends) is searched with several thresholds,
// spread over the latencies that a better mapping can have: from the least latency of the choice to
// the one at which even its least energy is too much.
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
#include "search/best_first.hpp"

namespace pimbb::dram_pim::mapper {

using Incumbent = std::optional<std::pair<Wide, Solved>>;

/// What the minimisation of one goal has established.
struct Minimum {
  Incumbent best;
  Wide bound;             ///< proven lower bound
  bool complete = false;  ///< `best` is the optimum, or there is none
};

/// What the search for a front has established.
struct FrontOutcome {
  std::vector<Solved> points;  ///< by ascending costs on the first axis
  /// Every mapping that no point covers costs at least as much as one of these; empty: there is
  /// none.
  std::vector<Costs> open;
};

class Minimiser {
 public:
  /// Makes mappings from an incumbent for the target's goal and within its caps, if there are any:
  /// the same from the same incumbent.
  struct Improve {
    std::size_t parts = 0;  ///< as of search::Improve
    std::function<Incumbent(std::size_t part, const Target& target, const Incumbent& best,
                            const std::function<bool()>& enough)>
        search = {};
  };

  /// Lower bounds of the costs under some storage choices, in the units of the instance.
  using Floors = std::map<std::vector<TensorFlags>, Costs>;

  /// `improve`: asked by long searches from time to time; empty: never. `inside`: of an instance
  /// with arrivals of interest only, the floors under its only storage choice.
  Minimiser(const Instance& instance, const RowPricing& pricing, const Question& question,
            Effort& effort, KnownBounds& known, Improve improve, Floors floors = {},
            const InsideFloors* inside = nullptr);

  /// Least value of the target's goal within its caps, starting from a known mapping. Throws
  /// TooLarge if there is no room for tables and no mapping is known.
  Minimum run(const Target& target, Incumbent best);

  /// All points of a front within the target's caps; `front` is that of the target, and has those
  /// of `known`. The same tree for any number of threads. Throws TooLarge if there is no room for
  /// tables.
  FrontOutcome run_front(const Target& target, Staircase& front, std::vector<Solved> known);

 private:
  class FrontRun;

  /// A storage choice with what depends on nothing else.
  struct StorageCandidate {
    Storage storage;
    std::unique_ptr<ChainRows> rows;
    LevelTiles levels;
    mutable std::optional<run::Account::Hold> memory;  ///< counts in one account or another
    bool screened = false;  ///< has only what mappings that are better than one can have
    /// `screen`: what is of interest; empty: everything.
    StorageCandidate(const Minimiser& m, const std::vector<TensorFlags>& stores,
                     const Hopeless& screen, run::Account& account);
  };
  struct Tables {  ///< a storage choice with bounds of what is still to come
    std::shared_ptr<const StorageCandidate> candidate;
    run::Account::Hold memory;
    CostToGo cost_to_go;
    Tables(const Minimiser& m, std::shared_ptr<const StorageCandidate> chosen, const Target& target,
           std::vector<Int128> thresholds, const Incumbent& best, run::Account& account);
  };
  struct PreparedSearch {  ///< a storage choice, ready to be searched for one goal
    std::unique_ptr<Tables> tables;
    MappingProblem problem;
    run::Account::Hold root_bounds;
    PreparedSearch(const Minimiser& m, std::unique_ptr<Tables> of_choice, const Target& target,
                   const Incumbent& best, std::function<void(Solved)> new_point = {});
  };
  /// What is known of a storage choice before it is searched: a bound of its mappings that are
  /// better than the incumbent, and bounds of all.
  struct RootEvaluation {
    std::vector<TensorFlags> stores;
    Wide bound;
    Int128 all_latency;
    Int128 all_energy;
    std::unique_ptr<PreparedSearch> prepared;  ///< if it was worth keeping
    /// The same of less, which serves a search that begins with the same incumbent.
    std::shared_ptr<const StorageCandidate> candidate;
    Wide cutoff;  ///< for which it was made
  };
  /// A storage choice whose bounds are still to come.
  struct StartedRoot {
    std::unique_ptr<PreparedSearch> prepared;  ///< null: the choice is impossible
    bool of_better = false;  ///< has only what mappings that are better than the incumbent can have
    Wide cutoff = {};        ///< for which it was made
  };
  /// What was made of a storage choice ahead of its turn.
  struct Ahead {
    run::Account account;  ///< of its memory, for as long as its turn has not come
    /// Empty: a limit was reached. Null: nothing of interest is left.
    std::optional<std::unique_ptr<Tables>> tables = {};
    std::optional<Wide> cutoff = {};  ///< if they have only what a better mapping can have
    explicit Ahead(std::uint64_t room) : account(room) {}
  };
  struct Turn {  ///< a storage choice that is to be evaluated
    StorageChoice choice;
    std::unique_ptr<Ahead> made;  ///< null: nothing
  };

  /// Where one goal stands: the choices still to come, and those evaluated but not yet searched.
  struct GoalSearch {
    const Target& target;
    StorageTree tree;
    Minimum minimum;
    search::BestFirst<RootEvaluation, Wide, search::YoungestFirst> evaluated;
    std::optional<Turn> ahead = {};  ///< the next one, if the tree has given it already
    std::uint64_t choices = 0;       ///< evaluated so far
    Int128 latency = kInfinity;      ///< least of them all
    Int128 energy = kInfinity;
    std::optional<run::Account::Hold> memory = {};   ///< of `shared`
    std::unique_ptr<SharedTables> shared = nullptr;  ///< of all choices; null: none
    bool sharing_decided = false;                    ///< whether `shared` stays as it is
    std::uint64_t narrow_at = 2;                     ///< choices after which to make them again
    std::optional<Wide> beyond_cap = {};             ///< the least value above the target's cap
    std::optional<Wide> improved_from = {};          ///< the incumbent that was asked for better
    /// The value of the best mapping; null: none is known.
    [[nodiscard]] const Wide* incumbent() const {
      return minimum.best ? &minimum.best->first : nullptr;
    }
    /// The value that a mapping of interest is below; null: any.
    [[nodiscard]] const Wide* cutoff() const {
      const Wide* const best = incumbent();
      return best == nullptr && beyond_cap ? &*beyond_cap : best;
    }
  };

  /// Whether the tables serve mappings better than `best` only.
  [[nodiscard]] bool leaves_out_hopeless(const StorageCandidate& chosen, const Target& target,
                                         const Incumbent& best) const;
  [[nodiscard]] CostToGo::Hopeless hopeless(const StorageCandidate& chosen, const Target& target,
                                            const Incumbent& best) const;
  [[nodiscard]] std::shared_ptr<const StorageCandidate> candidate(
      const std::vector<TensorFlags>& stores, const Hopeless& screen, run::Account& account) const;
  void keep(const std::shared_ptr<const StorageCandidate>& chosen);
  [[nodiscard]] Hopeless screen(const Target& target, const Incumbent& best) const;
  [[nodiscard]] std::unique_ptr<PreparedSearch> prepare(const RootEvaluation& root,
                                                        const Target& target,
                                                        const Incumbent& best);
  [[nodiscard]] std::unique_ptr<Tables> tables(std::shared_ptr<const StorageCandidate> chosen,
                                               const Target& target, const Incumbent& best,
                                               run::Account& account) const;
  void share_tables(GoalSearch& goal);
  void narrow_tables(GoalSearch& goal);
  void evaluate_roots(GoalSearch& goal);
  [[nodiscard]] std::optional<Turn> next_turn(GoalSearch& goal);
  void evaluate_root(Turn& turn, GoalSearch& goal);
  bool begin_ahead(GoalSearch& goal) const;
  void make_ahead(Turn& turn, const Target& target, const Incumbent& best,
                  const Hopeless& screen) const;
  [[nodiscard]] bool only_better(const StorageCandidate& chosen, const Target& target,
                                 const Incumbent& best) const;
  std::optional<std::unique_ptr<Tables>> take(Turn& turn, const Target& target,
                                              const Incumbent& best);
  [[nodiscard]] StartedRoot start_root(Turn& turn, const Target& target, Incumbent& best);
  [[nodiscard]] std::optional<RootEvaluation> finish_root(const StorageChoice& choice,
                                                          StartedRoot started) const;
  void beside_next(GoalSearch& goal, const std::function<void()>& evaluate);
  void search_up_to(const Wide& limit, GoalSearch& goal);
  void search(RootEvaluation root, GoalSearch& goal);
  [[nodiscard]] std::optional<Wide> branch_and_bound(RootEvaluation root, GoalSearch& goal);
  [[nodiscard]] bool cannot_improve(const Wide& bound, const GoalSearch& goal) const;
  [[nodiscard]] bool too_dear(const std::vector<TensorFlags>& stores, const GoalSearch& goal) const;
  void leave_open(const Wide& bound, GoalSearch& goal) const;

  const Instance& instance_;
  const RowPricing& pricing_;
  const Question& question_;
  Effort& effort_;
  KnownBounds& known_;
  Improve improve_;
  Floors floors_;
  const InsideFloors* inside_;           // if arrivals are only those of interest
  std::uint64_t count_;                  // of storage choices
  std::optional<StorageBounds> bounds_;  // if they are many
  std::map<std::vector<TensorFlags>, std::shared_ptr<const StorageCandidate>> built_;  // if few
};

}  // namespace pimbb::dram_pim::mapper

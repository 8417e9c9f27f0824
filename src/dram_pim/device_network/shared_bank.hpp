// Sums of goals over the layers of a network, minimised under the condition that the units' banks
// hold the weights of all layers that stay, and in turn each layer's input and output.
//
// Each layer for itself is solved first. If the banks have room for all of these mappings, they are
// the optimum. If not, every layer's slices are divided by their needs, into shares: of each share
// the best mapping is known, or a bound. The least choice of one share per layer within the room
// (search/least_choice.hpp) is taken, a share whose best mapping is not known at its bound and with
// the least needs of its slices. This is a relaxation, so if all mappings of the choice are known,
// it is the optimum. If not, the unknown ones are solved, for as much of the room as the choice
// leaves, and the choice is made again.
//
// The best mapping of a share tells all about slices that need more than its own, so what is left
// of the share are the slices that need less weight, and those that need less for input and output.
// Shares get smaller until they are single slices, so the search ends; usually long before.
//
// The tensors that move make *variants* of a layer. A mapping costs no less if its weight moves,
// too: the first variant of a layer bounds the others, which are not looked at where all weights
// fit.
//
// Where tensors may stay in the units between two layers, the layers of a chain (chains.hpp) are
// chosen together: the options of a group are the paths through its states
// (search/least_paths.hpp), which consist of parts as before. Parts with a given split begin with a
// bound in closed form, which is tightened when they are chosen for the first time; they are solved
// if they are chosen once more.
#pragma once

#include <deque>

#include "dram_pim/device_network/chains.hpp"
#include "dram_pim/network/goal_list.hpp"
#include "pimbb/network.hpp"
#include "search/least_choice.hpp"
#include "search/least_paths.hpp"

namespace pimbb::dram_pim::device_network {

/// What a layer of the network, or several of one shape, are mapped to.
struct Pick {
  std::size_t shape = 0;
  std::int64_t repetitions = 1;
  std::size_t variant = 0;
  const DeviceSolution* solution = nullptr;
};

/// A tensor that stays: that after a layer of a member of a chain, and the mappings of both layers.
struct StayPick {
  std::size_t chain = 0, member = 0, layer = 0;
  Pick writer, reader;
};

class SharedBank final : public network::SumsSolver {
 public:
  /// `shapes`: distinct layers. `members`: for each the repetitions of the network's layers of this
  /// shape, which may be mapped differently. `variants`: their numbers, by shape. Keeps references.
  /// `stays`: chains of these layers, and variants for them besides; without tensors that stay
  /// chains of one layer.
  SharedBank(LayerAnswers& answers, const Network& shapes,
             const std::vector<std::vector<std::int64_t>>& members,
             const std::vector<std::vector<std::size_t>>& variants, const StaySpace& stays);

  network::LeastSums least(const Objective& sums, const network::SumsTask& task) override;
  [[nodiscard]] bool stopped() const override { return answers_.stopped(); }
  search::Blend fitting(const search::Blend& direction) override;
  std::optional<Rational> energy_floor() override;
  void report(Goal goal, const Rational* best, const Rational& bound) override;

  /// What was found by a call of least(); without a mapping, of each layer for itself.
  [[nodiscard]] const std::vector<Pick>& picks(std::size_t answer) const {
    return found_[answer].picks;
  }
  /// The tensors that stay then.
  [[nodiscard]] const std::vector<StayPick>& stays(std::size_t answer) const {
    return found_[answer].stays;
  }
  /// Why nothing was found, if the banks are too small.
  [[nodiscard]] const std::string& reason() const { return reason_; }
  /// Whether nothing was found because a limit ended the search.
  [[nodiscard]] bool unfinished() const { return unfinished_; }

 private:
  using Values = network::Values;
  /// What is known of the slices of a variant in a share.
  struct Part {
    std::size_t variant = 0;
    BankShare share;
    Values floor;
    const DeviceSolution* solution = nullptr;  // null: not asked yet
    bool gone = false;                         // it has no mapping
    bool sharp = true;                         // the closed form says no more

    [[nodiscard]] bool settled() const;
    [[nodiscard]] bool mapped() const { return solution != nullptr && solution->mapping; }
  };
  struct Place {
    std::size_t shape = 0;
    std::size_t part = 0;
  };
  /// A part of a shape with its best mapping, if `known`, or at its bound and least needs.
  struct Entry {
    Place place;
    bool known = false;
    BankNeed need;
    Values cost;  // of one repetition
  };
  struct Chosen {
    std::int64_t repetitions = 1;
    Entry entry;
    std::size_t chain = 0, member = 0, layer = 0;
    bool stays = false;  // the tensor after it
  };
  /// What a chain may be mapped to: one entry for each of its layers.
  struct Way {
    std::vector<std::size_t> entries;  // numbers in the lists of its shapes
    std::vector<bool> stays;           // the tensor after each layer
    Int128 size = 0, peak = 0;         // of one chain
    Values cost;
  };
  struct Found {
    std::vector<Pick> picks;
    std::vector<StayPick> stays;
  };
  struct Selection {
    std::vector<Chosen> chosen;
    Values cost, floor;
    bool of_all_ways = true;  // false: a chain may have other ways, the floor is not of these
  };

  [[nodiscard]] Part& part(const Place& place) { return parts_[place.shape][place.part]; }
  bool ask_whole_layers();
  void price_stays();
  template <class Visit>
  void for_each_stay(Visit visit) const;
  void open_stays();
  [[nodiscard]] std::optional<Selection> settle_freely();
  [[nodiscard]] bool fits_freely(std::optional<Selection> free);
  void open_the_rest();
  void divide(const Place& place);
  void add_part(std::size_t shape, std::size_t variant, const BankShare& share, Values floor);
  [[nodiscard]] std::optional<BankNeed> corner(std::size_t variant, const BankShare& share);
  [[nodiscard]] BankNeed need_of(const Part& part) const;
  [[nodiscard]] std::optional<Entry> entry_of(const Place& place, bool known);
  [[nodiscard]] std::vector<Entry> entries_of(std::size_t shape, bool known_only);
  [[nodiscard]] Values floor_values(const GoalCosts& floor) const;
  [[nodiscard]] std::vector<Way> ways_of(const Chain& chain,
                                         const std::vector<std::vector<Entry>>& entries,
                                         bool& all) const;
  [[nodiscard]] std::vector<search::PathOption> path_options(
      const Chain& chain, std::size_t layer, const std::vector<Entry>& entries,
      std::vector<std::size_t>& numbers) const;
  std::optional<Selection> select(bool known_only);
  [[nodiscard]] bool complete(const Selection& selection);
  [[nodiscard]] bool sharpen(const Selection& selection);
  [[nodiscard]] bool ask_more(const Selection& selection);
  [[nodiscard]] bool ask_again(const Selection& selection);
  void ask_smallest();
  [[nodiscard]] bool cut(const Place& place, const BankNeed& most);
  void learn(const Place& place, const DeviceSolution& solution);
  [[nodiscard]] network::LeastSums keep(const std::optional<Selection>& selection,
                                        const Values& floor);
  [[nodiscard]] std::optional<std::string> too_small();

  LayerAnswers& answers_;
  const Network& shapes_;
  const std::vector<std::vector<std::int64_t>>& members_;
  const std::vector<std::vector<std::size_t>>& variants_;
  const std::optional<std::int64_t> capacity_;
  const StaySpace& stays_;
  std::vector<GoalCosts> stay_floors_;  // of stays_.variants, shape after shape
  std::deque<Found> found_;
  std::string reason_;
  bool unfinished_ = false;

  // While it runs.
  Objective objective_;
  std::optional<std::int64_t> room_;      // nothing: the banks need not be looked at
  std::vector<std::vector<Part>> parts_;  // by shape
};

}  // namespace pimbb::dram_pim::device_network

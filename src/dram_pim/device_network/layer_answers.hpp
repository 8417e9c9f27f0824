// The solved layers of a network on a device.
//
// A *variant* is a layer with the tensors that move, and perhaps the only split that it may have.
// Its answer to a question within a share of the bank is solved once. If the optimum of one variant
// is the same point of latency and energy in two directions, it is that of every direction between
// them: the search for the network's EDP asks directions closer and closer to each other, and most
// layers keep their mapping.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "dram_pim/device/solve_within.hpp"
#include "dram_pim/device_network/bank_share.hpp"
#include "dram_pim/slices/cost_floor.hpp"
#include "run/clock.hpp"
#include "search/least_product.hpp"

namespace pimbb::dram_pim::device_network {

struct Variant {
  const Workload* layer = nullptr;
  Moves moves = kDefaultMoves;
  std::optional<device::GivenSplit> given = {};
};

/// A variant within a share; seconds for it, if it was answered before and has a gap.
struct Asked {
  std::size_t variant = 0;
  BankShare share;
  std::optional<double> again = {};
};

/// Lower bounds of slices, each one tighter and slower than the one before (slices/cost_floor.hpp).
enum class Floor : std::uint8_t { closed, tightened, over_divisors };

class LayerAnswers {
 public:
  /// Keeps references. Starts the clock of the time limit.
  LayerAnswers(const Device& device, const std::vector<Variant>& variants, const Question& question,
               const RunLimits& limits);

  /// One more variant; its number.
  std::size_t add(Variant variant);

  /// Answers in the order of what is asked, several at a time. Under a time limit half of what is
  /// left is for them all, in equal parts; without any time, each gets some mapping all the same.
  std::vector<const DeviceSolution*> solve(const std::vector<Asked>& asked,
                                           const Objective& objective);

  /// Lower bounds of the energy of variants, at little cost.
  std::vector<Rational> energy_floors(const std::vector<std::size_t>& variants);

  /// Lower bounds of all costs of variants with given splits; those in closed form where the time
  /// is over.
  std::vector<GoalCosts> floors(const std::vector<std::size_t>& variants, Floor floor_of);

  /// Needs of all slices of a variant, each once.
  const std::vector<BankNeed>& needs(std::size_t variant);

  [[nodiscard]] const Variant& variant(std::size_t v) const { return variants_[v]; }
  [[nodiscard]] std::size_t size() const { return variants_.size(); }
  [[nodiscard]] const Device& device() const { return device_; }
  [[nodiscard]] const Question& question() const { return question_; }
  [[nodiscard]] const RunLimits& limits() const { return limits_; }
  [[nodiscard]] bool stopped() const { return clock_.stopped(); }
  [[nodiscard]] std::optional<double> left() const { return clock_.left(); }
  [[nodiscard]] double seconds() const { return clock_.seconds(); }
  [[nodiscard]] const SolveStatistics& spent() const { return spent_; }

 private:
  struct Known {
    std::size_t variant = 0;
    BankShare share;
    Objective objective;
    DeviceSolution solution;
  };

  [[nodiscard]] const DeviceSolution* find(const Asked& asked, const Objective& objective) const;
  [[nodiscard]] std::optional<DeviceSolution> inferred(std::size_t variant,
                                                       const Objective& objective) const;
  [[nodiscard]] DeviceSolution solved(const Asked& asked, const Objective& objective,
                                      const RunLimits& limits, device::SliceBounds bounds) const;
  [[nodiscard]] DeviceSolution hurried(const Asked& asked, const Objective& objective,
                                       RunLimits limits, device::SliceBounds bounds) const;
  [[nodiscard]] DeviceSolution floor_search(const Asked& asked, const Objective& objective,
                                            RunLimits limits, std::size_t open) const;
  void tell(std::uint64_t nodes) const;
  const slices::CostFloor& cost_floor(const Workload& layer);
  [[nodiscard]] GoalCosts floor(const Variant& variant, const slices::CostFloor& costs,
                                Floor kind) const;
  const DeviceSolution& keep(const Asked& asked, const Objective& objective,
                             DeviceSolution solution);

  const Device& device_;
  std::deque<Variant> variants_;
  const Question& question_;
  const RunLimits& limits_;
  run::Clock clock_;
  std::list<Known> known_;
  std::deque<std::optional<std::vector<BankNeed>>> needs_;  // by variant
  std::map<const Workload*, std::unique_ptr<const slices::CostFloor>> cost_floors_;
  SolveStatistics spent_;
};

}  // namespace pimbb::dram_pim::device_network

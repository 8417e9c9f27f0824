// Shortest paths from fills to the whole layer, with one set of weights after the other.
#include "dram_pim/trace/fill_times.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "dram_pim/trace/moves_around.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

constexpr TensorSet kEveryTensor = (1U << kTensors) - 1U;

/// Weights are whole numbers with this sum.
using Weights = PerTensor<std::int64_t>;
constexpr std::int64_t kAllWeights = 1 << 12;
/// Those that are adapted to what was found are no less.
constexpr std::int64_t kLeastWeight = 1 << 5;

/// Weights that are tried on many fills together, and on each of the rest.
constexpr std::size_t kTriesTogether = 8;
constexpr int kTriesAlone = 12;
/// The tiles around fills are found again if so many times fewer of these are left.
constexpr std::size_t kListAgain = 4;
/// Fills that are worth looking at by themselves, at most.
constexpr std::size_t kMostAlone = 256;
/// Divisor vectors, and tiles around fills, of which it takes less time than the search.
constexpr std::size_t kMostVectors = std::size_t{1} << 22;
constexpr std::size_t kMostTiles = std::size_t{1} << 16;
constexpr std::size_t kMostTilesAlone = std::size_t{1} << 13;

/// The tiles around some fills, and the loops between them.
class TilesAround {
 public:
  /// Without tiles if there are too many.
  TilesAround(const Multiples& multiples, const MovesAround& moves, const std::vector<Fill>& fills,
              const run::Guard& guard);

  [[nodiscard]] bool empty() const { return tiles_.empty(); }
  /// Finds the best paths with these weights; a fill's place is that in the constructor's list.
  void weigh(const Weights& weights, const run::Guard& guard);
  /// The least weighted sum of times, over all paths from a fill.
  [[nodiscard]] Int128 least(std::size_t fill) const { return resting_best(place_[fill]).first; }
  /// The times of the tensors on such a path.
  [[nodiscard]] PerTensor<Int128> times(std::size_t fill) const;

 private:
  struct Around : TileAround {
    Around() = default;
    explicit Around(const TileAround& tile) : TileAround(tile) {}
    TensorSet rests = 0;       // that may rest from some fill to here
    std::size_t begin = 0;     // of its steps
    PerTensor<Int128> once{};  // times of moves that begin here
  };
  struct Step {
    std::uint32_t to;
    TensorSet rests;                  // the tensor to which its dimension is irrelevant
    PerTensor<std::int64_t> changes;  // of rows
  };

  void add_tile(std::size_t number, TensorSet rests, std::vector<std::uint32_t>& places);
  [[nodiscard]] std::span<const Step> steps(std::size_t i) const {
    return std::span(steps_).subspan(tiles_[i].begin, tiles_[i + 1].begin - tiles_[i].begin);
  }
  [[nodiscard]] Int128 weighted(const Step& step, TensorSet moving) const {
    Int128 sum = 0;
    for (const Tensor t : kAllTensors) {
      if (contains(moving, t)) sum += Int128{step.changes[index(t)]} * weights_[index(t)];
    }
    return sum * moves_.row_time();
  }
  [[nodiscard]] Int128 weighted_once(std::size_t tile, TensorSet moving) const {
    Int128 sum = 0;
    for (const Tensor t : kAllTensors) {
      if (contains(moving, t)) sum += tiles_[tile].once[index(t)] * weights_[index(t)];
    }
    return sum;
  }
  /// The least sum from a fill's tile, and the tensor that rests then.
  [[nodiscard]] std::pair<Int128, Tensor> resting_best(std::size_t tile) const;

  const Multiples& multiples_;
  const MovesAround& moves_;
  std::vector<Around> tiles_;  // the whole layer first, and behind the last an empty one
  std::vector<Step> steps_;
  std::vector<std::uint32_t> place_;  // by fill
  Weights weights_{};
  // Least sums from a tile outwards, where all tensors move by then; and where one rests still, or
  // begins to move there, with its moves.
  std::vector<Int128> moving_;
  PerTensor<std::vector<Int128>> resting_;
};

TilesAround::TilesAround(const Multiples& multiples, const MovesAround& moves,
                         const std::vector<Fill>& fills, const run::Guard& guard)
    : multiples_(multiples), moves_(moves) {
  constexpr std::size_t kSteps = 10;  // of a tile, mostly fewer
  guard.need(multiples.size() * (sizeof(TensorSet) + sizeof(std::uint32_t)) +
             std::min(multiples.size(), kMostTiles) *
                 (sizeof(Around) + kSteps * sizeof(Step) + (kTensors + 1) * sizeof(Int128)));
  constexpr TensorSet kReached = 1U << kTensors;
  std::vector<TensorSet> reached(multiples.size(), 0);
  for (const Fill& fill : fills) reached[multiples.number(fill.tile)] = kReached | kEveryTensor;
  std::vector<std::size_t> numbers;
  run::GuardedSteps step(guard);
  for (std::size_t number = 0; number < reached.size(); ++number) {
    step();
    if (reached[number] == 0) continue;
    if (numbers.size() == kMostTiles) return;
    numbers.push_back(number);
    multiples.for_each_above(number, multiples.places(number), [&](Dim j, std::size_t above) {
      const auto rests = irrelevant_tensor(j);
      const auto kept = static_cast<TensorSet>(rests ? reached[number] & bit_of(*rests) : 0);
      reached[above] |= kReached | kept;
    });
  }
  std::vector<std::uint32_t> places(multiples.size());
  tiles_.reserve(numbers.size() + 1);
  for (std::size_t i = numbers.size(); i-- > 0;) {
    step();
    add_tile(numbers[i], reached[numbers[i]] & moves.counted(), places);
  }
  tiles_.emplace_back().begin = steps_.size();
  for (const Fill& fill : fills) place_.push_back(places[multiples.number(fill.tile)]);
}

/// A tile, after all around it, and the steps to these.
void TilesAround::add_tile(std::size_t number, TensorSet rests,
                           std::vector<std::uint32_t>& places) {
  places[number] = static_cast<std::uint32_t>(tiles_.size());
  Around& tile = tiles_.emplace_back(TileAround(multiples_, number));
  tile.rests = rests;
  tile.begin = steps_.size();
  for (const Tensor t : kAllTensors) {
    if (contains(rests, t)) tile.once[index(t)] = moves_.time(t, tile);
  }
  multiples_.for_each_above(number, tile.at, [&](Dim j, std::size_t above) {
    const auto resting = irrelevant_tensor(j);
    Step step{places[above], resting ? bit_of(*resting) : TensorSet{0}, {}};
    for (const Tensor t : kAllTensors) {
      if (!contains(moves_.counted(), t)) continue;
      step.changes[index(t)] = moves_.changes(t, j, tile, tiles_[step.to]);
    }
    steps_.push_back(step);
  });
}

void TilesAround::weigh(const Weights& weights, const run::Guard& guard) {
  weights_ = weights;
  const std::size_t tiles = tiles_.size() - 1;
  moving_.assign(tiles, kInfinity);
  for (auto& resting : resting_) resting.assign(tiles, kInfinity);
  run::GuardedSteps step_done(guard);
  for (std::size_t i = 0; i < tiles; ++i) {
    step_done();
    Int128& moving = moving_[i];
    if (i == 0) moving = 0;
    for (const Step& step : steps(i)) {
      moving = std::min(moving, moving_[step.to] + weighted(step, moves_.counted()));
    }
    for (const Tensor t : kAllTensors) {
      if (!contains(tiles_[i].rests, t)) continue;
      Int128& resting = resting_[index(t)][i];
      resting = moving + weighted_once(i, bit_of(t));
      for (const Step& step : steps(i)) {
        if (!contains(step.rests, t)) continue;
        const auto others = static_cast<TensorSet>(moves_.counted() & ~bit_of(t));
        resting = std::min(resting, resting_[index(t)][step.to] + weighted(step, others));
      }
    }
  }
}

std::pair<Int128, Tensor> TilesAround::resting_best(std::size_t tile) const {
  std::pair<Int128, Tensor> best{kInfinity, Tensor::input};
  for (const Tensor t : kAllTensors) {
    if (!contains(moves_.counted(), t)) continue;
    const auto others = static_cast<TensorSet>(moves_.counted() & ~bit_of(t));
    const Int128 sum = resting_[index(t)][tile] + weighted_once(tile, others);
    if (sum < best.first) best = {sum, t};
  }
  return best;
}

PerTensor<Int128> TilesAround::times(std::size_t fill) const {
  std::size_t i = place_[fill];
  const Tensor rests = resting_best(i).second;
  PerTensor<Int128> times = tiles_[i].once;
  const auto go = [&](const Step& step, TensorSet moving) {
    for (const Tensor t : kAllTensors) {
      if (contains(moving, t)) times[index(t)] += step.changes[index(t)] * moves_.row_time();
    }
    i = step.to;
  };
  const std::vector<Int128>& resting = resting_[index(rests)];
  const auto others = static_cast<TensorSet>(moves_.counted() & ~bit_of(rests));
  while (resting[i] < moving_[i] + weighted_once(i, bit_of(rests))) {
    go(*std::ranges::find_if(steps(i),
                             [&](const Step& step) {
                               return contains(step.rests, rests) &&
                                      resting[step.to] + weighted(step, others) == resting[i];
                             }),
       others);
  }
  times[index(rests)] = tiles_[i].once[index(rests)];
  while (i > 0) {
    go(*std::ranges::find_if(steps(i),
                             [&](const Step& step) {
                               return moving_[step.to] + weighted(step, moves_.counted()) ==
                                      moving_[i];
                             }),
       moves_.counted());
  }
  return times;
}

/// The same weight for all that count.
Weights equal_weights(TensorSet counted) {
  Weights weights{};
  std::int64_t left = kAllWeights;
  int tensors = std::popcount(counted);
  for (const Tensor t : kAllTensors) {
    if (!contains(counted, t)) continue;
    left -= weights[index(t)] = left / tensors--;
  }
  return weights;
}

/// Weights that are greater for the tensors that take longer, by the squares of their times.
Weights shifted(const Weights& weights, const PerTensor<Int128>& times, TensorSet counted) {
  PerTensor<double> wanted{};
  double sum = 0;
  for (const Tensor t : kAllTensors) {
    const std::size_t k = index(t);
    if (!contains(counted, t)) continue;
    const auto time = static_cast<double>(times[k]);
    sum += wanted[k] = static_cast<double>(weights[k]) * time * time;
  }
  Weights shifted{};
  std::int64_t left = kAllWeights;
  std::size_t greatest = index(Tensor::input);
  for (const Tensor t : kAllTensors) {
    const std::size_t k = index(t);
    if (!contains(counted, t)) continue;
    const auto weight = static_cast<std::int64_t>(wanted[k] / sum * kAllWeights);
    left -= shifted[k] = std::max(kLeastWeight, weight);
    if (shifted[k] > shifted[greatest]) greatest = k;
  }
  shifted[greatest] += left;
  return shifted;
}

class FillTimes {
 public:
  FillTimes(const Architecture& a, const Workload& w, const Storage& storage,
            const Hopeless& hopeless, std::vector<Fill>& fills, const run::Guard& guard)
      : a_(a),
        w_(w),
        storage_(storage),
        hopeless_(hopeless),
        guard_(guard),
        fills_(fills),
        counted_(FewMoves(a, w, storage, 0).counted()),
        all_(w.bounds, kOnes),
        out_(fills.size(), 0) {}

  void keep_hopeful_together() {
    if (counted_ == 0 || all_.size() > kMostVectors) return;
    const FewMoves moves(a_, w_, storage_, 0);
    std::map<TensorSet, std::vector<std::size_t>> alike;  // by what may be row-aligned
    for (std::size_t i = 0; i < fills_.size(); ++i) {
      TensorSet fits = 0;
      for (const Tensor t : kAllTensors) {
        if (contains(counted_, t) && moves.fits_row(t, fills_[i].tile)) fits |= bit_of(t);
      }
      alike[fits].push_back(i);
    }
    for (auto& [fits, fills] : alike) leave_out_together(fits, std::move(fills));
    leave_out();
  }

  void keep_hopeful_alone() {
    if (counted_ == 0 || fills_.size() > kMostAlone) return;
    run::parallel_for(fills_.size(), [&](std::size_t i) {
      guard_.check();
      if (is_hopeless_alone(fills_[i])) out_[i] = 1;
    });
    leave_out();
  }

 private:
  /// Tries weights on fills of which the same tensors fit a row: of each tensor alone, of all, and
  /// those that the most hopeful fill makes of them.
  void leave_out_together(TensorSet fits, std::vector<std::size_t> listed) {
    const FewMoves moves(a_, w_, storage_, static_cast<TensorSet>(counted_ & ~fits));
    std::vector<Weights> first;
    for (const Tensor t : kAllTensors) {
      if (contains(counted_, t)) first.push_back(equal_weights(bit_of(t)));
    }
    first.push_back(equal_weights(counted_));
    std::optional<TilesAround> around;
    std::vector<std::size_t> open;  // places in the list
    Weights weights{};
    for (std::size_t tries = 0; tries < kTriesTogether; ++tries) {
      if (!around) {
        around.emplace(all_, moves, fills_at(listed), guard_);
        if (around->empty()) return;
        open.resize(listed.size());
        std::iota(open.begin(), open.end(), std::size_t{0});
      }
      if (tries < first.size()) weights = first[tries];
      around->weigh(weights, guard_);
      std::erase_if(open, [&](std::size_t place) {
        const std::size_t i = listed[place];
        out_[i] = raise(fills_[i], around->least(place)) ? 1 : 0;
        return out_[i] != 0;
      });
      if (open.empty()) return;
      const std::size_t most_hopeful =
          *std::ranges::min_element(open, {}, [&](std::size_t k) { return around->least(k); });
      weights = shifted(weights, around->times(most_hopeful), counted_);
      if (kListAgain * open.size() > listed.size()) continue;
      for (std::size_t& place : open) place = listed[place];
      listed = std::exchange(open, {});
      around.reset();
    }
  }

  /// With its own weights, for each set of tensors that may be row-aligned with this fill.
  bool is_hopeless_alone(Fill& fill) const {
    const Multiples around(w_.bounds, fill.tile);
    if (around.size() > kMostTilesAlone) return false;
    MovesOfFill moves(a_, w_, storage_, around, guard_);
    Int128 least = kInfinity;
    for (TensorSet aligned = 0; aligned <= kEveryTensor; ++aligned) {
      const bool possible = std::ranges::all_of(kAllTensors, [&](Tensor t) {
        return !contains(aligned, t) || (contains(counted_, t) && moves.fits_row(t, fill.tile));
      });
      if (!possible) continue;
      moves.align(aligned);
      least = std::min(least, greatest_sum(fill, TilesAround(around, moves, {fill}, guard_)));
    }
    return raise(fill, least);
  }

  /// The greatest sum that was found for any weights; kInfinity if it is hopeless.
  [[nodiscard]] Int128 greatest_sum(const Fill& fill, TilesAround around) const {
    Weights weights = equal_weights(counted_);
    Int128 greatest = 0;
    for (int tries = 0; tries < kTriesAlone; ++tries) {
      around.weigh(weights, guard_);
      greatest = std::max(greatest, around.least(0));
      Fill raised = fill;
      if (raise(raised, greatest)) return kInfinity;
      const PerTensor<Int128> times = around.times(0);
      raised = fill;
      if (!raise(raised, std::ranges::max(times) * kAllWeights)) break;  // nor is a weighted sum
      weights = shifted(weights, times, counted_);
    }
    return greatest;
  }

  [[nodiscard]] std::vector<Fill> fills_at(const std::vector<std::size_t>& places) const {
    std::vector<Fill> fills;
    for (const std::size_t i : places) fills.push_back(fills_[i]);
    return fills;
  }

  /// Raises what mappings with this fill cost; whether it is hopeless then.
  bool raise(Fill& fill, Int128 weighted_time) const {
    fill.least.latency = std::max(fill.least.latency, weighted_time / kAllWeights);
    return hopeless_(fill.least);
  }

  void leave_out() {
    std::size_t i = 0;
    std::erase_if(fills_, [&](const Fill&) { return out_[i++] != 0; });
  }

  const Architecture& a_;
  const Workload& w_;
  const Storage& storage_;
  const Hopeless& hopeless_;
  const run::Guard& guard_;
  std::vector<Fill>& fills_;
  const TensorSet counted_;
  const Multiples all_;
  std::vector<char> out_;  // by fill
};

}  // namespace

void keep_hopeful_together(const Architecture& architecture, const Workload& workload,
                           const Storage& storage, const Hopeless& hopeless,
                           std::vector<Fill>& fills, const run::Guard& guard) {
  FillTimes(architecture, workload, storage, hopeless, fills, guard).keep_hopeful_together();
}

void keep_hopeful_alone(const Architecture& architecture, const Workload& workload,
                        const Storage& storage, const Hopeless& hopeless, std::vector<Fill>& fills,
                        const run::Guard& guard) {
  FillTimes(architecture, workload, storage, hopeless, fills, guard).keep_hopeful_alone();
}

}  // namespace pimbb::dram_pim::mapper

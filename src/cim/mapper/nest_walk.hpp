// The steps of all nests of a scheme, from the innermost loop outwards: moves of tensors to their
// next levels, loops around what is there, and the end of a nest.
//
// Every mapping of the scheme is one sequence of steps, but for the flags of levels that no loop of
// their tensor is outside of: before each loop every tensor moves once at most, in the order of
// kMoveOrder, and a level that it has moved to gets a loop.
//
// Rule 2 (doubling). Under `recursion` a tile that may be doubled, at a level that no other tensor
// may use, is doubled if the copy fits.
// Proof. The flag affects the capacity of its level only, and the latency by dbl, which only lowers
// bodies and critical times; energy does not depend on it.  []
//
// Rule 4 (mirror image). If layer, axes and scheme are symmetric in width and height, the innermost
// loop over P, Q, R or S is one over P or R.
// Proof. The mirror image of a nest has the same cost, and one of the two begins like that.  []
#pragma once

#include <algorithm>
#include <type_traits>

#include "cim/mapper/label_search.hpp"
#include "cim/mapper/outlook.hpp"

namespace pimbb::cim::mapper {

inline constexpr std::array<Tensor, kTensors> kMoveOrder{Tensor::weight, Tensor::input,
                                                         Tensor::output};

/// Which nests are walked.
enum class Walked : std::uint8_t {
  best,  ///< rules 2 and 4 leave nests out; transfers that cost the same are one
  all    ///< every nest, and every transfer is told apart from others (Pending::origin)
};

template <class Rule, std::size_t More>
class NestWalk {
 public:
  using L = Label<More>;

  NestWalk(const Problem& problem, const Scheme& scheme, const DimensionSteps& steps,
           const Target& target, Walked walked)
      : p_(problem),
        space_(problem, scheme, steps),
        outlook_(space_, target),
        all_(walked == Walked::all),
        symmetric_(!all_ && is_symmetric(problem.architecture, problem.layer) &&
                   mirrored(scheme).spatial == scheme.spatial),
        facts_(facts_of(space_)) {}

  [[nodiscard]] const Space& space() const { return space_; }
  [[nodiscard]] const Outlook<Rule, More>& outlook() const { return outlook_; }
  [[nodiscard]] const PendingTable& pending() const { return pending_; }
  [[nodiscard]] std::uint64_t bytes() const { return space_.bytes() + outlook_.bytes(); }

  /// Before all loops.
  [[nodiscard]] L first_label() const {
    L label;
    Rule::start(label.times, p_.units.product, space_.products);
    if (outlook_.with_energy) label.energy = space_.activations();
    return label;
  }

  /// Room and bounds of a state; nothing can complete it if false.
  bool look_ahead(const State& state, Prospect<More>& prospect) const {
    return outlook_.look_ahead(state, facts_[state.cell], pending_, prospect);
  }

  /// The following steps are those of states of this cell.
  void enter(std::uint32_t cell) {
    cell_ = cell;
    left_ = facts_[cell].left;
    for (std::size_t j = 0; j < kDims; ++j) at_position_[j] = space_.position(cell, j);
  }

  /// The moves of a tensor that has no pending transfer: next(state, nullptr, change), where
  /// change(label) is what happens to labels.
  template <class Next>
  void moves(Tensor t, const State& state, const Next& next) {
    const Stand stand = state.stand[index(t)];
    for (const std::uint8_t m : p_.chain[index(t)]) {
      if (stand.level != kMac && m <= stand.level) continue;
      move_to(t, state, m, next);
    }
  }

  /// The loops that may come next: next(state, loop, change).
  template <class Next>
  void loops(const State& state, const Next& next) {
    for (const Stand& stand : state.stand) {
      if (stand.transfer == kLeaving) return;
    }
    for (const Dim d : kAllDims) {
      if (position(d).steps.empty() || !may_follow(state, d)) continue;
      for (const FactorSteps::Step& step : position(d).steps) add_loop(state, d, step, next);
    }
  }

  /// Whether a nest may end with this state, whose cell is the last one.
  [[nodiscard]] static bool may_end(const State& state) {
    return std::ranges::none_of(state.stand,
                                [](const Stand& s) { return s.transfer >= kFirstPending; });
  }

  struct End {
    Time latency = 0;
    Int128 total = 0;  ///< energy; 0 if it does not matter
  };
  /// What a complete nest costs.
  [[nodiscard]] End end(const State& state, L label) const {
    const std::size_t dram = p_.architecture.dram();
    PerTensor<Time> boot{};
    for (const Tensor t : kAllTensors) {
      const Stand& stand = state.stand[index(t)];
      if (stand.level == dram) continue;
      boot[index(t)] = space_.boot[index(t)];
      if (outlook_.numbers.has_ports()) {
        outlook_.numbers.occupy(label, dram, cost::ways(t) * boot[index(t)]);
      }
      if (!outlook_.with_energy) continue;
      const std::uint32_t whole = space_.plots[index(t)] - 1;
      label.energy += space_.boot_energy[index(t)] +
                      Energy{space_.data(t, stand.level, whole, stand.psum)} *
                          space_.unrolling.at(t, stand.level).instances *
                          cost::bit_costs(p_.architecture, p_.units, t, stand.level).in;
    }
    End end;
    end.latency = outlook_.numbers.floor(label, Rule::latency(label.times, boot));
    if (outlook_.with_energy) end.total = p_.units.total(label.energy, end.latency);
    return end;
  }

 private:
  struct Departure {        ///< what leaving a level means
    std::int64_t bits = 0;  // that are kept there from now on
    bool doubled = false;
    Energy energy = 0;
  };

  template <class Next>
  void move_to(Tensor t, const State& from, std::uint8_t m, const Next& next) {
    const Stand& stand = from.stand[index(t)];
    const std::uint32_t plot = facts_[cell_].plot[index(t)];
    if (stand.level == kMac) return arrive(t, from, m, {0, false, charged(t, m)}, next);
    const std::int8_t s = p_.shared_index[stand.level];
    const std::int64_t bits = space_.data(t, stand.level, plot, stand.psum);
    const bool bounded = p_.architecture.levels[stand.level].size_bits.has_value();
    const bool twice =
        p_.may_double(stand.level, t) && (!bounded || 2 * bits <= outlook_.size(stand.level));
    const bool free = !all_ && std::is_same_v<Rule, Recursion> && s < 0;  // rule 2
    if (std::is_same_v<Rule, Floor> && !p_.must_double(stand.level, t)) {
      // A copy takes room and hides nothing.
      return arrive(t, from, m, {bits, false, 0}, next);
    }
    if (twice) arrive(t, from, m, {2 * bits, true, 0}, next);
    if (!p_.must_double(stand.level, t) && !(twice && free)) {
      arrive(t, from, m, {bits, false, 0}, next);
    }
  }

  [[nodiscard]] Energy charged(Tensor t, std::uint8_t m) const {
    return outlook_.with_energy && m != p_.innermost[index(t)] ? space_.charged(t) : 0;
  }

  template <class Next>
  void arrive(Tensor t, const State& from, std::uint8_t m, const Departure& departure,
              const Next& next) {
    State state = from;
    Stand& stand = state.stand[index(t)];
    const std::uint32_t plot = facts_[cell_].plot[index(t)];
    const bool psum = t == Tensor::output && facts_[cell_].reductions_left > 1;
    const std::uint8_t old = stand.level;
    const bool moves = t != Tensor::weight || m != p_.innermost[index(t)];
    std::uint32_t transfer = kPlaced;
    if (moves) {
      Pending pending;
      pending.time = space_.time(t, m, old, plot, psum);
      if (outlook_.with_energy) pending.energy = space_.energy(t, m, old, plot, psum, stand.psum);
      pending.hidden = departure.doubled;
      if (all_) {
        const std::uint64_t flags = (psum ? 2U : 0U) + (stand.psum ? 1U : 0U);
        pending.origin =
            (std::uint64_t{plot} << 32 | std::uint64_t{old} << 16 | std::uint64_t{m} << 8 | flags) +
            1;
      }
      transfer = pending_.number(pending);
    }
    stand = {transfer, m, psum};
    const int s = old == kMac ? -1 : p_.shared_index[old];
    next(state, static_cast<const Trace*>(nullptr), [&](L& label) {
      label.energy += departure.energy;
      if (s >= 0) label.more[static_cast<std::size_t>(s)] += departure.bits;
    });
  }

  [[nodiscard]] const FactorSteps::Position& position(Dim d) const {
    return space_.dims[index(d)].steps->positions[at_position_[index(d)]];
  }

  [[nodiscard]] bool may_follow(const State& state, Dim d) const {
    if (d == Dim::G) {
      for (const Tensor t : kAllTensors) {
        if (state.stand[index(t)].level == p_.innermost[index(t)]) return false;
      }
    }
    const bool moves_weights = irrelevant_tensor(d) == Tensor::weight;
    if (p_.stationary && moves_weights &&
        state.stand[index(Tensor::weight)].level != p_.innermost[index(Tensor::weight)]) {
      return false;
    }
    if (symmetric_ && (d == Dim::Q || d == Dim::S)) {  // rule 4
      for (const Dim plane : {Dim::P, Dim::Q, Dim::R, Dim::S}) {
        if (at_position_[index(plane)] > 0) return true;
      }
      return false;
    }
    return true;
  }

  template <class Next>
  void add_loop(const State& from, Dim d, const FactorSteps::Step& step, const Next& next) {
    const auto irrelevant = irrelevant_tensor(d);
    const bool waits = irrelevant && from.stand[index(*irrelevant)].transfer >= kFirstPending;
    if (!waits) return extend(from, d, step, false, next);
    // The transfer is given to this loop, which then is the outermost of its block; or it waits.
    extend(from, d, step, true, next);
    if (left_ > step.factor) extend(from, d, step, false, next);
  }

  template <class Next>
  void extend(const State& from, Dim d, const FactorSteps::Step& step, bool give,
              const Next& next) {
    const Space::Dimension& dim = space_.dims[index(d)];
    State state = from;
    state.cell += dim.stride * static_cast<std::uint32_t>(step.to - at_position_[index(d)]);
    LoopStep loop;
    loop.factor = step.factor;
    Trace trace;
    trace.dim = static_cast<std::uint8_t>(index(d));
    trace.factor = step.factor;
    Energy energy = 0;
    for (const Tensor t : kAllTensors) {
      Stand& stand = state.stand[index(t)];
      trace.level[index(t)] = stand.level;
      if (stand.transfer < kFirstPending) continue;
      const Pending& pending = pending_[stand.transfer];
      if (pending.hidden) trace.hidden |= static_cast<std::uint8_t>(1U << index(t));
      const bool is_relevant = relevant(t, d);
      if (!is_relevant && !give) continue;
      loop.move[index(t)] = pending.time;
      loop.hidden[index(t)] = pending.hidden;
      energy += pending.energy * left_;
      stand.transfer = is_relevant ? kPlaced : kLeaving;
    }
    next(state, &trace, [&](L& label) {
      Rule::extend(label.times, loop);
      label.energy += energy;
      if (outlook_.numbers.has_ports()) occupy(label, from, loop);
    });
  }

  /// Ports of the transfers that a loop is given.
  void occupy(L& label, const State& state, const LoopStep& loop) const {
    for (const Tensor t : kAllTensors) {
      if (loop.move[index(t)] == 0) continue;
      outlook_.numbers.occupy(label, state.stand[index(t)].level,
                              cost::ways(t) * left_ * loop.move[index(t)]);
    }
  }

  const Problem& p_;
  Space space_;
  Outlook<Rule, More> outlook_;
  bool all_;
  bool symmetric_;
  PendingTable pending_;
  std::vector<CellFacts> facts_;  // of each cell
  std::uint32_t cell_ = 0;
  std::int64_t left_ = 1;
  std::array<std::size_t, kDims> at_position_{};  // of the cell
};

}  // namespace pimbb::cim::mapper

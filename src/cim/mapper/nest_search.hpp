// All nests of a scheme: moves of tensors to their next levels, and loops around what is there.
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

#include "cim/mapper/beam.hpp"
#include "cim/mapper/group_table.hpp"
#include "cim/mapper/label_search.hpp"
#include "cim/mapper/outlook.hpp"

namespace pimbb::cim::mapper {

template <class Rule, std::size_t More>
class NestSearch {
 public:
  using L = Label<More>;
  using G = Group<Rule, More>;
  using P = Prospect<More>;

  NestSearch(const Problem& problem, const Scheme& scheme, const DimensionSteps& steps,
             const Target& target, const Wide& cutoff, const LabelLimits& limits)
      : p_(problem),
        scheme_(scheme),
        space_(problem, scheme, steps),
        target_(target),
        outlook_(space_, target),
        cutoff_(cutoff),
        limits_(limits),
        symmetric_(is_symmetric(problem.architecture, problem.layer) &&
                   mirrored(scheme).spatial == scheme.spatial),
        facts_(facts_of(space_)),
        groups_(space_.cells, outlook_.exchange(cutoff)) {}

  SchemeOutcome run() {
    start();
    const std::uint32_t last = space_.cells - 1;
    for (std::uint32_t cell = 0; cell < last && !stopped_; ++cell) {
      if (groups_.at(cell).empty()) continue;
      enter(cell);
      if (limits_.width > 0) keep_best(groups_, cell, outlook_, limits_.width, true);
      for (const Tensor t : {Tensor::weight, Tensor::input, Tensor::output}) move(t);
      if (limits_.width > 0) keep_best(groups_, cell, outlook_, limits_.width, false);
      for (std::size_t k = 0; k < groups_.at(cell).size() && !stopped_; ++k) {
        add_loops(groups_.at(cell)[k]);
      }
      groups_.release(cell);
    }
    if (!stopped_) finish(last);
    outcome_.complete = !stopped_ && limits_.width == 0;
    outcome_.states = groups_.size();
    return std::move(outcome_);
  }

 private:
  void start() {
    const State state;
    L label;
    Rule::start(label.times, p_.units.product, space_.products);
    if (outlook_.with_energy) label.energy = space_.activations();
    P prospect;
    if (!outlook_.look_ahead(state, facts_[0], pending_, prospect)) return;
    groups_.insert(groups_[groups_.open(state, prospect)], label);
  }

  void enter(std::uint32_t cell) {
    cell_ = cell;
    left_ = facts_[cell].left;
    for (std::size_t j = 0; j < kDims; ++j) at_position_[j] = space_.position(cell, j);
  }

  [[nodiscard]] const FactorSteps::Position& position(Dim d) const {
    return space_.dims[index(d)].steps->positions[at_position_[index(d)]];
  }

  /// Changes all labels of group `from`, and puts those that may improve into the group of `state`;
  /// `trace` is the loop that does this, if it is one.
  template <class Change>
  void follow(std::uint32_t from, const State& state, const Trace* trace, const Change& change) {
    P prospect;
    if (!outlook_.look_ahead(state, facts_[state.cell], pending_, prospect)) return;
    const auto stays = [&](L& label) {
      change(label);
      return outlook_.settle_room(label, prospect) &&
             outlook_.may_improve(label, prospect, cutoff_);
    };
    L next = least_;
    if (!stays(next)) return;
    G& group = groups_[groups_.open(state, prospect)];
    for (const L& label : groups_[from].labels) {
      next = label;
      ++outcome_.candidates;
      if (!stays(next)) continue;
      if (trace != nullptr) next.trace = static_cast<std::uint32_t>(traces_.size());
      if (!groups_.insert(group, next) || trace == nullptr) continue;
      traces_.push_back(*trace);
      traces_.back().parent = label.trace;
    }
  }

  // ---- moves

  void move(Tensor t) {
    const std::size_t count = groups_.at(cell_).size();  // what comes in addition has moved
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t group = groups_.at(cell_)[k];
      const Stand stand = groups_.state(group).stand[index(t)];
      if (stand.transfer >= kFirstPending || groups_[group].labels.empty()) continue;
      least_ = groups_[group].least();
      for (const std::uint8_t m : p_.chain[index(t)]) {
        if (stand.level != kMac && m <= stand.level) continue;
        move_to(t, group, stand, m);
      }
    }
  }

  struct Departure {        ///< what leaving a level means
    std::int64_t bits = 0;  // that are kept there from now on
    bool doubled = false;
    Energy energy = 0;
  };

  void move_to(Tensor t, std::uint32_t from, const Stand& stand, std::uint8_t m) {
    const std::uint32_t plot = facts_[cell_].plot[index(t)];
    if (stand.level == kMac) return arrive(t, from, m, {0, false, charged(t, m)});
    const std::int8_t s = p_.shared_index[stand.level];
    const std::int64_t bits = space_.data(t, stand.level, plot, stand.psum);
    const bool bounded = p_.architecture.levels[stand.level].size_bits.has_value();
    const bool twice =
        p_.may_double(stand.level, t) && (!bounded || 2 * bits <= outlook_.size(stand.level));
    const bool free = std::is_same_v<Rule, Recursion> && s < 0;  // rule 2
    if (std::is_same_v<Rule, Floor> && !p_.must_double(stand.level, t)) {
      return arrive(t, from, m, {bits, false, 0});  // a copy takes room and hides nothing
    }
    if (twice) arrive(t, from, m, {2 * bits, true, 0});
    if (!p_.must_double(stand.level, t) && !(twice && free)) arrive(t, from, m, {bits, false, 0});
  }

  [[nodiscard]] Energy charged(Tensor t, std::uint8_t m) const {
    return outlook_.with_energy && m != p_.innermost[index(t)] ? space_.charged(t) : 0;
  }

  void arrive(Tensor t, std::uint32_t from, std::uint8_t m, const Departure& departure) {
    State state = groups_.state(from);
    Stand& stand = state.stand[index(t)];
    const std::uint32_t plot = facts_[cell_].plot[index(t)];
    const bool psum = t == Tensor::output && facts_[cell_].reductions_left > 1;
    const std::uint8_t old = stand.level;
    const Time time = space_.time(t, m, old, plot, psum);
    const Energy energy =
        outlook_.with_energy ? space_.energy(t, m, old, plot, psum, stand.psum) : Energy{0};
    const bool moves = t != Tensor::weight || m != p_.innermost[index(t)];
    stand = {moves ? pending_.number({time, energy, departure.doubled}) : kPlaced, m, psum};
    const int s = old == kMac ? -1 : p_.shared_index[old];
    follow(from, state, nullptr, [&](L& label) {
      label.energy += departure.energy;
      if (s >= 0) label.more[static_cast<std::size_t>(s)] += departure.bits;
    });
  }

  // ---- loops

  void add_loops(std::uint32_t from) {
    const State state = groups_.state(from);
    for (const Stand& stand : state.stand) {
      if (stand.transfer == kLeaving) return;
    }
    if (groups_[from].labels.empty() || is_stopped(groups_[from].labels.size())) return;
    least_ = groups_[from].least();
    for (const Dim d : kAllDims) {
      if (position(d).steps.empty() || !may_follow(state, d)) continue;
      for (const FactorSteps::Step& step : position(d).steps) add_loop(from, state, d, step);
    }
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

  void add_loop(std::uint32_t from, const State& state, Dim d, const FactorSteps::Step& step) {
    const auto irrelevant = irrelevant_tensor(d);
    const bool waits = irrelevant && state.stand[index(*irrelevant)].transfer >= kFirstPending;
    if (!waits) return extend(from, state, d, step, false);
    // The transfer is given to this loop, which then is the outermost of its block; or it waits.
    extend(from, state, d, step, true);
    if (left_ > step.factor) extend(from, state, d, step, false);
  }

  void extend(std::uint32_t from, const State& state, Dim d, const FactorSteps::Step& step,
              bool give) {
    const Space::Dimension& dim = space_.dims[index(d)];
    State next = state;
    next.cell += dim.stride * static_cast<std::uint32_t>(step.to - at_position_[index(d)]);
    LoopStep loop;
    loop.factor = step.factor;
    Trace trace;
    trace.dim = static_cast<std::uint8_t>(index(d));
    trace.factor = step.factor;
    Energy energy = 0;
    for (const Tensor t : kAllTensors) {
      Stand& stand = next.stand[index(t)];
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
    follow(from, next, &trace, [&](L& label) {
      Rule::extend(label.times, loop);
      label.energy += energy;
      if (outlook_.numbers.has_ports()) occupy(label, state, loop);
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

  // ---- ends

  /// Counts labels that are about to be extended, and stops at limits.
  bool is_stopped(std::size_t labels) {
    outcome_.labels += labels;
    const std::uint64_t bytes =
        groups_.bytes() + traces_.size() * sizeof(Trace) + space_.bytes() + outlook_.bytes();
    outcome_.bytes = std::max(outcome_.bytes, bytes);
    stopped_ = outcome_.labels > limits_.labels || outcome_.bytes > limits_.bytes ||
               (limits_.stop && limits_.stop());
    return stopped_;
  }

  void finish(std::uint32_t cell) {
    const auto pending = [](const Stand& s) { return s.transfer >= kFirstPending; };
    for (const std::uint32_t g : groups_.at(cell)) {
      if (std::ranges::any_of(groups_.state(g).stand, pending)) continue;
      for (const L& label : groups_[g].labels) finish(groups_.state(g), label);
    }
    groups_.release(cell);
  }

  void finish(const State& state, L label) {
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
    const Time latency = outlook_.numbers.floor(label, Rule::latency(label.times, boot));
    const Int128 total = outlook_.with_energy ? p_.units.total(label.energy, latency) : Int128{0};
    if (!target_.admits(latency, total, cutoff_)) return;
    cutoff_ = target_.value(latency, total);
    outcome_.best = Found{cutoff_, latency, total, mapping_of(traces_, label.trace, p_, scheme_)};
  }

  const Problem& p_;
  const Scheme& scheme_;
  Space space_;
  const Target& target_;
  Outlook<Rule, More> outlook_;
  Wide cutoff_;
  const LabelLimits& limits_;
  bool symmetric_;
  PendingTable pending_;
  std::vector<CellFacts> facts_;  // of each cell
  GroupTable<Rule, More> groups_;
  std::vector<Trace> traces_;
  std::uint32_t cell_ = 0;
  std::int64_t left_ = 1;
  std::array<std::size_t, kDims> at_position_{};  // of the cell
  L least_;                                       // of the labels that are moved or extended
  bool stopped_ = false;
  SchemeOutcome outcome_;
};

}  // namespace pimbb::cim::mapper

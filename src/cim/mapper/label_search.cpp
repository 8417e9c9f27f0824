// Moves, loops, bounds and dominance.
#include "cim/mapper/label_search.hpp"

#include <algorithm>
#include <cassert>
#include <deque>
#include <tuple>
#include <type_traits>

#include "cim/mapper/cost_to_go.hpp"
#include "cim/mapper/group.hpp"
#include "cim/mapper/state.hpp"

namespace pimbb::cim::mapper {
namespace {

template <class Rule, std::size_t More>
class Search {
 public:
  using L = Label<More>;
  using G = Group<More>;
  using P = Prospect<More>;

  Search(const Problem& problem, const Scheme& scheme, const DimensionSteps& steps,
         const Target& target, const Wide& cutoff, const LabelLimits& limits)
      : p_(problem),
        scheme_(scheme),
        space_(problem, scheme, steps),
        to_go_(space_),
        target_(target),
        cutoff_(cutoff),
        limits_(limits),
        with_energy_(target.uses_energy()),
        symmetric_(is_symmetric(problem.architecture, problem.layer) &&
                   mirrored(scheme).spatial == scheme.spatial),
        facts_(facts_of(space_)),
        at_(space_.cells) {
    const Contention contention = problem.question.pricing.contention;
    ports_ = problem.shared.size();
    bus_index_.fill(-1);
    std::size_t next = ports_ + (contention == Contention::none ? 0 : 1);
    if (contention == Contention::bus) {
      for (std::size_t m = 0; m < problem.architecture.levels.size(); ++m) {
        const auto& stores = problem.architecture.levels[m].stores;
        if (stores[0] + stores[1] + stores[2] > 1) bus_index_[m] = static_cast<int>(next++);
      }
    }
    busy_end_ = next;
    assert(busy_end_ <= More);
  }

  SchemeOutcome run() {
    start();
    const std::uint32_t last = space_.cells - 1;
    for (std::uint32_t cell = 0; cell < last && !stopped_; ++cell) {
      if (at_[cell].empty()) continue;
      enter(cell);
      if (limits_.width > 0) keep_best(true);
      for (const Tensor t : {Tensor::weight, Tensor::input, Tensor::output}) move(t);
      if (limits_.width > 0) keep_best(false);
      for (std::size_t k = 0; k < at_[cell].size() && !stopped_; ++k) add_loops(at_[cell][k]);
      release(cell);
    }
    if (!stopped_) finish(last);
    outcome_.complete = !stopped_ && limits_.width == 0;
    outcome_.states = index_.size();
    return std::move(outcome_);
  }

 private:
  // ---- groups

  void start() {
    const State state;
    P prospect;
    L label;
    Rule::start(label.times, p_.units.product, space_.products);
    if (with_energy_) label.energy = space_.activations();
    if (!look_ahead(state, prospect)) return;
    groups_[open(state, prospect)].labels.push_back(label);
  }

  /// The group of a state, made if it is new.
  std::uint32_t open(const State& state, const P& prospect) {
    const std::uint32_t number = index_.number(state);
    if (number < groups_.size()) return number;
    groups_.emplace_back();
    groups_.back().prospect = prospect;
    at_[state.cell].push_back(number);
    return number;
  }

  /// Room and bounds of a state; false if it cannot be completed.
  bool look_ahead(const State& state, P& prospect) const {
    const CellFacts& facts = facts_[state.cell];
    prospect.left = facts.left;
    prospect.after_next = facts.after_next;
    for (const Tensor t : kAllTensors) {
      const Stand& stand = state.stand[index(t)];
      const std::uint32_t plot = facts.plot[index(t)];
      if (!look_for_room(t, stand, plot, prospect)) return false;
      ToGo rest = stand.transfer == kLeaving || stand.level == kMac
                      ? to_go_.leaving(t, stand.level, stand.psum, plot)
                      : to_go_.placed(t, stand.level, stand.psum, plot);
      if (rest.time >= kNever) return false;
      if (stand.transfer >= kFirstPending) {
        const Pending& pending = pending_[stand.transfer];
        rest.energy += pending.energy * to_go_.left(t, plot);
        rest.time += pending.time * to_go_.weight(t, plot, pending.hidden);
      }
      if (with_energy_) prospect.energy += rest.energy;
      prospect.time[index(t)] = rest.time;
    }
    for (std::size_t s = 0; s < p_.shared.size(); ++s) {
      if (prospect.need[s] > size(p_.shared[s])) return false;
    }
    return true;
  }

  bool look_for_room(Tensor t, const Stand& stand, std::uint32_t plot, P& prospect) const {
    for (std::size_t s = 0; s < p_.shared.size(); ++s) {
      const std::size_t m = p_.shared[s];
      if (!p_.architecture.levels[m].stores[index(t)]) continue;
      if (stand.level != kMac && stand.level > m) continue;
      const std::uint32_t whole = space_.plots[index(t)] - 1;
      const std::int64_t most =
          std::max(space_.data(t, m, whole, false), space_.data(t, m, whole, true));
      prospect.future[s] += most * (p_.may_double(m, t) ? 2 : 1);
    }
    if (stand.level == kMac || !p_.architecture.levels[stand.level].size_bits) return true;
    const std::int64_t bits =
        space_.data(t, stand.level, plot, stand.psum) * (p_.must_double(stand.level, t) ? 2 : 1);
    const std::int8_t s = p_.shared_index[stand.level];
    if (s < 0) return bits <= size(stand.level);
    prospect.need[static_cast<std::uint8_t>(s)] += bits;
    return true;
  }

  [[nodiscard]] std::int64_t size(std::size_t level) const {
    return *p_.architecture.levels[level].size_bits;
  }

  void enter(std::uint32_t cell) {
    cell_ = cell;
    left_ = facts_[cell].left;
    for (std::size_t j = 0; j < kDims; ++j) at_position_[j] = space_.position(cell, j);
  }

  [[nodiscard]] const FactorSteps::Position& position(Dim d) const {
    return space_.dims[index(d)].steps->positions[at_position_[index(d)]];
  }

  void release(std::uint32_t cell) {
    for (const std::uint32_t group : at_[cell]) {
      live_ -= groups_[group].labels.size();
      std::vector<L>().swap(groups_[group].labels);
    }
    std::vector<std::uint32_t>().swap(at_[cell]);
  }

  // ---- labels

  [[nodiscard]] Time latency_bound(const L& label, const P& prospect) const {
    const TensorTimes& x = label.times;
    Time bound = 0;
    if constexpr (std::is_same_v<Rule, Recursion>) {
      const Time all = prospect.left * x[4];
      const Time most = x[4] - x[0];  // of what exceeds A in the body
      bound = all - most + x[3] + std::max({x[1], x[2], x[3]});
      if (prospect.left > 1) {
        for (std::size_t t = 0; t < kTensors; ++t) {
          const Time lag = most - (t == 2 ? 2 : 1) * x[1 + t];
          const Time lost = lag * (lag > 0 ? prospect.after_next : 1);
          bound = std::max(bound, all - lost + (t == 2 ? 0 : x[3]) + prospect.time[t]);
        }
      }
    } else if constexpr (std::is_same_v<Rule, Table3>) {
      bound = std::max({x[0], x[1], x[2] + (prospect.left - 1) * x[3]});
    } else {
      bound = x[0];
    }
    for (std::size_t k = ports_; k < busy_end_; ++k) bound = std::max(bound, label.more[k]);
    return bound;
  }

  [[nodiscard]] bool may_improve(const L& label, const P& prospect) const {
    const Time latency = latency_bound(label, prospect);
    const Int128 total =
        with_energy_ ? p_.units.total(label.energy + prospect.energy, latency) : Int128{0};
    return target_.admits(latency, total, cutoff_);
  }

  /// Whether shared levels have room; and rule 3.
  bool settle_room(L& label, const P& prospect) const {
    for (std::size_t s = 0; s < p_.shared.size(); ++s) {
      const std::int64_t room = size(p_.shared[s]) - label.more[s];
      if (prospect.need[s] > room) return false;
      if (prospect.future[s] <= room) label.more[s] = 0;
    }
    return true;
  }

  /// Rule 1. Whether the label is kept.
  bool insert(G& group, const L& label) {
    std::vector<L>& labels = group.labels;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < labels.size(); ++k) {
      if (labels[k].dominates(label)) {
        assert(kept == k);  // none of an antichain is dominated by what one of it dominates
        if (k > 0) std::swap(labels[k], labels[k / 2]);
        return false;
      }
      if (!label.dominates(labels[k])) {
        if (kept != k) labels[kept] = labels[k];
        ++kept;
      }
    }
    live_ -= labels.size() - kept;
    labels.resize(kept);
    labels.push_back(label);
    ++live_;
    return true;
  }

  // ---- moves

  void move(Tensor t) {
    const std::size_t count = at_[cell_].size();
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t group = at_[cell_][k];
      const Stand stand = index_[group].stand[index(t)];
      if (stand.transfer >= kFirstPending || groups_[group].labels.empty()) continue;
      least_ = least_of(groups_[group].labels);
      for (const std::uint8_t m : p_.chain[index(t)]) {
        if (stand.level != kMac && m <= stand.level) continue;
        move_to(t, group, stand, m);
      }
    }
  }

  /// The least of every number: if even that leads nowhere, no label does.
  [[nodiscard]] static L least_of(const std::vector<L>& labels) {
    L least = labels.front();
    for (const L& label : labels) {
      for (std::size_t k = 0; k < kTimes; ++k) {
        least.times[k] = std::min(least.times[k], label.times[k]);
      }
      for (std::size_t k = 0; k < More; ++k) {
        least.more[k] = std::min(least.more[k], label.more[k]);
      }
      least.energy = std::min(least.energy, label.energy);
    }
    return least;
  }

  void move_to(Tensor t, std::uint32_t from, const Stand& stand, std::uint8_t m) {
    const std::uint32_t plot = facts_[cell_].plot[index(t)];
    if (stand.level == kMac) return arrive(t, from, m, {0, false, charged(t, m)});
    const std::int8_t s = p_.shared_index[stand.level];
    const std::int64_t bits = space_.data(t, stand.level, plot, stand.psum);
    const bool bounded = p_.architecture.levels[stand.level].size_bits.has_value();
    const bool twice = p_.may_double(stand.level, t) && (!bounded || 2 * bits <= size(stand.level));
    const bool free = std::is_same_v<Rule, Recursion> && s < 0;  // rule 2
    if (std::is_same_v<Rule, Floor> && !p_.must_double(stand.level, t)) {
      return arrive(t, from, m, {bits, false, 0});  // a copy takes room and hides nothing
    }
    if (twice) arrive(t, from, m, {2 * bits, true, 0});
    if (!p_.must_double(stand.level, t) && !(twice && free)) arrive(t, from, m, {bits, false, 0});
  }

  [[nodiscard]] Energy charged(Tensor t, std::uint8_t m) const {
    return with_energy_ && m != p_.innermost[index(t)] ? space_.charged(t) : 0;
  }

  struct Departure {        ///< what leaving a level means
    std::int64_t bits = 0;  // that are kept there from now on
    bool doubled = false;
    Energy energy = 0;
  };

  void arrive(Tensor t, std::uint32_t from, std::uint8_t m, const Departure& departure) {
    State state = index_[from];
    Stand& stand = state.stand[index(t)];
    const std::uint32_t plot = facts_[cell_].plot[index(t)];
    const bool psum = t == Tensor::output && facts_[cell_].reductions_left > 1;
    const std::uint8_t old = stand.level;
    const Time time = space_.time(t, m, old, plot, psum);
    const Energy energy =
        with_energy_ ? space_.energy(t, m, old, plot, psum, stand.psum) : Energy{0};
    const bool moves = t != Tensor::weight || m != p_.innermost[index(t)];
    stand = {moves ? pending_.number({time, energy, departure.doubled}) : kPlaced, m, psum};
    P prospect;
    if (!look_ahead(state, prospect)) return;
    const int s = old == kMac ? -1 : p_.shared_index[old];
    const auto change = [&](L& label) {
      label.energy += departure.energy;
      if (s >= 0) label.more[static_cast<std::size_t>(s)] += departure.bits;
      return settle_room(label, prospect) && may_improve(label, prospect);
    };
    L next = least_;
    if (!change(next)) return;
    G& group = groups_[open(state, prospect)];
    for (const L& label : groups_[from].labels) {
      next = label;
      ++outcome_.candidates;
      if (change(next)) insert(group, next);
    }
  }

  // ---- loops

  void add_loops(std::uint32_t from) {
    const State state = index_[from];
    for (const Stand& stand : state.stand) {
      if (stand.transfer == kLeaving) return;
    }
    if (groups_[from].labels.empty()) return;
    outcome_.labels += groups_[from].labels.size();
    if (outcome_.labels > limits_.labels || out_of_room() || (limits_.stop && limits_.stop())) {
      stopped_ = true;
      return;
    }
    least_ = least_of(groups_[from].labels);
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
    P prospect;
    if (!look_ahead(next, prospect)) return;
    const auto change = [&](L& label) {
      Rule::extend(label.times, loop);
      label.energy += energy;
      if (busy_end_ > ports_) occupy(label, state, loop);
      return settle_room(label, prospect) && may_improve(label, prospect);
    };
    L longer = least_;
    if (!change(longer)) return;
    G& group = groups_[open(next, prospect)];
    for (const L& label : groups_[from].labels) {
      longer = label;
      ++outcome_.candidates;
      if (!change(longer)) continue;
      trace.parent = label.trace;
      longer.trace = static_cast<std::uint32_t>(traces_.size());
      if (insert(group, longer)) traces_.push_back(trace);
    }
  }

  /// Ports of the transfers that a loop is given.
  void occupy(L& label, const State& state, const LoopStep& loop) const {
    for (const Tensor t : kAllTensors) {
      if (loop.move[index(t)] == 0) continue;
      add_busy(label, t, state.stand[index(t)].level, cost::ways(t) * left_ * loop.move[index(t)]);
    }
  }
  void add_busy(L& label, Tensor, std::size_t level, Time busy) const {
    label.more[ports_] = std::max(label.more[ports_], busy);
    if (bus_index_[level] >= 0) label.more[static_cast<std::size_t>(bus_index_[level])] += busy;
  }

  // ---- limits

  [[nodiscard]] std::uint64_t bytes() const {
    return live_ * sizeof(L) + traces_.size() * sizeof(Trace) +
           index_.size() * (sizeof(State) + 3 * sizeof(std::uint32_t) + sizeof(G)) +
           space_.bytes() + to_go_.bytes();
  }
  bool out_of_room() {
    outcome_.bytes = std::max(outcome_.bytes, bytes());
    return outcome_.bytes > limits_.bytes;
  }

  /// Keeps the labels of best bounds; those that must move first count only if `leaving`. Floating
  /// point only ranks them, and no proof follows.
  void keep_best(bool leaving) {
    struct Rank {
      double bound;
      std::uint32_t group;
      std::uint32_t label;
      bool operator<(const Rank& o) const {
        return std::tie(bound, group, label) < std::tie(o.bound, o.group, o.label);
      }
    };
    std::vector<Rank> ranks;
    for (const std::uint32_t g : at_[cell_]) {
      const G& group = groups_[g];
      const auto& stand = index_[g].stand;
      const auto leaves = [](const Stand& s) { return s.transfer == kLeaving; };
      if (!leaving && std::ranges::any_of(stand, leaves)) {
        continue;
      }
      for (std::uint32_t k = 0; k < group.labels.size(); ++k) {
        const L& label = group.labels[k];
        const Time latency = latency_bound(label, group.prospect);
        const Int128 total = with_energy_
                                 ? p_.units.total(label.energy + group.prospect.energy, latency)
                                 : Int128{0};
        ranks.push_back({target_.value(latency, total).to_double(), g, k});
      }
    }
    if (ranks.size() <= limits_.width) return;
    std::nth_element(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(limits_.width),
                     ranks.end());
    ranks.resize(limits_.width);
    std::ranges::sort(ranks, [](const Rank& a, const Rank& b) {
      return std::tie(a.group, a.label) < std::tie(b.group, b.label);
    });
    std::size_t r = 0;
    for (const std::uint32_t g : at_[cell_]) sorted_.push_back(g);
    std::ranges::sort(sorted_);
    for (const std::uint32_t g : sorted_) {
      std::vector<L> kept;
      for (; r < ranks.size() && ranks[r].group == g; ++r) {
        kept.push_back(groups_[g].labels[ranks[r].label]);
      }
      live_ -= groups_[g].labels.size() - kept.size();
      groups_[g].labels = std::move(kept);
    }
    sorted_.clear();
  }

  // ---- ends

  void finish(std::uint32_t cell) {
    for (const std::uint32_t g : at_[cell]) {
      const State& state = index_[g];
      const auto pending = [](const Stand& s) { return s.transfer >= kFirstPending; };
      if (std::ranges::any_of(state.stand, pending)) continue;
      for (const L& label : groups_[g].labels) finish(state, label);
    }
    release(cell);
  }

  void finish(const State& state, L label) {
    const std::size_t dram = p_.architecture.dram();
    PerTensor<Time> boot{};
    for (const Tensor t : kAllTensors) {
      const Stand& stand = state.stand[index(t)];
      if (stand.level == dram) continue;
      boot[index(t)] = space_.boot[index(t)];
      if (busy_end_ > ports_) add_busy(label, t, dram, cost::ways(t) * boot[index(t)]);
      if (!with_energy_) continue;
      const std::uint32_t whole = space_.plots[index(t)] - 1;
      label.energy += space_.boot_energy[index(t)] +
                      Energy{space_.data(t, stand.level, whole, stand.psum)} *
                          space_.unrolling.at(t, stand.level).instances *
                          cost::bit_costs(p_.architecture, p_.units, t, stand.level).in;
    }
    Time latency = Rule::latency(label.times, boot);
    for (std::size_t k = ports_; k < busy_end_; ++k) latency = std::max(latency, label.more[k]);
    const Int128 total = with_energy_ ? p_.units.total(label.energy, latency) : Int128{0};
    if (!target_.admits(latency, total, cutoff_)) return;
    cutoff_ = target_.value(latency, total);
    outcome_.best = Found{cutoff_, latency, total, mapping_of(traces_, label.trace, p_, scheme_)};
  }

  const Problem& p_;
  const Scheme& scheme_;
  Space space_;
  CostToGo to_go_;
  const Target& target_;
  Wide cutoff_;
  const LabelLimits& limits_;
  bool with_energy_;
  bool symmetric_;
  std::size_t ports_ = 0;     // first of the label's numbers about ports
  std::size_t busy_end_ = 0;  // and their end
  std::array<int, kMaxLevels> bus_index_{};
  PendingTable pending_;
  StateIndex index_;
  std::deque<G> groups_;                        // by number of state
  std::vector<CellFacts> facts_;                // of each cell
  std::vector<std::vector<std::uint32_t>> at_;  // groups of each cell
  std::vector<std::uint32_t> sorted_;
  std::vector<Trace> traces_;
  std::uint64_t live_ = 0;  // labels in memory
  std::uint32_t cell_ = 0;
  std::int64_t left_ = 1;
  std::array<std::size_t, kDims> at_position_{};  // of the cell
  L least_;                                       // of the labels that are moved or extended
  bool stopped_ = false;
  SchemeOutcome outcome_;
};

/// A scheme without loops has one mapping.
SchemeOutcome only_mapping(const Problem& p, const Scheme& scheme, const Target& target,
                           const Wide& cutoff) {
  Found found;
  found.mapping.spatial = scheme.spatial;
  found.mapping.doubled.assign(p.architecture.levels.size(), TensorFlags{});
  const Workload layer = padded(p.layer, p.question.pricing.padding, found.mapping.unrolled());
  const cost::Nest nest(p.architecture, p.units, layer, p.elements, found.mapping);
  const Semantics semantics = p.question.pricing.semantics;
  found.latency = semantics == Semantics::simulator ? p.units.product  // Floor
                                                    : cost::latency(nest, semantics);
  const cost::Busy busy = cost::busy(nest, p.question.pricing.semantics);
  found.latency =
      std::max(found.latency, cost::contention_floor(nest, busy, p.question.pricing.contention));
  const Energy dynamic = cost::dynamic_energy(nest);
  found.total = p.units.total(dynamic, found.latency);
  SchemeOutcome outcome;
  outcome.complete = true;
  outcome.labels = outcome.candidates = outcome.states = 1;
  if (target.admits(found.latency, found.total, cutoff)) {
    found.value = target.value(found.latency, found.total);
    outcome.best = std::move(found);
  }
  return outcome;
}

template <class Rule>
SchemeOutcome search_with(const Problem& p, const Scheme& scheme, const DimensionSteps& steps,
                          const Target& target, const Wide& cutoff, const LabelLimits& limits) {
  const std::size_t levels = p.architecture.levels.size();
  const Contention contention = p.question.pricing.contention;
  const std::size_t more = p.shared.size() + (contention == Contention::none ? 0 : 1) +
                           (contention == Contention::bus ? levels : 0);
  if (more <= 1) return Search<Rule, 1>(p, scheme, steps, target, cutoff, limits).run();
  return Search<Rule, 2 * kMaxLevels + 1>(p, scheme, steps, target, cutoff, limits).run();
}

}  // namespace

SchemeOutcome search_scheme(const Problem& problem, const Scheme& scheme,
                            const DimensionSteps& steps, const Target& target, const Wide& cutoff,
                            const LabelLimits& limits) {
  const bool loops = std::ranges::any_of(scheme.extents, [](std::int64_t e) { return e > 1; });
  if (!loops) return only_mapping(problem, scheme, target, cutoff);
  if (problem.question.pricing.semantics == Semantics::table3) {
    return search_with<Table3>(problem, scheme, steps, target, cutoff, limits);
  }
  if (problem.question.pricing.semantics == Semantics::simulator) {
    return search_with<Floor>(problem, scheme, steps, target, cutoff, limits);
  }
  return search_with<Recursion>(problem, scheme, steps, target, cutoff, limits);
}

}  // namespace pimbb::cim::mapper

// Labels with dominance, bounds backwards, entries without dominance.
#include "cim/answers/class_search.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "cim/answers/class_keys.hpp"
#include "cim/answers/class_text.hpp"
#include "cim/cost/nest.hpp"
#include "cim/mapper/group_table.hpp"
#include "cim/mapper/nest_walk.hpp"

namespace pimbb::cim::classes {
namespace {

using mapper::kFirstPending;
using mapper::kLeaving;
using mapper::kMac;
using mapper::Stand;
using mapper::State;
using mapper::Time;
using mapper::Trace;

/// The least of all completions within the cutoff.
struct Least {
  Time latency = 0;
  Int128 total = 0;
  Wide value;  ///< of the first goal

  void take(const Least& other) {
    latency = std::min(latency, other.latency);
    total = std::min(total, other.total);
    value = std::min(value, other.value);
  }
};

/// The cost of a class, goal after goal.
ClassCost cost_of(const std::vector<mapper::Target>& targets, Time latency, Int128 total) {
  ClassCost cost;
  for (std::size_t g = 0; g < targets.size(); ++g) {
    cost.value[g] = targets[g].value(latency, total);
  }
  return cost;
}

/// Nests by their loops.
class Traces {
 public:
  std::uint32_t add(Trace loop, std::uint32_t inside) {
    loop.parent = inside;
    all_.push_back(loop);
    return static_cast<std::uint32_t>(all_.size() - 1);
  }
  /// Whether nest a comes before nest b: fewer loops, or else the first different loop from inside
  /// is less.
  [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) {
    if (a == b) return false;
    collect(a, a_);
    collect(b, b_);
    if (a_.size() != b_.size()) return a_.size() < b_.size();
    for (std::size_t k = a_.size(); k-- > 0;) {
      if (a_[k] == b_[k]) continue;
      const auto order = [](const Trace& t) {
        return std::tuple(t.dim, t.factor, t.level, t.hidden);
      };
      const auto of_a = order(all_[a_[k]]);
      const auto of_b = order(all_[b_[k]]);
      if (of_a != of_b) return of_a < of_b;
    }
    return false;
  }
  [[nodiscard]] const std::vector<Trace>& all() const { return all_; }

 private:
  void collect(std::uint32_t nest, std::vector<std::uint32_t>& loops) const {
    loops.clear();
    for (; nest != mapper::kNoTrace; nest = all_[nest].parent) loops.push_back(nest);
  }
  std::vector<Trace> all_;
  std::vector<std::uint32_t> a_, b_;
};

template <class Rule, std::size_t More>
class ClassSearch {
 public:
  using L = mapper::Label<More>;
  using P = mapper::Prospect<More>;

  ClassSearch(const ClassQuestion& question, const mapper::Scheme& scheme,
              const mapper::DimensionSteps& steps, const mapper::LabelLimits& limits,
              BestClasses& best)
      : question_(question),
        p_(question.problem),
        scheme_(scheme),
        limits_(limits),
        best_(best),
        walk_(p_, scheme, steps, question.target, mapper::Walked::all),
        groups_(walk_.space().cells, {}),
        last_(walk_.space().cells - 1),
        keys_(std::is_same_v<Rule, mapper::Recursion>) {}

  ClassOutcome run() {
    set_labels();
    if (!stopped_) bound_backwards();
    if (!stopped_) list_entries();
    outcome_.complete = !stopped_;
    outcome_.states = groups_.size();
    return outcome_;
  }

 private:
  /// Nests in the same state with the same key.
  struct Entry {
    L label;  ///< its trace is the first of the nests
    KeyNumber key = kNoLoops;
    UInt128 members = 1;
  };

  // ---- labels with dominance

  void set_labels() {
    P prospect;
    if (!walk_.look_ahead({}, prospect)) return;
    L first = walk_.first_label();
    if (!stays(first, prospect)) return;
    groups_.insert(groups_[groups_.open({}, prospect)], first);
    for (std::uint32_t cell = 0; cell < last_ && !stopped_; ++cell) {
      if (groups_.at(cell).empty()) continue;
      walk_.enter(cell);
      for (const Tensor t : mapper::kMoveOrder) {
        const std::size_t count = groups_.at(cell).size();
        for (std::size_t k = 0; k < count && !stopped_; ++k) {
          const std::uint32_t from = groups_.at(cell)[k];
          const State state = groups_.state(from);
          if (state.stand[index(t)].transfer >= kFirstPending) continue;
          walk_.moves(t, state, [&](const State& next, const Trace*, const auto& change) {
            extend_labels(from, next, change);
          });
        }
      }
      for (std::size_t k = 0; k < groups_.at(cell).size() && !stopped_; ++k) {
        const std::uint32_t from = groups_.at(cell)[k];
        const State state = groups_.state(from);
        if (is_stopped(groups_[from].labels.size())) return;
        walk_.loops(state, [&](const State& next, const Trace*, const auto& change) {
          extend_labels(from, next, change);
        });
      }
    }
  }

  [[nodiscard]] bool stays(L& label, const P& prospect) const {
    return walk_.outlook().settle_room(label, prospect) &&
           walk_.outlook().may_improve(label, prospect, question_.cutoff);
  }

  template <class Change>
  void extend_labels(std::uint32_t from, const State& state, const Change& change) {
    P prospect;
    if (groups_[from].labels.empty() || !walk_.look_ahead(state, prospect)) return;
    L next = groups_[from].least();
    change(next);
    if (!stays(next, prospect)) return;
    auto& group = groups_[groups_.open(state, prospect)];
    for (const L& label : groups_[from].labels) {
      if (is_time_to_stop()) return;
      next = label;
      change(next);
      ++outcome_.candidates;
      if (stays(next, prospect)) groups_.insert(group, next);
    }
  }

  // ---- bounds backwards

  void bound_backwards() {
    least_.resize(groups_.size());
    for (std::uint32_t cell = last_ + 1; cell-- > 0;) {
      walk_.enter(cell);
      for (std::size_t rank = kRanks; rank-- > 0;) {
        for (const std::uint32_t g : groups_.at(cell)) {
          const State state = groups_.state(g);
          if (rank_of(state) != rank || groups_[g].labels.empty()) continue;
          if (is_stopped(groups_[g].labels.size())) return;
          bound_group(g, state);
        }
      }
    }
  }

  /// A move leads to a state of higher rank.
  static constexpr std::size_t kRanks = 2 * kTensors + 1;
  static std::size_t rank_of(const State& state) {
    std::size_t rank = 0;
    for (const Stand& stand : state.stand) {
      rank += stand.transfer >= kFirstPending ? 2 : stand.level == kMac ? 0 : 1;
    }
    return rank;
  }

  void bound_group(std::uint32_t g, const State& state) {
    const std::vector<L>& labels = groups_[g].labels;
    std::vector<std::optional<Least>>& least = least_[g];
    least.resize(labels.size());
    least_count_ += labels.size();
    const auto take = [&](std::size_t k, const std::optional<Least>& other) {
      if (!other) return;
      if (least[k]) {
        least[k]->take(*other);
      } else {
        least[k] = other;
      }
    };
    if (state.cell == last_) {
      if (!walk_.may_end(state)) return;
      for (std::size_t k = 0; k < labels.size(); ++k) take(k, end_within(state, labels[k]));
      return;
    }
    const auto follow = [&](const State& next, const Trace*, const auto& change) {
      const std::optional<std::uint32_t> to = groups_.find(next);
      if (!to) return;
      for (std::size_t k = 0; k < labels.size(); ++k) {
        if (is_time_to_stop()) return;
        L label = labels[k];
        change(label);
        take(k, bound_of(label, *to));
      }
    };
    for (const Tensor t : mapper::kMoveOrder) {
      if (state.stand[index(t)].transfer < kFirstPending) walk_.moves(t, state, follow);
    }
    walk_.loops(state, follow);
  }

  /// The cost of a complete nest; nothing if it is beyond the cutoff.
  [[nodiscard]] std::optional<Least> end_within(const State& state, const L& label) const {
    const auto end = walk_.end(state, label);
    if (!question_.target.admits(end.latency, end.total, question_.cutoff)) return std::nullopt;
    return Least{end.latency, end.total, question_.target.value(end.latency, end.total)};
  }

  /// Of the completions of a label of group `g` that are within the cutoff; nothing if there are
  /// none. Settles its room.
  [[nodiscard]] std::optional<Least> bound_of(L& label, std::uint32_t g) {
    const auto& group = groups_[g];
    const P& prospect = group.prospect;
    const auto& outlook = walk_.outlook();
    if (group.labels.empty() || !outlook.settle_room(label, prospect)) return std::nullopt;
    Least bound;
    bound.latency = outlook.latency_bound(label, prospect);
    bound.total = outlook.total_bound(label, prospect, bound.latency);
    bound.value = question_.target.value(bound.latency, bound.total);
    if (!is_within(bound)) return std::nullopt;
    for (std::size_t k = 0; k < group.labels.size(); ++k) {
      const L& x = group.labels[k];
      if (!group.covers(x, label, {})) continue;  // claim 2
      const std::optional<Least>& least = least_[g][k];
      if (!least) return std::nullopt;
      const Time later =
          outlook.numbers.has_ports() ? 0 : -Rule::delay(x.times, label.times, prospect.ahead).each;
      raise(bound, *least, later, label.energy - x.energy);
      if (!is_within(bound)) return std::nullopt;
    }
    return bound;
  }

  [[nodiscard]] bool is_within(const Least& bound) const {
    return bound.value < question_.cutoff &&
           question_.target.admits(bound.latency, bound.total, question_.cutoff);
  }

  /// Completions end `later` than those of `least`, and take so much more dynamic energy.
  void raise(Least& bound, const Least& least, Time later, mapper::Energy excess) const {
    const mapper::Target& target = question_.target;
    const Int128 more = walk_.outlook().with_energy ? p_.units.total(excess, later) : Int128{0};
    bound.latency = std::max(bound.latency, least.latency + later);
    bound.total = std::max(bound.total, least.total + more);
    Wide value = least.value;
    if (target.goal() == Goal::edp) {
      value = value + Wide::product(later, least.total) + Wide::product(more, least.latency) +
              Wide::product(later, more);
    } else {
      value = value + target.value(later, more);
    }
    bound.value = std::max({bound.value, value, target.value(bound.latency, bound.total)});
  }

  // ---- entries without dominance

  void list_entries() {
    if (groups_.size() == 0 || groups_[0].labels.empty()) return;
    entries_.resize(groups_.size());
    entries_[0].push_back({walk_.first_label()});
    for (std::uint32_t cell = 0; cell < last_ && !stopped_; ++cell) {
      const std::vector<std::uint32_t>& here = groups_.at(cell);
      if (here.empty()) continue;
      walk_.enter(cell);
      for (const Tensor t : mapper::kMoveOrder) {
        std::vector<std::size_t> counts;  // what comes in addition has moved
        for (const std::uint32_t g : here) counts.push_back(entries_[g].size());
        for (std::size_t k = 0; k < here.size() && !stopped_; ++k) {
          const State state = groups_.state(here[k]);
          if (state.stand[index(t)].transfer >= kFirstPending) continue;
          walk_.moves(t, state, [&](const State& next, const Trace* loop, const auto& change) {
            extend_entries(here[k], counts[k], state, next, loop, change);
          });
        }
      }
      for (std::size_t k = 0; k < here.size() && !stopped_; ++k) {
        const State state = groups_.state(here[k]);
        if (is_stopped(entries_[here[k]].size())) return;
        walk_.loops(state, [&](const State& next, const Trace* loop, const auto& change) {
          extend_entries(here[k], entries_[here[k]].size(), state, next, loop, change);
        });
      }
      for (const std::uint32_t g : here) release(g);
    }
    if (stopped_) return;
    for (const std::uint32_t g : groups_.at(last_)) finish(g);
  }

  void release(std::uint32_t g) {
    entry_count_ -= entries_[g].size();
    std::vector<Entry>().swap(entries_[g]);
    places_.erase(g);
  }

  template <class Change>
  void extend_entries(std::uint32_t from, std::size_t count, const State& state, const State& next,
                      const Trace* loop, const Change& change) {
    if (count == 0) return;
    const std::optional<std::uint32_t> to = groups_.find(next);
    if (!to) return;
    for (std::size_t k = 0; k < count; ++k) {
      const Entry& entry = entries_[from][k];
      if (is_time_to_stop()) return;
      ++outcome_.candidates;
      Entry changed = entry;
      change(changed.label);
      if (!bound_of(changed.label, *to)) continue;
      if (loop != nullptr) {
        changed.key = key_of(entry.key, state, next, *loop);
        changed.label.trace = traces_.add(*loop, entry.label.trace);
      }
      add_entry(*to, std::move(changed));
    }
  }

  /// The key with one more loop, which leads from a state to the next.
  KeyNumber key_of(KeyNumber inside, const State& state, const State& next, const Trace& loop) {
    PerTensor<std::uint32_t> transfers{};
    bool carries = false;
    bool hides = false;
    for (const Tensor t : kAllTensors) {
      const std::uint32_t transfer = state.stand[index(t)].transfer;
      if (transfer < kFirstPending || next.stand[index(t)].transfer >= kFirstPending) continue;
      carries = true;
      transfers[index(t)] = transfer;
      hides = hides || (t != Tensor::output && walk_.pending()[transfer].hidden);
    }
    return carries ? keys_.with_carrier(inside, loop.factor, transfers, hides)
                   : keys_.with_run(inside, loop.factor);
  }

  void add_entry(std::uint32_t g, Entry entry) {
    std::vector<Entry>& all = entries_[g];
    const auto [place, is_new] = places_[g].try_emplace(entry.key, all.size());
    if (is_new) {
      ++entry_count_;
      all.push_back(std::move(entry));
      return;
    }
    Entry& known = all[place->second];
    known.members = pimbb::answers::counted(known.members, entry.members);
    if (traces_.before(entry.label.trace, known.label.trace)) {
      known.label.trace = entry.label.trace;
    }
  }

  void finish(std::uint32_t g) {
    const State state = groups_.state(g);
    if (!walk_.may_end(state)) return;
    for (const Entry& entry : entries_[g]) {
      if (is_time_to_stop()) return;
      const auto end = walk_.end(state, entry.label);
      if (!question_.target.admits(end.latency, end.total, question_.cutoff)) continue;
      const ClassCost cost = cost_of(question_.targets, end.latency, end.total);
      const UInt128 members =
          pimbb::answers::multiplied(entry.members, outermost_flags(state, entry.label));
      best_.add(cost, {1, members}, [&](const auto& offer) {
        const Mapping mapping = mapper::mapping_of(traces_.all(), entry.label.trace, p_, scheme_);
        offer(class_text(p_.architecture, mapping), [&] { return FoundClass{mapping, members}; });
      });
    }
  }

  /// In how many ways the tiles outside which there is no loop of their tensor can be doubled: no
  /// transfer goes there, but the copies must fit.
  [[nodiscard]] UInt128 outermost_flags(const State& state, const L& label) const {
    UInt128 ways = 0;
    for (unsigned doubled = 0; doubled < 1U << kTensors; ++doubled) {
      ways += may_be_doubled(state, label, doubled) ? 1 : 0;
    }
    return ways;
  }

  [[nodiscard]] bool may_be_doubled(const State& state, const L& label, unsigned doubled) const {
    std::array<std::int64_t, kMaxLevels> bits{};
    for (const Tensor t : kAllTensors) {
      const Stand& stand = state.stand[index(t)];
      const bool twice = (doubled >> index(t) & 1U) != 0;
      if (twice ? !p_.may_double(stand.level, t) : p_.must_double(stand.level, t)) return false;
      const std::uint32_t whole = walk_.space().plots[index(t)] - 1;
      bits[stand.level] += walk_.space().data(t, stand.level, whole, stand.psum) * (twice ? 2 : 1);
    }
    for (std::size_t m = 0; m < p_.architecture.levels.size(); ++m) {
      if (bits[m] == 0 || !p_.architecture.levels[m].size_bits) continue;
      const std::int8_t s = p_.shared_index[m];
      const std::int64_t committed = s < 0 ? 0 : label.more[static_cast<std::uint8_t>(s)];
      if (bits[m] > walk_.outlook().size(m) - committed) return false;
    }
    return true;
  }

  // ---- limits

  /// Between two looks at the limits.
  static constexpr std::uint64_t kStepsAtOnce = 2048;
  bool is_time_to_stop() { return stopped_ || (++steps_ % kStepsAtOnce == 0 && is_stopped(0)); }

  bool is_stopped(std::size_t labels) {
    outcome_.labels += labels;
    const std::uint64_t bytes = groups_.bytes() + least_count_ * sizeof(std::optional<Least>) +
                                traces_.all().size() * sizeof(Trace) + walk_.bytes() +
                                entry_count_ * (sizeof(Entry) + 48) + keys_.bytes();
    outcome_.bytes = std::max(outcome_.bytes, bytes);
    stopped_ = outcome_.labels > limits_.labels || outcome_.bytes > limits_.bytes ||
               (limits_.stop && limits_.stop());
    return stopped_;
  }

  const ClassQuestion& question_;
  const mapper::Problem& p_;
  const mapper::Scheme& scheme_;
  const mapper::LabelLimits& limits_;
  BestClasses& best_;
  mapper::NestWalk<Rule, More> walk_;
  mapper::GroupTable<Rule, More> groups_;
  std::uint32_t last_;  // cell
  ClassKeys keys_;
  Traces traces_;
  std::vector<std::vector<std::optional<Least>>> least_;  // by group and label
  std::vector<std::vector<Entry>> entries_;               // by group
  std::unordered_map<std::uint32_t, std::unordered_map<KeyNumber, std::size_t>> places_;
  std::uint64_t least_count_ = 0;
  std::uint64_t entry_count_ = 0;
  std::uint64_t steps_ = 0;
  bool stopped_ = false;
  ClassOutcome outcome_;
};

/// A scheme without loops has one mapping.
ClassOutcome only_class(const ClassQuestion& question, const mapper::Scheme& scheme,
                        const mapper::DimensionSteps& steps, const mapper::LabelLimits& limits,
                        BestClasses& best) {
  const mapper::SchemeOutcome found = mapper::search_scheme(
      question.problem, scheme, steps, question.target, question.cutoff, limits);
  if (found.best) {
    const ClassCost cost = cost_of(question.targets, found.best->latency, found.best->total);
    best.add(cost, {1, 1}, [&](const auto& offer) {
      offer(class_text(question.problem.architecture, found.best->mapping), [&] {
        return FoundClass{found.best->mapping, 1};
      });
    });
  }
  return {true, 1, 1, 1, 0};
}

template <class Rule>
ClassOutcome search_with(const ClassQuestion& question, const mapper::Scheme& scheme,
                         const mapper::DimensionSteps& steps, const mapper::LabelLimits& limits,
                         BestClasses& best) {
  if (mapper::LabelNumbers(question.problem).count() <= 1) {
    return ClassSearch<Rule, 1>(question, scheme, steps, limits, best).run();
  }
  return ClassSearch<Rule, 2 * kMaxLevels + 1>(question, scheme, steps, limits, best).run();
}

}  // namespace

ClassOutcome search_classes(const ClassQuestion& question, const mapper::Scheme& scheme,
                            const mapper::DimensionSteps& steps, const mapper::LabelLimits& limits,
                            BestClasses& best) {
  const bool loops = std::ranges::any_of(scheme.extents, [](std::int64_t e) { return e > 1; });
  if (!loops) return only_class(question, scheme, steps, limits, best);
  if (question.problem.question.pricing.semantics == Semantics::table3) {
    return search_with<mapper::Table3>(question, scheme, steps, limits, best);
  }
  return search_with<mapper::Recursion>(question, scheme, steps, limits, best);
}

}  // namespace pimbb::cim::classes

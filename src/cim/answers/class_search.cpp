// Entries without dominance, along all steps, pruned by what dominating labels lead to.
#include "cim/answers/class_search.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "cim/answers/class_bounds.hpp"
#include "cim/answers/class_effort.hpp"
#include "cim/answers/class_keys.hpp"
#include "cim/answers/class_text.hpp"
#include "cim/cost/nest.hpp"

namespace pimbb::cim::classes {
namespace {

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
  void drop_last() { all_.pop_back(); }
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
        best_(best),
        effort_(limits, [this] { return bytes(); }),
        bounds_(question, scheme, steps, effort_),
        walk_(bounds_.walk()),
        groups_(bounds_.groups()),
        last_(walk_.space().cells - 1),
        keys_(std::is_same_v<Rule, mapper::Recursion>) {}

  ClassOutcome run() {
    bounds_.run();
    if (!effort_.stopped()) list_entries();
    return effort_.outcome(groups_.size());
  }

 private:
  /// Nests in the same state with the same key.
  struct Entry {
    L label;  ///< its trace is the first of the nests
    KeyNumber key = kNoLoops;
    UInt128 members = 1;
  };

  // ---- entries without dominance

  void list_entries() {
    if (!bounds_.is_possible()) return;
    entries_.resize(groups_.size());
    entries_[0].push_back({walk_.first_label()});
    for (std::uint32_t cell = 0; cell < last_ && !effort_.stopped(); ++cell) {
      const std::vector<std::uint32_t>& here = groups_.at(cell);
      if (here.empty()) continue;
      walk_.enter(cell);
      for (const Tensor t : mapper::kMoveOrder) move_entries(here, t);
      for (std::size_t k = 0; k < here.size() && !effort_.stopped(); ++k) add_loops(here[k]);
      for (const std::uint32_t g : here) release(g);
    }
    if (effort_.stopped()) return;
    for (const std::uint32_t g : groups_.at(last_)) finish(g);
  }

  void move_entries(const std::vector<std::uint32_t>& here, Tensor t) {
    std::vector<std::size_t> counts;  // what comes in addition has moved
    for (const std::uint32_t g : here) counts.push_back(entries_[g].size());
    for (std::size_t k = 0; k < here.size() && !effort_.stopped(); ++k) {
      const State state = groups_.state(here[k]);
      if (state.stand[index(t)].transfer >= kFirstPending) continue;
      walk_.moves(t, state, [&](const State& next, const Trace* loop, const auto& change) {
        extend_entries(here[k], counts[k], state, next, loop, change);
      });
    }
  }

  void add_loops(std::uint32_t from) {
    const State state = groups_.state(from);
    const std::size_t count = entries_[from].size();
    if (effort_.is_stopped(count)) return;
    walk_.loops(state, [&](const State& next, const Trace* loop, const auto& change) {
      extend_entries(from, count, state, next, loop, change);
    });
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
      if (effort_.is_time_to_stop()) return;
      effort_.count_candidate();
      Entry changed = entry;
      change(changed.label);
      if (!bounds_.bound_of(changed.label, *to)) continue;
      if (loop != nullptr) {
        changed.key = key_of(entry.key, state, next, *loop);
        changed.label.trace = traces_.add(*loop, entry.label.trace);
      }
      if (!add_entry(*to, changed) && loop != nullptr) traces_.drop_last();
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

  /// Whether the trace is kept.
  bool add_entry(std::uint32_t g, const Entry& entry) {
    std::vector<Entry>& all = entries_[g];
    const auto [place, is_new] = places_[g].try_emplace(entry.key, all.size());
    if (is_new) {
      ++entry_count_;
      all.push_back(entry);
      return true;
    }
    Entry& known = all[place->second];
    known.members = pimbb::answers::counted(known.members, entry.members);
    if (!traces_.before(entry.label.trace, known.label.trace)) return false;
    known.label.trace = entry.label.trace;
    return true;
  }

  void finish(std::uint32_t g) {
    const State state = groups_.state(g);
    if (!walk_.may_end(state)) return;
    for (const Entry& entry : entries_[g]) {
      if (effort_.is_time_to_stop()) return;
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

  [[nodiscard]] std::uint64_t bytes() const {
    return bounds_.bytes() + traces_.all().size() * sizeof(Trace) +
           entry_count_ * (sizeof(Entry) + 48) + keys_.bytes();
  }

  const ClassQuestion& question_;
  const mapper::Problem& p_;
  const mapper::Scheme& scheme_;
  BestClasses& best_;
  ClassEffort effort_;
  CompletionBounds<Rule, More> bounds_;
  mapper::NestWalk<Rule, More>& walk_;
  mapper::GroupTable<Rule, More>& groups_;
  std::uint32_t last_;  // cell
  ClassKeys keys_;
  Traces traces_;
  std::vector<std::vector<Entry>> entries_;  // by group
  std::unordered_map<std::uint32_t, std::unordered_map<KeyNumber, std::size_t>> places_;
  std::uint64_t entry_count_ = 0;
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

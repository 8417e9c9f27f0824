// The optimum first, then all classes that are good enough: storage choice after storage choice,
// arrivals by ascending bounds, in rounds.
//
// A round takes some arrivals and searches each of them completely, in parallel; all of them begin
// with the cutoff of the round before. What they find is merged in their order. Neither the list
// nor the counts depend on the order, and the rounds do not depend on the number of threads, so
// that a limit of nodes repeats exactly too.
#include <algorithm>
#include <span>
#include <stdexcept>

#include "answers/top_range.hpp"
#include "dram_pim/answers/class_search.hpp"
#include "dram_pim/answers/class_text.hpp"
#include "dram_pim/solver/confines.hpp"
#include "dram_pim/solver/make_row_pricing.hpp"
#include "dram_pim/solver/progress_pace.hpp"
#include "exact/rational_impl.hpp"
#include "pimbb/dram_pim/top.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/on_threads.hpp"
#include "run/parallel_for.hpp"
#include "run/threads.hpp"

namespace pimbb::dram_pim {
namespace answers {
namespace {

Rational to_rational(UInt128 count) {
  using namespace boost::multiprecision;
  return make_rational(cpp_rational(cpp_int(count)));
}

ClassCount count_of(const pimbb::answers::Tally& tally) {
  return {tally.classes, to_rational(tally.members)};
}

/// Limits and consumption of the search for classes, after that for the optimum.
struct Spending {
  Spending(const RunLimits& limits, std::uint64_t nodes_left)
      : clock(limits), account(limits.memory_limit), nodes(nodes_left) {}
  [[nodiscard]] run::Guard guard() {
    return {[this] { return clock.stopped(); }, account.room(), account.used(),
            [this](std::uint64_t bytes) { account.note(bytes); }};
  }
  run::Clock clock;
  run::Account account;
  std::uint64_t nodes;  ///< left
};

class TopSearch {
 public:
  TopSearch(const Architecture& a, const Workload& w, const Question& question,
            const TopRange& range, const RunLimits& limits, const Solution& optimum)
      : a_(a),
        question_(question),
        range_(range),
        limits_(limits),
        optimum_(optimum),
        confines_(mapper::confines_of(a, w, question)),
        spending_(rest_of(limits, optimum.seconds),
                  limits.node_limit
                      ? *limits.node_limit - std::min(*limits.node_limit, optimum.nodes)
                      : run::kUnlimited),
        guard_(spending_.guard()),
        instance_(a, w, question.row_model, confines_, mapper::make_scale(a, w), guard_),
        memory_(spending_.account.hold(instance_.bytes())),
        list_memory_(spending_.account.hold(list_bytes(range.most))),
        pricing_(mapper::make_row_pricing(instance_, spending_.account.room())),
        seams_(std::min(spending_.account.room() / 8, kSeamBytes)),
        reuse_(instance_.orders, a.levels.size()),
        menu_(instance_, confines_.layouts),
        targets_(make_targets()),
        best_(range.most, limit(), !range.within),
        pace_(limits.timeless) {}

  void run(TopClasses& top) {
    std::optional<ClassCost> open;
    try {
      open = search_all();
    } catch (const run::Stopped&) {
      open = ClassCost{};
    }
    top.nodes += nodes_;
    top.memory = std::max(top.memory, spending_.account.peak());
    top.optimal = count_of(best_.least());
    top.tied = best_.tied();
    if (range_.within) top.within = count_of(best_.all());
    for (const auto& [key, found] : best_.list()) {
      if (top.classes.size() >= kListedAfterStop && spending_.clock.stopped()) {
        open = open ? std::min(*open, key.first) : key.first;
        break;
      }
      add(top, key.second, found);
    }
    top.status = open ? TopStatus::partial : TopStatus::complete;
    if (open) top.bound = max(optimum_.goals[0].value, targets_[0].unscaled(open->value[0]));
  }

 private:
  static constexpr std::uint64_t kSeamBytes = std::uint64_t{256} << 20;
  static constexpr std::size_t kMostAtOnce = 64;
  /// Classes that are priced anew, and listed, when the time is up.
  static constexpr std::size_t kListedAfterStop = 100;

  /// What a list of so many classes takes at most.
  static std::uint64_t list_bytes(std::uint64_t most) {
    constexpr std::uint64_t kClassBytes = 2048;
    constexpr std::uint64_t kHuge = run::kUnlimited / 4;
    return most < kHuge / kClassBytes ? most * kClassBytes : kHuge;
  }
  static RunLimits rest_of(RunLimits limits, double spent) {
    if (limits.time_limit) limits.time_limit = std::max(0.0, *limits.time_limit - spent);
    return limits;
  }

  [[nodiscard]] std::vector<mapper::Target> make_targets() const {
    std::vector<mapper::Target> targets;
    for (const Goal goal : question_.objective.goals) {
      mapper::Target& target = targets.emplace_back(instance_.scale, question_.objective, goal);
      for (const GoalCap& cap : question_.all_caps()) {
        const mapper::Target of_cap(instance_.scale, question_.objective, cap.goal);
        target.add_cap(cap.goal, of_cap.scaled_cap(cap.most).value());  // the optimum keeps it
      }
    }
    return targets;
  }

  /// Within a percentage: the greatest cost.
  [[nodiscard]] std::optional<ClassCost> limit() const {
    if (!range_.within) return std::nullopt;
    ClassCost most;
    most.value.fill(Wide::infinity());
    most.value[0] =
        targets_[0].scaled_floor((Rational(1) + *range_.within) * optimum_.goals[0].value).value();
    return most;
  }

  /// Latencies between which the cost-to-go has energies of its own: as far as classes of use go.
  [[nodiscard]] std::vector<Int128> thresholds(const ClassSearch& search) const {
    const mapper::Target& target = targets_[0];
    if (!trades_off(target.goal())) return {target.latency_cap()};
    const mapper::Costs least = search.least_costs();
    constexpr int kFactor = 2;  // of the optimum, where it is open how far classes go
    const auto cutoff = best_.cutoff() != nullptr
                            ? std::optional(best_.cutoff()->value[0])
                            : target.scaled_floor(Rational(kFactor) * optimum_.goals[0].value);
    const Int128 useful =
        std::min(target.latency_cap(), target.useful_latency(*cutoff, least.energy));
    std::vector<Int128> spread = mapper::spread_thresholds(least.latency, useful);
    if (best_.cutoff() != nullptr) return spread;
    if (spread.size() == mapper::kMaxThresholds) spread.erase(spread.end() - 2);
    if (spread.back() < target.latency_cap()) spread.push_back(target.latency_cap());
    return spread;
  }

  [[nodiscard]] ClassSearch::Common common() const {
    return {instance_, reuse_, menu_, seams_, targets_, guard_};
  }

  struct Choice {
    ClassCost bound;
    std::vector<TensorFlags> stores;
  };

  /// Storage choices by ascending bounds; those without a mapping are left out.
  std::vector<Choice> choices() {
    std::vector<Choice> all;
    for (auto& stores : mapper::storage_choices(a_, guard_)) {
      if (!instance_.constraints.keeps(stores)) continue;
      all.push_back({{}, std::move(stores)});
    }
    if (all.size() == 1) return all;
    const ClassSearch::Common common = this->common();
    std::erase_if(all, [&](Choice& choice) {
      ClassSearch search(common, choice.stores, *pricing_);
      if (!search.is_possible()) return true;
      const auto hold = spending_.account.hold(search.bytes(1));
      search.prepare({targets_[0].latency_cap()});
      const auto roots = search.roots(best_.cutoff());
      if (roots.empty()) return true;
      choice.bound = roots.front().first;
      return false;
    });
    std::ranges::stable_sort(all, {}, &Choice::bound);
    return all;
  }

  /// Nothing if the search is complete, else a bound of what is missing.
  std::optional<ClassCost> search_all() {
    std::optional<ClassCost> open;
    for (const Choice& choice : choices()) {
      if (!best_.is_of_use(choice.bound)) break;
      if (open) {
        open = std::min(*open, choice.bound);
        break;
      }
      open = search_choice(choice);
    }
    return open;
  }

  std::optional<ClassCost> search_choice(const Choice& choice) {
    const ClassSearch::Common common = this->common();
    ClassSearch search(common, choice.stores, *pricing_);
    if (!search.is_possible()) return std::nullopt;
    const auto hold = spending_.account.hold(search.bytes(mapper::kMaxThresholds));
    try {
      search.prepare({targets_[0].latency_cap()});
      std::vector<Int128> several = thresholds(search);
      if (several.size() > 1) search.prepare(std::move(several));
      const std::vector<ClassSearch::Root> roots = search.roots(best_.cutoff());
      return rounds(search, roots);
    } catch (const run::Stopped&) {
      return choice.bound;
    }
  }

  std::optional<ClassCost> rounds(ClassSearch& search,
                                  const std::vector<ClassSearch::Root>& roots) {
    std::optional<ClassCost> open;
    std::size_t width = 2;
    for (std::size_t next = 0; next < roots.size();) {
      if (!best_.is_of_use(roots[next].first)) break;
      if (open || spending_.nodes == 0 || spending_.clock.stopped()) {
        open = open ? std::min(*open, roots[next].first) : roots[next].first;
        break;
      }
      if (const ClassCost* cutoff = best_.cutoff()) search.limit(*cutoff);
      const std::size_t count = std::min<std::uint64_t>(
          std::min(width, roots.size() - next), std::max<std::uint64_t>(1, spending_.nodes));
      open = round(search, {roots.data() + next, count});
      next += count;
      width = std::min(2 * width, kMostAtOnce);
      report(next < roots.size() ? roots[next].first : roots.back().first);
    }
    return open;
  }

  std::optional<ClassCost> round(const ClassSearch& search,
                                 std::span<const ClassSearch::Root> roots) {
    struct Part {
      BestClasses best;
      std::uint64_t nodes;
      bool complete = false;
    };
    const std::optional<ClassCost> cutoff =
        best_.cutoff() != nullptr ? std::optional(*best_.cutoff()) : std::nullopt;
    std::vector<Part> parts;
    const std::uint64_t allowance = spending_.nodes / roots.size();
    for (std::size_t k = 0; k < roots.size(); ++k) {
      parts.push_back({BestClasses(range_.most, cutoff, !range_.within), allowance});
    }
    run::parallel_for(roots.size(), [&](std::size_t k) {
      parts[k].complete = search.search(roots[k].second, parts[k].best, parts[k].nodes);
    });
    std::optional<ClassCost> open;
    for (std::size_t k = 0; k < roots.size(); ++k) {
      nodes_ += allowance - parts[k].nodes;
      if (spending_.nodes != run::kUnlimited) spending_.nodes -= allowance - parts[k].nodes;
      best_.merge(std::move(parts[k].best));
      if (!parts[k].complete && !open) open = roots[k].first;
    }
    return open;
  }

  void report(const ClassCost& bound) {
    if (!limits_.on_progress) return;
    const Wide* incumbent =
        best_.list().empty() ? nullptr : &best_.list().rbegin()->first.first.value[0];
    Progress line;
    line.goal = name(targets_[0].goal());
    line.nodes = optimum_.nodes + nodes_;
    line.seconds = optimum_.seconds + spending_.clock.seconds();
    if (!pace_.due(targets_[0].goal(), incumbent, line.nodes, line.seconds)) return;
    if (incumbent != nullptr) line.incumbent = targets_[0].unscaled(*incumbent).to_double();
    line.bound = targets_[0].unscaled(bound.value[0]).to_double();
    limits_.on_progress(line);
  }

  /// One more class, its costs computed anew by the plain evaluator.
  void add(TopClasses& top, const std::string& text, const FoundClass& found) const {
    MappingClass& listed = top.classes.emplace_back();
    listed.mapping = found.mapping;
    listed.metrics = evaluate(a_, instance_.workload, found.mapping, question_.row_model);
    for (const mapper::Target& target : targets_) {
      listed.values.push_back(question_.objective.value(target.goal(), listed.metrics));
      if (target.unscaled(target.value(found.costs)) != listed.values.back()) {
        throw std::logic_error("the search of classes and the evaluator disagree on a mapping: " +
                               text);
      }
    }
    listed.mappings = to_rational(found.members);
    top.texts.push_back(text);
  }

  const Architecture& a_;
  const Question& question_;
  const TopRange& range_;
  const RunLimits& limits_;
  const Solution& optimum_;
  mapper::Confines confines_;
  Spending spending_;
  run::Guard guard_;
  mapper::Instance instance_;
  run::Account::Hold memory_;
  run::Account::Hold list_memory_;
  std::unique_ptr<mapper::RowPricing> pricing_;
  mutable mapper::SeamTables seams_;
  ReuseClasses reuse_;
  LayoutMenu menu_;
  std::vector<mapper::Target> targets_;
  BestClasses best_;
  mapper::ProgressPace pace_;
  std::uint64_t nodes_ = 0;
};

void check_top(const Workload& workload, const Question& question, const TopRange& range) {
  if (question.method != Method::exact) {
    throw InputError("top: found method '" + std::string(name(question.method)) +
                     "', allowed is exact");
  }
  if (question.below) throw InputError("top: found an excluded limit (below), allowed is none");
  if (workload.may_be_padded()) {
    throw InputError("top: layer '" + workload.name +
                     "' may be padded; allowed are layers without padding");
  }
  pimbb::answers::validate(range);
}

/// What is known when a limit ends the search before the optimum is proven.
void report_unproven(TopClasses& top, const Architecture& architecture, const Question& question,
                     const Solution& solution) {
  top.bound = solution.goals.empty() ? Rational(0) : solution.goals[0].bound;
  if (!solution.mapping) return;
  MappingClass& known = top.classes.emplace_back();
  known.mapping = *solution.mapping;
  known.metrics = *solution.metrics;
  for (const Goal goal : question.objective.goals) {
    known.values.push_back(question.objective.value(goal, known.metrics));
  }
  top.texts.push_back(class_text(architecture, known.mapping));
}

}  // namespace
}  // namespace answers

TopClasses best_mappings(const Architecture& architecture, const Workload& workload,
                         const Question& question, const TopRange& range, const RunLimits& limits) {
  answers::check_top(workload, question, range);
  const Solution optimum = solve(architecture, workload, question, limits);
  TopClasses top;
  static_cast<SolveStatistics&>(top) += optimum;  // from nothing
  top.threads = optimum.threads;
  const run::Clock clock(limits);
  if (optimum.status == Status::infeasible) {
    top.status = TopStatus::infeasible;
    top.reason = optimum.reason.empty() ? "no mapping is feasible" : optimum.reason;
  } else if (optimum.status != Status::optimal) {
    answers::report_unproven(top, architecture, question, optimum);
  } else {
    try {
      run::on_threads(run::thread_count(limits), [&] {
        answers::TopSearch(architecture, workload, question, range, limits, optimum).run(top);
      });
    } catch (const run::Stopped&) {
      answers::report_unproven(top, architecture, question, optimum);
    } catch (const run::TooLarge& tables) {
      throw LimitError("memory limit: found " + std::to_string(limits.memory_limit) +
                       " bytes; the tables and the list of classes for layer '" + workload.name +
                       "' on '" + architecture.name + "' need at least " +
                       std::to_string(tables.needed));
    }
  }
  top.seconds = optimum.seconds + clock.seconds();
  return top;
}

}  // namespace pimbb::dram_pim

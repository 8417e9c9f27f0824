// Rounds have the same starts for any number of threads, and the best of a round is the first of
// the least time.
#include "crossbar/assign/throughput.hpp"

#include <algorithm>
#include <set>

#include "crossbar/assign/balance.hpp"
#include "crossbar/assign/bounds.hpp"
#include "crossbar/assign/deadline.hpp"
#include "crossbar/assign/exchange.hpp"
#include "crossbar/assign/levels.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::crossbar::assign {
namespace {

constexpr std::uint64_t kStepsPerShare = 300;  // exchanges for each pair of node and core
constexpr std::uint64_t kFewestSteps = 4'000;
constexpr std::uint64_t kMostSteps = 2'000'000;
constexpr std::int64_t kCaps = 24;        // of the first round, one after another,
constexpr std::int64_t kFartherCaps = 8;  // and evenly above them
constexpr std::size_t kLevelStarts = 8;
constexpr std::size_t kNewStarts = 24;       // of later rounds,
constexpr std::size_t kStartsContinued = 8;  // and the best of them, with more steps
constexpr std::uint64_t kLonger = 4;         // times the steps, for those
constexpr std::uint64_t kShorter = 16;       // part of the steps, of starts that are looked at
constexpr int kRounds = 4;
constexpr std::uint64_t kQuickNodes = 20'000;  // of a search before the long rounds

class ThroughputSearch {
 public:
  ThroughputSearch(const Problem& problem, const Question& question, bool patient, Effort& effort,
                   SolveStatistics& spent,
                   const std::function<void(std::optional<std::int64_t>, std::int64_t)>& report)
      : problem_(problem),
        question_(question),
        patient_(patient),
        effort_(effort),
        spent_(spent),
        report_(report) {
    const auto pairs = static_cast<std::uint64_t>(problem.cores) * problem.p.arrays.size();
    steps_ = std::clamp(kStepsPerShare * pairs, kFewestSteps, kMostSteps);
  }

  Throughput run() {
    const std::optional<ThroughputBounds> bounds = throughput_bounds(problem_);
    if (!bounds) {
      found_.infeasible = true;
      found_.reason = "one replica of each node has no room in the crossbars";
      return std::move(found_);
    }
    found_.bound = problem_.rounded_up(bounds->best());
    least_cap_ = bounds->cycles / problem_.a.mvm.time;
    if (bounds->load == bounds->best()) idle_at_bound_ = idle_multiplications(bounds->load);
    first_round();
    bisect(kQuickNodes);
    level_round();
    for (int round = 0; !done() && found_.mapping && (patient_ || round < kRounds); ++round) {
      later_round();
      if (effort_.stopped()) break;
    }
    bisect(~std::uint64_t{0});
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool done() const {
    return found_.infeasible || (found_.mapping && found_.value <= found_.bound);
  }

  /// Of all cores within this time, beyond those of the network.
  [[nodiscard]] std::int64_t idle_multiplications(std::int64_t time) const {
    std::int64_t idle = problem_.cores * (time / problem_.a.mvm.interval);
    for (const Family& family : problem_.families) idle -= family.groups * family.windows;
    return idle;
  }

  void note() const {
    if (!report_) return;
    report_(found_.mapping ? std::optional(found_.value) : std::nullopt, found_.bound);
  }

  /// Widths from which array groups are dealt out evenly: none, and all that leave no room.
  [[nodiscard]] std::vector<std::int64_t> wide_choices() const {
    std::vector<std::int64_t> choices{problem_.crossbars + 1};
    std::int64_t widest = 1;
    for (const ArrayNode& array : problem_.p.arrays) widest = std::max(widest, array.width);
    if (4 * widest >= problem_.crossbars) choices.push_back(std::max<std::int64_t>(2, widest / 2));
    if (8 * widest >= problem_.crossbars) choices.push_back(std::max<std::int64_t>(2, widest));
    return choices;
  }

  /// Replications that differ, for caps from the least one on.
  void first_round() {
    std::vector<std::int64_t> caps;
    const std::int64_t most = std::max(least_cap_, found_.bound / problem_.a.mvm.time);
    for (std::int64_t i = 0; i < kCaps; ++i) caps.push_back(least_cap_ + i);
    for (std::int64_t i = 1; i <= kFartherCaps; ++i) {
      caps.push_back(least_cap_ + (most - least_cap_) * i / kFartherCaps);
    }
    std::set<std::vector<std::int64_t>> known;
    for (const std::int64_t cap : caps) {
      const auto replication = usual_replication(problem_, cap);
      if (cap <= most && replication && known.insert(*replication).second) caps_.push_back(cap);
    }
    std::vector<Start> starts;
    for (const std::int64_t wide : wide_choices()) {
      for (const std::int64_t cap : caps_) {
        starts.push_back({cap, wide, false, question_.seed + starts.size(), steps_ / kShorter});
      }
    }
    run_round(starts);
    if (!found_.mapping) run_round({{most_windows(), 2, false, question_.seed, steps_}});
  }

  [[nodiscard]] std::int64_t most_windows() const {
    return std::ranges::max(problem_.families, {}, &Family::windows).windows;
  }

  void level_round() {
    if (!has_levels(problem_)) return;
    SplitMix64 random(question_.seed);
    std::vector<Start> starts(kLevelStarts);
    for (Start& start : starts) {
      start.seed = random();
      start.steps = steps_ / kShorter;
      start.levels = true;
      start.idle = idle_multiplications(found_.bound);
    }
    run_round(starts);
  }

  /// New starts with few steps; the best of them and the best mapping continue with more.
  void later_round() {
    SplitMix64 random(question_.seed + spent_.starts);
    const std::int64_t idle =
        (found_.value - found_.bound) / problem_.a.mvm.interval * problem_.cores / 2 +
        idle_at_bound_;
    std::vector<Start> starts;
    for (std::size_t i = 0; i < kNewStarts; ++i) {
      Start start = best_start_;
      start.seed = random();
      start.steps = steps_ / kShorter;
      start.varied = true;
      start.levels = has_levels(problem_) && i % 6 == 5;
      start.idle = start.levels ? idle_multiplications(found_.bound) : idle;
      if (i % 2 == 1 && !caps_.empty()) start.cap = caps_[random.below(caps_.size())];
      starts.push_back(start);
    }
    std::vector<Balanced> results = run_round(starts);
    std::ranges::stable_sort(results, {}, &Balanced::time);
    results.insert(results.begin(), {found_.mapping, found_.value});
    starts.clear();
    for (const Balanced& result : results) {
      if (!result.mapping || starts.size() == kStartsContinued) continue;
      Start start;
      start.seed = random();
      start.steps = kLonger * steps_;
      start.from = &*result.mapping;
      starts.push_back(start);
    }
    run_round(starts);
  }

  std::vector<Balanced> run_round(const std::vector<Start>& starts) {
    std::vector<Balanced> results(starts.size());
    if (done() || (effort_.stopped() && found_.mapping)) return results;
    run::parallel_for(starts.size(), [&](std::size_t i) {
      results[i] = balance(problem_, starts[i], found_.bound, effort_.stop);
    });
    for (std::size_t i = 0; i < starts.size(); ++i) {
      ++spent_.starts;
      spent_.steps += starts[i].steps;
      if (!results[i].mapping) continue;
      if (!better(*results[i].mapping, results[i].time)) continue;
      if (starts[i].from == nullptr) best_start_ = starts[i];
    }
    note();
    return results;
  }

  bool better(const Mapping& mapping, std::int64_t time) {
    if (found_.mapping && time >= found_.value) return false;
    if (find_violation(problem_.a, problem_.p, mapping)) return false;
    found_.mapping = mapping;
    found_.value = time;
    return true;
  }

  /// Raises the bound, lowers the value, as far as so many nodes take it.
  void bisect(std::uint64_t nodes) {
    if (done()) return;
    Effort effort = effort_;
    effort.most_nodes = effort_.nodes + std::min(nodes, effort_.most_nodes - effort_.nodes);
    // deadlines that are neither refuted nor met: low .. high
    std::int64_t low = found_.bound;
    std::int64_t high = (found_.mapping ? found_.value : longest()) - problem_.quantum;
    bool all_decided = true;
    if (!found_.mapping && refute_all(effort)) high = low - problem_.quantum;
    while (low <= high && !found_.infeasible && !effort.exhausted()) {
      const std::int64_t middle = low + (high - low) / problem_.quantum / 2 * problem_.quantum;
      const Decision decision = meets(problem_, middle, effort, spent_.leaves);
      if (decision.answer == Answer::no) {
        low = middle + problem_.quantum;
      } else {
        if (decision.answer == Answer::yes) take(decision.mapping);
        all_decided = all_decided && decision.answer == Answer::yes;
        high = middle - problem_.quantum;
      }
    }
    found_.bound = std::max(found_.bound, low);
    if (found_.mapping) found_.bound = std::min(found_.bound, found_.value);
    effort_.nodes = effort.nodes;
    effort_.bytes = std::max(effort_.bytes, effort.bytes);
    note();
  }

  void take(const Mapping& mapping) {
    Exchange exchange(problem_, mapping, 0);
    better(mapping, exchange.time());
  }

  /// The time of everything in one core.
  [[nodiscard]] std::int64_t longest() const {
    return problem_.rounded_up(most_windows() * round_time());
  }
  [[nodiscard]] std::int64_t round_time() const {
    return std::max(problem_.a.mvm.time, problem_.crossbars * problem_.a.mvm.interval);
  }

  /// Whether no mapping is legal at all: then none is with one replica of each node.
  bool refute_all(Effort& effort) {
    const Packed packed = pack(problem_, std::vector<std::int64_t>(problem_.families.size(), 1),
                               std::nullopt, effort);
    if (packed.answer == Answer::yes) {
      take({std::vector<std::int64_t>(problem_.p.arrays.size(), 1), packed.cores});
    }
    if (packed.answer != Answer::no) return false;
    found_.infeasible = true;
    found_.reason = "one replica of each node cannot be packed into the cores";
    return true;
  }

  const Problem& problem_;
  const Question& question_;
  bool patient_;
  Effort& effort_;
  SolveStatistics& spent_;
  const std::function<void(std::optional<std::int64_t>, std::int64_t)>& report_;
  std::uint64_t steps_ = 0;
  std::int64_t least_cap_ = 1;
  std::int64_t idle_at_bound_ = 0;  // multiplications of all cores
  std::vector<std::int64_t> caps_;  // of the first round
  Start best_start_;
  Throughput found_;
};

}  // namespace

Throughput least_throughput(
    const Problem& problem, const Question& question, bool patient, Effort& effort,
    SolveStatistics& spent,
    const std::function<void(std::optional<std::int64_t>, std::int64_t)>& report) {
  return ThroughputSearch(problem, question, patient, effort, spent, report).run();
}

}  // namespace pimbb::crossbar::assign

// Starts, then the local search from the best of them.
#include "pimbb/crossbar/fastest.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "crossbar/assign/bounds.hpp"
#include "crossbar/assign/chunks.hpp"
#include "crossbar/assign/spread.hpp"
#include "crossbar/cost/latency.hpp"
#include "crossbar/schedule/least_time.hpp"
#include "crossbar/schedule/timing.hpp"
#include "pimbb/crossbar/baseline.hpp"
#include "pimbb/crossbar/estimate.hpp"
#include "pimbb/crossbar/solver.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/limited.hpp"
#include "run/threads.hpp"

namespace pimbb::crossbar {
namespace {

/// Times the fewest cycles whose replicas have room, in quarters.
constexpr std::array<std::int64_t, 7> kCycles{4, 5, 6, 8, 12, 16, 24};
constexpr std::array<std::int64_t, 3> kChunks{1, 3, 6};  ///< parts of a replica, at most
constexpr std::size_t kExchanges = 200'000;  ///< of parts, of a constructed mapping, at most
constexpr std::size_t kSimulated = 6;  ///< of the constructed mappings, the most promising ones
constexpr double kStartShare = 0.5;    ///< of the time limit, until mappings are constructed
constexpr double kSolverShare = 0.1;   ///< of the time limit, for the solver and each goal

/// A mapping, and an estimate of its time.
struct Promise {
  Mapping mapping;
  Rational time;
};

class FastestSearch {
 public:
  FastestSearch(const Architecture& architecture, const Partition& partition,
                const ImproveOptions& options, const RunLimits& limits)
      : a_(architecture),
        p_(partition),
        problem_(architecture, partition),
        options_(options),
        limits_(limits),
        clock_(limits),
        has_latency_(cost::why_no_latency(partition).empty()) {
    options_.bound = result_.bound = simulated_bound(architecture, partition, options.mode).best();
  }

  Fastest run() && {
    try_solver(Goal::ht);
    if (result_.status == Status::infeasible) return finished();
    if (has_latency_) try_solver(Goal::ll);
    try_rules();
    try_constructed();
    if (result_.mapping) improve_best();
    return finished();
  }

 private:
  Fastest finished() {
    if (result_.mapping) {
      result_.metrics = evaluate(a_, p_, *result_.mapping);
      result_.status = result_.time == result_.bound ? Status::optimal : Status::feasible;
    }
    result_.seconds = clock_.seconds();
    result_.threads = run::thread_count(limits_);
    return std::move(result_);
  }

  /// Limits with a share of the time, without the reports, which are about another goal.
  [[nodiscard]] RunLimits share(double part) const {
    RunLimits limits = limits_;
    limits.on_progress = {};
    limits.node_limit.reset();
    if (limits.time_limit) limits.time_limit = std::min(*clock_.left(), part * *limits.time_limit);
    return limits;
  }

  void try_solver(Goal goal) {
    RunLimits limits = share(kSolverShare);
    if (!limits.time_limit) limits.node_limit = 1;  // its first mappings
    Solution solution = solve(a_, p_, {goal, options_.seed}, limits);
    if (solution.status == Status::infeasible) {
      result_.status = Status::infeasible;
      result_.reason = std::move(solution.reason);
    }
    if (solution.mapping) try_start(std::move(*solution.mapping));
  }

  /// Replicas by published rules, in as few cores as hold them.
  void try_rules() {
    for (const Baseline rule : {Baseline::puma, Baseline::w0h0}) {
      std::optional<Mapping> mapping = baseline(a_, p_, rule, {}, share(kSolverShare)).mapping;
      if (mapping) try_start(std::move(*mapping));
    }
  }

  /// Replicas for several numbers of cycles, whole or in few parts.
  void try_constructed() {
    std::vector<Promise> all;
    const auto stop = [this] {
      return clock_.stopped() ||
             (limits_.time_limit && clock_.seconds() > kStartShare * *limits_.time_limit);
    };
    for (const std::int64_t quarters : kCycles) {
      const std::optional<std::vector<std::int64_t>> replication = replicas(quarters);
      if (!replication) return;
      if (stop()) break;
      add(all, assign::spread(problem_, *replication));
      for (const std::int64_t chunks : kChunks) {
        add(all, assign::balanced_chunks(problem_, *replication, chunks, kExchanges, stop));
      }
    }
    std::ranges::stable_sort(all, {}, &Promise::time);
    if (all.size() > kSimulated) all.resize(kSimulated);
    for (Promise& promise : all) try_start(std::move(promise.mapping));
  }

  /// By family; nothing if one replica of each node has no room.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> replicas(std::int64_t quarters) const {
    const auto bounds = assign::throughput_bounds(problem_);
    if (!bounds) return std::nullopt;
    return problem_.least_replication(assign::ceil_div(bounds->cycles / a_.mvm.time * quarters, 4));
  }

  /// With what its simulation takes at least, and for low latency the longest path besides.
  void add(std::vector<Promise>& all, std::optional<Mapping> mapping) const {
    if (!mapping || clock_.stopped()) return;
    Rational time(schedule::least_time(a_, p_, *mapping, options_.mode));
    if (options_.mode == Mode::ht) {
      time = std::max(time, value_of(a_, p_, *mapping, Estimate::ht, Mode::ht));
    } else if (has_latency_) {
      time += value_of(a_, p_, *mapping, Estimate::ll, Mode::ll);
    }
    all.push_back({std::move(*mapping), time});
  }

  void try_start(Mapping mapping) {
    if (result_.mapping && (clock_.stopped() || out_of_simulations())) return;
    if (find_violation(a_, p_, mapping)) return;  // of local memory, where it is enforced
    std::int64_t time = 0;
    try {
      time = simulated_time(mapping);
    } catch (const LimitError&) {
      if (!result_.mapping && !limits_.stop.stop_requested()) throw;
      return;
    }
    ++result_.starts;
    ++result_.simulations;
    if (result_.mapping && time >= result_.time) return;
    result_.mapping = std::move(mapping);
    result_.time = result_.start_time = time;
    report();
  }

  /// The greatest of all times if it is above that of the best mapping.
  [[nodiscard]] std::int64_t simulated_time(const Mapping& mapping) const {
    const std::int64_t cutoff =
        result_.mapping ? result_.time : std::numeric_limits<std::int64_t>::max();
    std::int64_t time = 0;
    run::Guard guard;
    // The first one is complete whatever the time: without it there is no answer.
    guard.stop = [this, is_first = !result_.mapping.has_value()] {
      return is_first ? limits_.stop.stop_requested() : clock_.stopped();
    };
    guard.room = limits_.memory_limit;
    run::limited(limits_, "simulation", [&] {
      time = schedule::simulated_time(a_, p_, mapping, options_.mode, guard, cutoff);
    });
    return time;
  }

  void improve_best() {
    RunLimits limits = limits_;
    limits.time_limit = clock_.left();
    if (limits.node_limit || !limits.time_limit) {
      const std::uint64_t most = limits.node_limit.value_or(kDefaultSimulations);
      limits.node_limit = most - std::min(most, result_.simulations) + 1;  // the start once more
    }
    if (clock_.stopped()) return;
    try {
      Improvement better = improve(a_, p_, *result_.mapping, options_, limits);
      result_.simulations += better.simulations - 1;
      result_.mapping = std::move(better.mapping);
      result_.time = better.time;
    } catch (const LimitError&) {  // it could not begin: the start remains
    }
  }

  [[nodiscard]] bool out_of_simulations() const {
    return limits_.node_limit && result_.simulations >= *limits_.node_limit;
  }

  void report() const {
    if (!limits_.on_progress) return;
    limits_.on_progress({"sim", static_cast<double>(result_.time),
                         static_cast<double>(result_.bound), result_.simulations,
                         clock_.seconds()});
  }

  const Architecture& a_;
  const Partition& p_;
  assign::Problem problem_;
  ImproveOptions options_;
  RunLimits limits_;
  run::Clock clock_;
  bool has_latency_;
  Fastest result_;
};

}  // namespace

Fastest fastest(const Architecture& architecture, const Partition& partition,
                const ImproveOptions& options, const RunLimits& limits) {
  validate(architecture);
  return FastestSearch(architecture, partition, options, limits).run();
}

}  // namespace pimbb::crossbar

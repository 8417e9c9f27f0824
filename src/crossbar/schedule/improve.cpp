// Batches of neighbours; the size of a batch does not depend on the number of threads.
#include "pimbb/crossbar/improve.hpp"

#include <algorithm>
#include <limits>

#include "crossbar/partition/feasibility.hpp"
#include "crossbar/schedule/least_time.hpp"
#include "crossbar/schedule/neighbours.hpp"
#include "crossbar/schedule/timing.hpp"
#include "run/clock.hpp"
#include "run/limited.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::crossbar {
namespace {

constexpr std::size_t kBatch = 8;
constexpr std::size_t kDraws = 4096;  // without a neighbour worth a simulation: the search ends

class ImproveSearch {
 public:
  ImproveSearch(const Architecture& architecture, const Partition& partition,
                const ImproveOptions& options, const RunLimits& limits, const run::Clock& clock)
      : a_(architecture),
        p_(partition),
        options_(options),
        limits_(limits),
        clock_(clock),
        neighbours_(architecture, partition, options.seed) {
    guard_.stop = [&clock] { return clock.stopped(); };
    guard_.room = limits.memory_limit / kBatch;
    most_ = limits.node_limit.value_or(limits.time_limit ? std::numeric_limits<std::uint64_t>::max()
                                                         : kDefaultSimulations);
  }

  Improvement run(const Mapping& given) && {
    result_.mapping = given;
    result_.simulations = 1;
    result_.given_time = result_.time = time_of(given, std::numeric_limits<std::int64_t>::max());
    try {
      while (result_.simulations < most_ && result_.time > options_.bound && improve_once()) {
      }
    } catch (const run::Stopped&) {   // the batch is dropped
    } catch (const run::TooLarge&) {  // there is no room for the streams of a neighbour
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::int64_t time_of(const Mapping& mapping, std::int64_t cutoff) const {
    return schedule::simulated_time(a_, p_, mapping, options_.mode, guard_, cutoff);
  }

  /// One batch; false if no neighbour could be faster.
  bool improve_once() {
    std::vector<Mapping> batch;
    const std::size_t size = std::min<std::uint64_t>(kBatch, most_ - result_.simulations);
    for (std::size_t draws = 0; batch.size() < size && draws < kDraws; ++draws) {
      if (clock_.stopped()) throw run::Stopped();
      std::optional<Mapping> next = neighbours_.draw(result_.mapping);
      if (!next) continue;
      ++result_.neighbours;
      if (schedule::least_time(a_, p_, *next, options_.mode) < result_.time)
        batch.push_back(std::move(*next));
    }
    if (batch.empty()) return false;
    std::vector<std::int64_t> times(batch.size());
    run::parallel_for(batch.size(),
                      [&](std::size_t i) { times[i] = time_of(batch[i], result_.time); });
    result_.simulations += batch.size();
    const auto best = static_cast<std::size_t>(std::ranges::min_element(times) - times.begin());
    if (times[best] > result_.time) return true;
    const bool faster = times[best] < result_.time;
    result_.time = times[best];
    result_.mapping = std::move(batch[best]);
    if (faster) report();
    return true;
  }

  void report() const {
    if (!limits_.on_progress) return;
    limits_.on_progress({"sim", static_cast<double>(result_.time),
                         static_cast<double>(options_.bound), result_.simulations,
                         clock_.seconds()});
  }

  const Architecture& a_;
  const Partition& p_;
  const ImproveOptions& options_;
  const RunLimits& limits_;
  const run::Clock& clock_;
  run::Guard guard_;
  schedule::Neighbours neighbours_;
  std::uint64_t most_ = 0;  // simulations
  Improvement result_;
};

}  // namespace

Improvement improve(const Architecture& architecture, const Partition& partition,
                    const Mapping& mapping, const ImproveOptions& options,
                    const RunLimits& limits) {
  partition::require_feasible(architecture, partition, mapping);
  const run::Clock clock(limits);
  Improvement result;
  run::limited(limits, "local search", [&] {
    result = ImproveSearch(architecture, partition, options, limits, clock).run(mapping);
  });
  return result;
}

}  // namespace pimbb::crossbar

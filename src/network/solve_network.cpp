// Solving a network layer by layer.
//
// The layers do not share anything (yet), so the optimum of the sum is the sum of the optima, and
// each distinct layer is one call of solve(). What this file adds is book-keeping: one clock for
// all layers (each gets the time that is left), the interruption that also ends the layers not yet
// begun, the weakest status, and totals in exact rationals.
#include <algorithm>
#include <chrono>

#include "pimbb/error.hpp"
#include "pimbb/network.hpp"

namespace pimbb {
namespace {

class Clock {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Bad layers are found before the first one is solved, not after an hour's work.
void check(const Architecture& architecture, const Network& network) {
  validate(architecture);
  if (network.layers.empty()) {
    throw InputError("network '" + network.name + "': found no layers, needed is at least one");
  }
  for (const NetworkLayer& layer : network.layers) {
    validate(layer.workload);
    if (layer.repetitions < 1) {
      throw InputError("layer '" + layer.workload.name + "': repetitions: found " +
                       std::to_string(layer.repetitions) + ", allowed are integers >= 1");
    }
  }
}

Solution not_solved(const char* reason) {
  Solution solution;
  solution.status = Status::unknown;
  solution.reason = reason;
  solution.threads = 0;
  return solution;
}

Solution solve_layer(const Architecture& architecture, const Workload& workload,
                     SolveOptions options, const Clock& clock) {
  if (options.stop.stop_requested()) return not_solved("interrupted before this layer");
  if (options.time_limit) {
    *options.time_limit -= clock.seconds();
    if (*options.time_limit <= 0) return not_solved("time limit reached before this layer");
  }
  return solve(architecture, workload, options);
}

void add(NetworkTotals& totals, const LayerSolution& layer) {
  if (!layer.solution.metrics) return;
  const Metrics& metrics = *layer.solution.metrics;
  const Rational times = layer.workload.weight * layer.repetitions;
  totals.latency += times * metrics.latency;
  totals.energy += times * metrics.energy;
  totals.activations += times * metrics.activations();
  totals.macs += times * layer.workload.macs();
}

/// One layer without a mapping spoils the network more than one whose proof is missing, and a
/// proof that there is none more than not having found one.
Status weaker(Status a, Status b) {
  const auto weakness = [](Status status) {
    switch (status) {
      case Status::optimal: return 0;
      case Status::feasible: return 1;
      case Status::unknown: return 2;
      default: return 3;
    }
  };
  return weakness(a) < weakness(b) ? b : a;
}

}  // namespace

NetworkSolution solve_network(const Architecture& architecture, const Network& network,
                              const SolveOptions& options,
                              const std::function<void(const LayerSolution&)>& on_layer) {
  const Clock clock;
  check(architecture, network);
  NetworkSolution result;
  for (const NetworkLayer& layer : merge_equal_layers(network).layers) {
    result.layers.push_back({layer.workload, layer.repetitions,
                             solve_layer(architecture, layer.workload, options, clock)});
    const LayerSolution& solved = result.layers.back();
    add(result.totals, solved);
    result.status = weaker(result.status, solved.solution.status);
    if (on_layer) on_layer(solved);
  }
  result.seconds = clock.seconds();
  return result;
}

}  // namespace pimbb

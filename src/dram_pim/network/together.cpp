// Threads that take one problem after the other.
#include "dram_pim/network/together.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

#include "pimbb/error.hpp"
#include "run/threads.hpp"

namespace pimbb::dram_pim::network {

void each_together(const RunLimits& limits, std::size_t count,
                   const std::function<void(std::size_t, const RunLimits&)>& solve) {
  if (count == 0) return;
  RunLimits alone = limits;
  alone.on_progress = nullptr;
  RunLimits shared = alone;
  shared.memory_limit /= kTogether;
  std::vector<char> solved(count);
  std::vector<std::exception_ptr> faults(count);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t k = next++; k < count; k = next++) {
      try {
        solve(k, shared);
        solved[k] = 1;
      } catch (const LimitError&) {
        // Alone, below.
      } catch (...) {
        faults[k] = std::current_exception();
      }
    }
  };
  const auto cores = static_cast<std::size_t>(run::thread_count(limits));
  {
    std::vector<std::jthread> others;
    for (std::size_t k = 1; k < std::min({cores, kTogether, count}); ++k) others.emplace_back(work);
    work();
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (faults[k]) std::rethrow_exception(faults[k]);
    if (solved[k] == 0) solve(k, alone);
  }
}

std::vector<Solution> solve_together(
    const RunLimits& limits, std::size_t count,
    const std::function<Solution(std::size_t, const RunLimits&)>& solve) {
  std::vector<Solution> solutions(count);
  each_together(limits, count,
                [&](std::size_t k, const RunLimits& own) { solutions[k] = solve(k, own); });
  return solutions;
}

}  // namespace pimbb::dram_pim::network

// Sums, means and hashes.
#include "terminal/bench/summary.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include "statistics/statistics.hpp"

namespace pimbb::terminal {

BenchSummary summarise(const BenchKind& kind, std::span<const BenchResult> results) {
  BenchSummary summary;
  summary.totals.resize(kind.totals.size());
  statistics::GeometricMean mean;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const BenchAnswer& answer = results[i].answer;
    if (answer.status == Status::optimal) {
      ++summary.proven;
    } else if (answer.status == Status::infeasible) {
      ++summary.infeasible;
    } else {
      ++summary.limit;
    }
    for (std::size_t k = 0; k < kind.totals.size(); ++k) {
      summary.totals[k] += answer.count(kind.totals[k].key);
    }
    const double seconds = results[i].seconds();
    summary.total += seconds;
    mean.add(seconds);
    if (seconds <= summary.worst) continue;
    summary.worst = seconds;
    summary.worst_case = i;
  }
  summary.geometric_mean = results.empty() ? 0 : mean.value();
  return summary;
}

Signature signature(const BenchKind& kind, std::span<const BenchCase> cases,
                    std::span<const BenchResult> results) {
  std::string optima;
  std::string search;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const BenchAnswer& answer = results[i].answer;
    const std::string name = cases[i].name();
    if (answer.status == Status::optimal) {
      optima += fmt::format("{} optimal {}\n", name, answer.exact_values());
    } else {
      optima += name + (answer.closed() ? " infeasible\n" : " limit\n");
    }
    search += name;
    if (answer.closed()) {
      for (const std::string& key : kind.searched) search += fmt::format(" {}", answer.count(key));
      search += "\n";
    } else {
      search += " -\n";
    }
  }
  return {fnv1a(optima), fnv1a(search)};
}

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return hash;
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

Usage usage() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {seconds(used.ru_utime) + seconds(used.ru_stime),
          std::int64_t{used.ru_maxrss} * 1024};  // Linux counts kibibytes
}

}  // namespace pimbb::terminal

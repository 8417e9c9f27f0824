// The results of a corpus: times and nodes of every case, a summary, and the signature.
//
// The signature consists of two hashes (FNV-1a, 64 bits, of UTF-8 text), with one line of text for
// each case in the order of the corpus, each with a newline at the end:
//
//   optima   "<case> optimal <value>[,<value>...]", exact as p/q, one value for each goal;
//            "<case> infeasible" or "<case> limit" if there is no optimum
//   search   "<case> <nodes> <simplex iterations>", or "<case> -" if a limit stopped the search
//
// with <case> = BenchCase::name(). Neither depends on the number of threads or on time, as long as
// no case reaches a time limit. A change of `optima` means an error in the old or in the new
// solver; a change of `search` means that the search tree has changed.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dram_pim/cli/bench_corpus.hpp"
#include "pimbb/dram_pim/solver.hpp"

namespace pimbb::dram_pim::cli {

class Ablation;

struct BenchResult {
  Solution solution;
  std::vector<double> runs;  ///< seconds of each repetition

  [[nodiscard]] double seconds() const;  ///< the median
  [[nodiscard]] bool closed() const {
    return solution.status == Status::optimal || solution.status == Status::infeasible;
  }
};

/// Exact values of all goals, "1806336,2409/20"; empty unless proven optimal.
std::string exact_values(const Solution& solution);

/// The geometric mean of times and ratios; 1 if there are none.
class GeometricMean {
 public:
  /// Values below a millionth count as a millionth, the resolution of the clock, so that logarithms
  /// are finite.
  void add(double value);
  [[nodiscard]] double value() const;

 private:
  double logs_ = 0;
  std::size_t count_ = 0;
};

struct BenchSummary {
  std::size_t proven = 0;
  std::size_t infeasible = 0;
  std::size_t limit = 0;
  std::uint64_t nodes = 0;
  std::uint64_t leaves = 0;
  double total = 0;  ///< seconds
  double geometric_mean = 0;
  double worst = 0;
  std::size_t worst_case = 0;  ///< index into the corpus
};

BenchSummary summarise(std::span<const BenchResult> results);

struct Signature {
  std::uint64_t optima = 0;
  std::uint64_t search = 0;
};

/// The summary of the cases that have results.
Signature signature(std::span<const BenchCase> cases, std::span<const BenchResult> results);

std::uint64_t fnv1a(std::string_view text);
/// Sixteen hexadecimal digits.
std::string hash_text(std::uint64_t hash);

/// The resources that this process has used so far.
struct Usage {
  double cpu_seconds = 0;        ///< of all threads: tells a slow search from a busy machine
  std::int64_t peak_memory = 0;  ///< bytes
};
Usage usage();

/// The pimbb-bench/1 document. After an interruption there are fewer `results` than `cases`.
std::string bench_json(const BenchSettings& settings, int threads, std::span<const BenchCase> cases,
                       std::span<const BenchResult> results, std::span<const Ablation> ablations);

}  // namespace pimbb::dram_pim::cli

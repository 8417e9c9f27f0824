// What came of a corpus: times and nodes of every case, their summary, and the signature.
//
// The signature is two hashes (FNV-1a, 64 bits, of UTF-8 text), one line of text a case in the
// order of the corpus, each ending in a newline:
//
//   optima   "<case> optimal <value>[,<value>...]", exact as p/q, one for each goal;
//            "<case> infeasible" or "<case> limit" where there is no optimum to state
//   search   "<case> <nodes> <simplex iterations>", and "<case> -" where a limit ended the search
//
// with <case> = BenchCase::name(). Neither depends on the number of threads or on time, as long as
// no case hits a time limit. A change of `optima` is a fault, in the old solver or in the new; a
// change of `search` says that the tree is another one.
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

/// Of times and ratios; 1 as long as there is none.
class GeometricMean {
 public:
  /// Values below a millionth count as that: the clock resolves no less, and logarithms stay
  /// finite.
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

/// Of as many cases as there are results.
Signature signature(std::span<const BenchCase> cases, std::span<const BenchResult> results);

std::uint64_t fnv1a(std::string_view text);
/// Sixteen hexadecimal digits.
std::string hash_text(std::uint64_t hash);

/// What this process has used so far.
struct Usage {
  double cpu_seconds = 0;        ///< of all threads: tells a slow search from a busy machine
  std::int64_t peak_memory = 0;  ///< bytes
};
Usage usage();

/// The pimbb-bench/1 document. `results` may be fewer than `cases`: an interrupted run.
std::string bench_json(const BenchSettings& settings, int threads, std::span<const BenchCase> cases,
                       std::span<const BenchResult> results, std::span<const Ablation> ablations);

}  // namespace pimbb::dram_pim::cli

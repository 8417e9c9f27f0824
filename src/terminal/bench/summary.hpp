// The results of a corpus together: times and counts, and the signature.
//
// The signature consists of two hashes (FNV-1a, 64 bits, of UTF-8 text), with one line of text for
// each case in the order of the corpus, each with a newline at the end:
//
//   optima   "<case> optimal <value>[,<value>...]", exact as p/q, one value for each goal;
//            "<case> infeasible" or "<case> limit" if there is no optimum
//   search   "<case> <count>...", the counts BenchKind::searched (of DRAM-PIM: nodes and simplex
//            iterations), or "<case> -" if a limit stopped the search
//
// with <case> = BenchCase::name(). Neither depends on the number of threads or on time, as long as
// no case reaches a time limit. A change of `optima` means an error in the old or in the new
// solver; a change of `search` means that the search tree has changed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/bench/case.hpp"

namespace pimbb::terminal {

struct BenchSummary {
  std::size_t proven = 0;
  std::size_t infeasible = 0;
  std::size_t limit = 0;
  std::vector<std::uint64_t> totals;  ///< of the counts BenchKind::totals
  double total = 0;                   ///< seconds
  double geometric_mean = 0;
  double worst = 0;
  std::size_t worst_case = 0;  ///< index into the corpus
};

BenchSummary summarise(const BenchKind& kind, std::span<const BenchResult> results);

struct Signature {
  std::uint64_t optima = 0;
  std::uint64_t search = 0;
};

/// The signature of the cases that have results.
Signature signature(const BenchKind& kind, std::span<const BenchCase> cases,
                    std::span<const BenchResult> results);

std::uint64_t fnv1a(std::string_view text);
/// Sixteen hexadecimal digits.
std::string hash_text(std::uint64_t hash);

/// The resources that this process has used so far.
struct Usage {
  double cpu_seconds = 0;        ///< of all threads: tells a slow search from a busy machine
  std::int64_t peak_memory = 0;  ///< bytes
};
Usage usage();

}  // namespace pimbb::terminal

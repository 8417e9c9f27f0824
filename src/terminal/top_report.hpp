// The report on the best classes of mappings, for any kind of accelerator: the table and the claim.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/top.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/log.hpp"
#include "terminal/output.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::terminal {

/// A class that is listed.
struct ListedClass {
  std::vector<Rational> values;  ///< of the goals
  std::optional<Rational> mappings;
  std::string difference;  ///< from the first class, in a few words
};

/// What reports need to know of a list.
struct TopSummary {
  TopStatus status = TopStatus::partial;
  std::string reason;              ///< infeasible: why
  std::vector<std::string> goals;  ///< in order: "edp"
  std::string bound;               ///< partial, with the unit: what is missing has no less
  std::vector<ListedClass> classes;
  std::optional<Rational> share;  ///< asked for: all classes within this share of the optimum
  std::optional<ClassTotal> within;
  std::optional<ClassTotal> optimal;  ///< if the optimum, or the best class found, is counted
  ClassTotal tied;
  bool interrupted = false;
};

/// By how much a value exceeds the best one, in per cent.
Rational excess_of(const Rational& value, const Rational& best);

/// What a list took.
struct TopEffort {
  std::uint64_t nodes = 0;  ///< in the log
  std::string work;         ///< in the report: "1,024 nodes"
  double seconds = 0;
  int threads = 1;
};

/// The end of the log, and the report: the table with what belongs below it, the claim, the effort.
void report_top(Output& output, Log& log, const Style& style, const TopSummary& summary,
                const TopEffort& effort, bool timeless, const std::string& below_table = "");

/// Complete: proven.
ExitCode exit_code(TopStatus status);

}  // namespace pimbb::terminal

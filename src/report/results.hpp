// The files that a report is made of: results as JSON, logs and event traces as lines of JSON.
#pragma once

#include <string>
#include <vector>

#include "report/parts.hpp"

namespace pimbb::report {

struct Result {  // NOLINT(bugprone-exception-escape): what a Json throws, moving it does not
  std::string file;
  Json document;            ///< null if the file has lines
  std::vector<Json> lines;  ///< of a log or a trace
};

/// Reads a file. Throws InputError if it is neither JSON nor lines of JSON, or of a format that
/// reports do not show; a last line that a killed run left incomplete is passed over.
Result read_result(const std::string& path);

/// A section for each file; of two results of one format also a comparison.
Report report_of(const std::vector<Result>& results, const std::string& title,
                 const std::string& version);

}  // namespace pimbb::report

// Files of proofs and of the problems that they are about: their options, which `map` of every kind
// of accelerator has, and how they are written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "pimbb/front.hpp"
#include "pimbb/run_limits.hpp"
#include "pimbb/write_file.hpp"
#include "terminal/output.hpp"

namespace pimbb::terminal {

OptionRow proof_row(OutputSettings& settings);
/// Where to write the problem, "-" for standard output.
OptionRow instance_row(std::string& instance);

/// Throws InputError if --proof contradicts other options; called before the search. `method` is
/// that of --method; `proven`, whether proofs of its answers exist; `allowed`, the methods for
/// which they do.
void check_proof(const OutputSettings& output, std::string_view method, bool proven,
                 std::string_view allowed);
/// The same for --instance.
void check_instance(const std::string& path, const OutputSettings& output, std::string_view method,
                    bool proven, std::string_view allowed);

/// Writes the problem in normal form as one line: what a proof of it contains.
void write_instance(const std::string& path, const std::string& instance, Output& output);

/// What a proof consists of: its records and their name, and all bytes.
struct ProofSize {
  std::uint64_t records = 0;
  const char* unit = "leaves";
  std::uint64_t bytes = 0;
};

/// Writes a proof if it is requested and the search has ended; `write` sends it to a sink within
/// the limits left after `seconds`. Returns a line for the report.
std::string write_proof(const std::string& path, Status status, double seconds,
                        const RunLimits& limits,
                        const std::function<ProofSize(const Sink&, const RunLimits&)>& write);

/// The same of a front.
std::string write_proof(const std::string& path, FrontStatus status, double seconds,
                        const RunLimits& limits,
                        const std::function<ProofSize(const Sink&, const RunLimits&)>& write);

/// The same for a search that need not have ended; `write` has the limits anew.
std::string write_proof(const std::string& path, const RunLimits& limits,
                        const std::function<ProofSize(const Sink&, const RunLimits&)>& write);

}  // namespace pimbb::terminal

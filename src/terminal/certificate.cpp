// Files of proofs and of the problems that they are about.
#include "terminal/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pimbb/error.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"

namespace pimbb::terminal {

OptionRow proof_row(OutputSettings& settings) {
  return {"--proof",
          "FILE",
          groups::kOutput,
          "",
          "Also write a proof of optimality or infeasibility, which 'pimbb-check FILE' verifies",
          [&](auto option, auto& text) { settings.proof = file(option, text); },
          any_file};
}

OptionRow instance_row(std::string& instance) {
  return {"--instance",
          "FILE",
          groups::kOutput,
          "",
          "Solve nothing, only write the problem in normal form ('-': to standard output); "
          "'pimbb-check PROOF --instance FILE' verifies that a proof is about it",
          [&](auto option, auto& text) { instance = not_empty(option, text); },
          any_file};
}

void check_proof(const OutputSettings& output, std::string_view method, bool proven,
                 std::string_view allowed) {
  if (output.proof.empty()) return;
  if (output.proof == output.json) {
    throw InputError("--proof: found '" + output.proof + "', which is also the file of --json");
  }
  if (!proven) {
    throw InputError(
        fmt::format("--proof: found --method {}, allowed with a proof is {}", method, allowed));
  }
}

void check_instance(const std::string& path, const OutputSettings& output, std::string_view method,
                    bool proven, std::string_view allowed) {
  if (path.empty()) return;
  for (const auto& [option, results] :
       {std::pair{"--json", &output.json}, {"--proof", &output.proof}, {"--log", &output.log}}) {
    if (results->empty()) continue;
    throw InputError(fmt::format("{}: found with --instance, which solves nothing", option));
  }
  if (!proven) {
    throw InputError(fmt::format("--instance: found --method {}, allowed with an instance is {}",
                                 method, allowed));
  }
}

void write_instance(const std::string& path, const std::string& instance, Output& output) {
  if (path == "-") {
    output.content(instance + "\n");
  } else {
    write_file(path, instance + "\n");
  }
  output.finish();
}

std::string write_proof(const std::string& path, Status status, double seconds,
                        const RunLimits& limits,
                        const std::function<ProofSize(const Sink&, const RunLimits&)>& write) {
  if (path.empty()) return "";
  if (status != Status::optimal && status != Status::infeasible) {
    return fmt::format("no proof written to {}: the search did not end\n", path);
  }
  RunLimits left = limits;
  if (left.time_limit) left.time_limit = std::max(0.0, *left.time_limit - seconds);
  return write_proof(path, left, write);
}

std::string write_proof(const std::string& path, FrontStatus status, double seconds,
                        const RunLimits& limits,
                        const std::function<ProofSize(const Sink&, const RunLimits&)>& write) {
  const Status solved = status == FrontStatus::complete     ? Status::optimal
                        : status == FrontStatus::infeasible ? Status::infeasible
                                                            : Status::unknown;
  return write_proof(path, solved, seconds, limits, write);
}

std::string write_proof(const std::string& path, const RunLimits& limits,
                        const std::function<ProofSize(const Sink&, const RunLimits&)>& write) {
  if (path.empty()) return "";
  ProofSize size;
  try {
    write_file(path, [&](const Sink& sink) { size = write(sink, limits); });
  } catch (const LimitError& limit) {
    return fmt::format("no proof written to {}: {}\n", path, limit.what());
  }
  return fmt::format("proof of {} {}, {} bytes; to verify it: pimbb-check {}\n",
                     number(static_cast<std::int64_t>(size.records)), size.unit,
                     number(static_cast<std::int64_t>(size.bytes)), path);
}

}  // namespace pimbb::terminal

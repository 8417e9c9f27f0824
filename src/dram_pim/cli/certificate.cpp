// Writing the proof of a solution, if the settings want it, or the problem that a proof is about.
#include "dram_pim/cli/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "pimbb/error.hpp"
#include "pimbb/write_file.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {

void check_proof(const OutputSettings& output, Method method) {
  if (output.proof.empty()) return;
  if (output.proof == output.json) {
    throw InputError("--proof: found '" + output.proof + "', which is also the file of --json");
  }
  if (method != Method::exact) {
    throw InputError(fmt::format("--proof: found --method {}, allowed with a proof is {}",
                                 name(method), name(Method::exact)));
  }
}

void check_instance(const std::string& path, const OutputSettings& output, Method method) {
  if (path.empty()) return;
  for (const auto& [option, results] :
       {std::pair{"--json", &output.json}, {"--proof", &output.proof}, {"--log", &output.log}}) {
    if (results->empty()) continue;
    throw InputError(fmt::format("{}: found with --instance, which solves nothing", option));
  }
  if (method != Method::exact) {
    throw InputError(fmt::format("--instance: found --method {}, allowed with an instance is {}",
                                 name(method), name(Method::exact)));
  }
}

void write_instance(const std::string& path, const Architecture& architecture,
                    const Workload& workload, const Question& question, Output& output) {
  const std::string text =
      canonical_instance(architecture, workload, question.objective, question.row_model,
                         question.caps, question.constraints) +
      "\n";
  if (path == "-") {
    output.content(text);
  } else {
    write_file(path, text);
  }
  output.finish();
}

std::string write_proof(const std::string& path, const Architecture& architecture,
                        const Workload& workload, const Question& question, const RunLimits& limits,
                        const Solution& solution) {
  if (path.empty()) return "";
  if (solution.status != Status::optimal && solution.status != Status::infeasible) {
    return fmt::format("no proof written to {}: the search did not end\n", path);
  }
  RunLimits left = limits;
  if (left.time_limit) left.time_limit = std::max(0.0, *left.time_limit - solution.seconds);
  std::uint64_t leaves = 0;
  std::uint64_t bytes = 0;
  try {
    write_file(path, [&](const Sink& sink) {
      ProofWriter writer(sink);
      prove(architecture, workload, question, left, solution, {&writer});
      leaves = writer.leaves();
      bytes = writer.bytes();
    });
  } catch (const LimitError& limit) {
    return fmt::format("no proof written to {}: {}\n", path, limit.what());
  }
  return fmt::format("proof of {} leaves, {} bytes; to verify it: pimbb-check {}\n",
                     number(static_cast<std::int64_t>(leaves)),
                     number(static_cast<std::int64_t>(bytes)), path);
}

}  // namespace pimbb::dram_pim::cli

// Writing the proof of a solution, if the settings want it.
#include "dram_pim/cli/certificate.hpp"

#include <fmt/format.h>

#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "pimbb/error.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {

void check_proof(const Settings& settings) {
  if (settings.proof.empty()) return;
  if (settings.proof == settings.json) {
    throw InputError("--proof: found '" + settings.proof + "', which --json is to write");
  }
  if (settings.method != Method::exact) {
    throw InputError(fmt::format("--proof: found --method {}, allowed with a proof is {}",
                                 name(settings.method), name(Method::exact)));
  }
}

std::string write_proof(const Settings& settings, const Architecture& architecture,
                        const Workload& workload, const Solution& solution) {
  if (settings.proof.empty()) return "";
  if (solution.status != Status::optimal && solution.status != Status::infeasible) {
    return fmt::format("no proof written to {}: the search did not end\n", settings.proof);
  }
  std::uint64_t leaves = 0;
  std::uint64_t bytes = 0;
  write_file(settings.proof, [&](const Sink& sink) {
    ProofWriter writer(sink);
    prove(architecture, workload, question_of(settings), limits_of(settings), solution, {&writer});
    leaves = writer.leaves();
    bytes = writer.bytes();
  });
  return fmt::format("proof of {} leaves, {} bytes; to verify it: pimbb-check {}\n",
                     number(static_cast<std::int64_t>(leaves)),
                     number(static_cast<std::int64_t>(bytes)), settings.proof);
}

}  // namespace pimbb::dram_pim::cli

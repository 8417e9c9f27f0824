// The proof of this kind of accelerator, in the file that any kind writes.
#include "crossbar/cli/certificate.hpp"

#include <fmt/format.h>

#include "pimbb/crossbar/front_proof.hpp"
#include "pimbb/crossbar/proof.hpp"
#include "pimbb/error.hpp"
#include "terminal/certificate.hpp"

namespace pimbb::crossbar::cli {

void check_provable(const OutputSettings& output, const Problem& problem) {
  if (output.proof.empty() || !problem.architecture.core.enforce_local_memory) return;
  throw InputError(
      "--proof: found core.enforce_local_memory: true, allowed with a proof are cores without this "
      "rule");
}

std::string write_certificate(const std::string& path, const Problem& problem,
                              const Question& question, const RunLimits& limits,
                              const Solution& solution) {
  if (!path.empty() && solution.status == Status::unknown) {
    return fmt::format("no proof written to {}: there is no mapping\n", path);
  }
  return write_proof(path, limits, [&](const Sink& sink, const RunLimits& left) {
    ProofSize size{0, "records", 0};
    size.records = prove(problem.architecture, problem.graph, question, left, solution,
                         [&](std::string_view piece) {
                           size.bytes += piece.size();
                           sink(piece);
                         });
    return size;
  });
}

std::string write_certificate(const std::string& path, const Problem& problem,
                              const RunLimits& limits, const Front& front) {
  return write_proof(
      path, front.status, front.seconds, limits, [&](const Sink& sink, const RunLimits& left) {
        const FrontProofSize size = prove(problem.architecture, problem.graph, left, front, sink);
        return ProofSize{size.records, "records", size.bytes};
      });
}

}  // namespace pimbb::crossbar::cli

// The proof of a solution for --proof.
#include "dram_pim/cli/certificate.hpp"

#include "pimbb/dram_pim/device_proof.hpp"
#include "pimbb/dram_pim/front_proof.hpp"
#include "pimbb/dram_pim/padded.hpp"
#include "pimbb/dram_pim/proof.hpp"

namespace pimbb::dram_pim::cli {

void check_proof(const OutputSettings& output, Method method) {
  terminal::check_proof(output, name(method), method == Method::exact, name(Method::exact));
}

std::string write_proof(const std::string& path, const Architecture& architecture,
                        const Workload& workload, const Question& question, const RunLimits& limits,
                        const Solution& solution) {
  return terminal::write_proof(
      path, solution.status, solution.seconds, limits,
      [&](const Sink& sink, const RunLimits& left) {
        if (workload.may_be_padded()) {
          const auto size = prove_padded(architecture, workload, question, left, solution, sink);
          return terminal::ProofSize{size.leaves, "leaves", size.bytes};
        }
        ProofWriter writer(sink);
        prove(architecture, workload, question, left, solution, {&writer});
        return terminal::ProofSize{writer.leaves(), "leaves", writer.bytes()};
      });
}

std::string write_proof(const std::string& path, const Device& device, const Workload& layer,
                        const Moves& moves, const Question& question, const RunLimits& limits,
                        const DeviceSolution& solution) {
  return terminal::write_proof(path, solution.status, solution.seconds, limits,
                               [&](const Sink& sink, const RunLimits& left) {
                                 const auto size =
                                     prove(device, layer, moves, question, left, solution, sink);
                                 return terminal::ProofSize{size.leaves, "leaves", size.bytes};
                               });
}

std::string write_proof(const std::string& path, const Architecture& architecture,
                        const Workload& layer, const Question& question, const RunLimits& limits,
                        const Front& front) {
  return terminal::write_proof(
      path, front.status, front.seconds, limits, [&](const Sink& sink, const RunLimits& left) {
        const auto size = prove(architecture, layer, question, left, front, sink);
        return terminal::ProofSize{size.leaves, "leaves", size.bytes};
      });
}

}  // namespace pimbb::dram_pim::cli

// The proof of this kind of accelerator, in the file that any kind writes.
#include "cim/cli/certificate.hpp"

#include "pimbb/cim/front_proof.hpp"
#include "pimbb/cim/proof.hpp"
#include "terminal/certificate.hpp"

namespace pimbb::cim::cli {

std::string write_certificate(const std::string& path, const Architecture& architecture,
                              const Workload& workload, const Question& question,
                              const RunLimits& limits, const Solution& solution) {
  return write_proof(path, solution.status, solution.seconds, limits,
                     [&](const Sink& sink, const RunLimits& left) {
                       ProofWriter writer(sink);
                       prove(architecture, workload, question, left, solution, {&writer});
                       return ProofSize{writer.schemes(), "spatial schemes", writer.bytes()};
                     });
}

std::string write_certificate(const std::string& path, const Architecture& architecture,
                              const Workload& layer, const Question& question,
                              const RunLimits& limits, const Front& front) {
  return write_proof(path, front.status, front.seconds, limits,
                     [&](const Sink& sink, const RunLimits& left) {
                       const auto size = prove(architecture, layer, question, left, front, sink);
                       return ProofSize{size.schemes, "spatial schemes", size.bytes};
                     });
}

}  // namespace pimbb::cim::cli

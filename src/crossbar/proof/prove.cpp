// The document: problem, mapping, claim, and the tree that the refutations tell.
#include "crossbar/proof/canonical.hpp"
#include "crossbar/proof/refute.hpp"
#include "files/sha256.hpp"
#include "pimbb/crossbar/proof.hpp"
#include "pimbb/error.hpp"
#include "pimbb/proof_pieces.hpp"
#include "run/clock.hpp"
#include "run/guard.hpp"
#include "run/limited.hpp"

namespace pimbb::crossbar {
namespace {

void check_provable(const Architecture& architecture, const Solution& solution) {
  proof::check_covered(architecture);
  if (solution.status != Status::infeasible && !solution.mapping) {
    throw InputError("proof: found a solution whose status is '" +
                     std::string(name(solution.status)) +
                     "', allowed are optimal, feasible and infeasible");
  }
}

}  // namespace

std::uint64_t prove(const Architecture& architecture, const NodeGraph& graph,
                    const Question& question, const RunLimits& limits, const Solution& solution,
                    const std::function<void(std::string_view)>& sink) {
  check_provable(architecture, solution);
  const Partition partition = make_partition(architecture, graph);
  const assign::Problem problem(architecture, partition);
  const run::Clock clock(limits);
  assign::Effort effort = assign::Effort::within(limits, clock);
  ProofPieces pieces(sink);
  std::uint64_t records = 0;
  const assign::Trace trace = [&](const std::string& record) {
    pieces.add(record + "\n");
    ++records;
  };
  run::limited(limits, "proof", [&] {
    const std::string instance = canonical_instance(architecture, graph, question);
    pieces.begin("pimbb-crossbar-proof/1", files::sha256(instance), instance);
    if (!solution.mapping) {
      pieces.infeasible();
      proof::refute_all(problem, effort, trace);
      return;
    }
    const GoalResult& result = solution.result;
    pieces.mapping(proof::mapping_text(*solution.mapping));
    pieces.add("goal " + std::string(name(result.goal)) + " " + result.value.to_string());
    if (result.bound < result.value) pieces.add(" " + result.bound.to_string());
    pieces.add("\n");
    if (result.goal == Goal::ll) {
      proof::refute_latency(problem, result.bound, effort, trace);
    } else {
      proof::refute_throughput(problem, *result.bound.in_units(1), effort, trace);
    }
  });
  pieces.end();
  return records;
}

Proof prove(const Architecture& architecture, const NodeGraph& graph, const Question& question,
            const RunLimits& limits, const Solution& solution) {
  Proof proof;
  proof.records = prove(architecture, graph, question, limits, solution,
                        [&](std::string_view piece) { proof.text += piece; });
  return proof;
}

}  // namespace pimbb::crossbar

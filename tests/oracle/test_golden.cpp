// The oracle against evaluations computed elsewhere.
#include <doctest/doctest.h>

#include "support/oracle_cost.hpp"
#include "support/oracle_feasibility.hpp"
#include "support/plain_json.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Json;

namespace {

void check_evaluation(const Json& line) {
  const Architecture a = testkit::read_architecture(line.at("architecture"));
  const Workload w = testkit::read_workload(line.at("workload"));
  const Mapping m = testkit::read_mapping(line.at("mapping"), a);
  const oracle::CostOracle oracle(a, w, testkit::read_row_model(line.at("row_model")));
  CHECK(oracle::broken_rule(a, w, m) == "");
  const oracle::Cost cost = oracle.evaluate(m);
  const Json& metrics = line.at("metrics");
  // The golden sums were made in floating point: 26.985760000000006 stands for 26.98576.
  const auto same = [](const oracle::Fraction& value, const Json& golden) {
    CHECK(value.to_double() == doctest::Approx(golden.get<double>()).epsilon(1e-13));
  };
  same(cost.latency, metrics.at("latency"));
  same(cost.energy, metrics.at("energy"));
  same(cost.compute_cycles, metrics.at("compute_cycles"));
  same(cost.interconnect_cycles, metrics.at("interconnect_cycles"));
  for (std::size_t level = 0; level < a.levels.size(); ++level) {
    const std::string& name = a.levels[level].name;
    const Json cycles = metrics.at("memory_cycles").value(name, Json(0));
    if (level < a.row_buffer()) same(cost.level_cycles.at(level), cycles);
    const Json all_reads = metrics.at("reads").value(name, Json::object());
    for (const auto& [tensor, reads] : all_reads.items()) {
      const std::size_t t = tensor == "input" ? 0 : tensor == "weight" ? 1 : 2;
      same(cost.tensors[t].reads_total.at(level), reads);
    }
  }
  for (const Tensor t : kAllTensors) {
    const std::string tensor(name(t));
    same(cost.tensors[index(t)].activations, metrics.at("row_activations").at(tensor));
    same(cost.tensors[index(t)].dram_cycles, metrics.at("dram_cycles").at(tensor));
  }
}

}  // namespace

TEST_CASE("golden evaluations") {
  for (const Json& line : testkit::golden_lines("evaluations.jsonl")) {
    CAPTURE(line.dump());
    check_evaluation(line);
  }
}

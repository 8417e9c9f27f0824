// `dram_streams: shared`: one column path of the DRAM for all tensors, so that their cycles add up.
// Against a count by hand, exhaustive search and the golden slices of devices; proven to the
// checker.
#include <doctest/doctest.h>

#include <algorithm>

#include "dram_pim/solver/by_seed.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "support/cases.hpp"
#include "support/certify.hpp"
#include "support/check_solution.hpp"
#include "support/full_size.hpp"
#include "support/plain_json.hpp"
#include "support/solve_options.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Instance;
using testkit::Json;

namespace {

/// Random problems whose tensors share a stream, some under free bypass.
template <class Check>
void by_seed_shared(std::uint64_t first, std::size_t count, std::int64_t macs, const Check& check) {
  testkit::by_seed(first, count, {.macs = macs}, [&](Instance i) {
    i.architecture.shared_streams = true;
    CAPTURE(testkit::to_json(i));
    check(i);
  });
}

/// The slice of a witness, which is the whole problem of its unit.
Workload slice_of(const Json& line) {
  Workload slice = testkit::read_workload(line.at("layer"));
  slice.bounds = testkit::read_workload(line.at("witness").at(0).at("slice")).bounds;
  return slice;
}

}  // namespace

TEST_CASE("shared streams: the tensors' cycles add up") {
  Instance i{testkit::simple_pim(), testkit::resnet18_layers()[0], Objective::parse("latency"),
             RowModel::trace};
  const Solution apart = testkit::solve(i.architecture, i.workload, testkit::options_for(i));
  Architecture shared = i.architecture;
  shared.shared_streams = true;
  const Metrics one = evaluate(i.architecture, i.workload, *apart.mapping, i.row_model);
  const Metrics all = evaluate(shared, i.workload, *apart.mapping, i.row_model);
  CHECK(all.dram_cycles == one.dram_cycles);
  CHECK(all.energy == one.energy);
  CHECK(dram_busy(i.architecture, one) == *std::ranges::max_element(one.dram_cycles));
  CHECK(dram_busy(shared, all) == all.dram_cycles[0] + all.dram_cycles[1] + all.dram_cycles[2]);
  CHECK(all.latency == max(one.latency, dram_busy(shared, all)));
}

TEST_CASE("shared streams: the optimum is the exhaustive search's") {
  by_seed_shared(12'000'000, testkit::cases(800), 16, [](const Instance& i) {
    const Solution s = solve(i.architecture, i.workload, testkit::options_for(i));
    CHECK(testkit::complaint(
              i, s, oracle::brute_force(i.architecture, i.workload, i.objective, i.row_model)) ==
          "");
  });
}

TEST_CASE("shared streams: larger problems are proven to the checker") {
  by_seed_shared(13'000'000, testkit::cases(60), 96, [](const Instance& i) {
    const Solution s = solve(i.architecture, i.workload, testkit::options_for(i));
    CHECK(testkit::unproven(i, s) == "");
  });
}

TEST_CASE("shared streams: a proof names them, and only then") {
  Instance i{testkit::simple_pim(), testkit::resnet18_layers()[0], Objective::parse("latency"),
             RowModel::trace};
  const auto canonical = [&] {
    return canonical_instance(i.architecture, i.workload, i.objective, i.row_model);
  };
  CHECK(canonical().find("dram_streams") == std::string::npos);
  i.architecture.shared_streams = true;
  CHECK(canonical().find(R"("dram_streams":"shared")") != std::string::npos);
}

TEST_CASE("shared streams: golden slices of devices") {
  std::size_t compared = 0;
  for (const Json& line : testkit::golden_lines("devices/device.jsonl")) {
    if (!line.at("device").at("unit").contains("dram_streams")) continue;
    if (line.at("witness").is_null()) continue;
    CAPTURE(line.at("name").get<std::string>());
    const Json& witness = line.at("witness").at(0);
    Instance i{testkit::read_architecture(line.at("device").at("unit")), slice_of(line),
               Objective::parse("latency"), testkit::read_row_model(line.at("row_model"))};
    const Rational latency = testkit::number(witness.at("slice_latency"));
    const Rational energy = testkit::number(witness.at("slice_energy"));
    const std::string goals = line.at("objective");
    if (goals.starts_with("latency") && !line.at("device").contains("phases")) {
      const Solution s = solve(i.architecture, i.workload, testkit::options_for(i));
      CHECK(testkit::false_claim(i, s) == "");
      CHECK(s.goals.at(0).value == latency);
    }
    // What is optimal costs no less energy than its slice in the same time.
    testkit::SolveOptions options = testkit::options_for(i);
    options.objective = Objective::parse("energy");
    options.caps = {{Goal::latency, latency}};
    const Solution least = testkit::solve(i.architecture, i.workload, options);
    REQUIRE(least.status == Status::optimal);
    CHECK(least.goals.at(0).value <= energy);
    if (goals == "energy" || goals == "edp" || goals.starts_with("latency,energy")) {
      CHECK(least.goals.at(0).value == energy);
    }
    ++compared;
  }
  MESSAGE("compared " << compared << " golden slices");
}

// The corpus `hard`: its machines and layers are what the header promises.
#include "dram_pim/cli/bench_hard.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "pimbb/dram_pim/io.hpp"

namespace pimbb::dram_pim::cli {
namespace {

std::map<std::string, Architecture> machines_by_name() {
  std::map<std::string, Architecture> machines;
  for (const Architecture& machine : hard_machines()) {
    CHECK(machines.emplace(machine.name, machine).second);
  }
  return machines;
}

TEST_CASE("hard machines: arrays, buffers and rows as named") {
  const auto machines = machines_by_name();
  const auto check = [&](const std::string& name, std::int64_t side, std::int64_t buffer,
                         std::optional<std::int64_t> row_tile) {
    CAPTURE(name);
    const Architecture& machine = machines.at(name);
    CHECK(machine.pe_array.height == side);
    CHECK(machine.pe_array.width == side);
    CHECK(machine.levels.size() == 4);
    CHECK(machine.levels[1].capacity == buffer);
    CHECK(machine.levels[2].capacity == row_tile);
    CHECK_FALSE(machine.levels[3].capacity.has_value());
  };
  check("array64_8k", 64, 8192, 8192);
  check("array128_8k", 128, 8192, 8192);
  check("array64_64k", 64, 65'536, std::nullopt);
  check("array64_2m", 64, 2'097'152, std::nullopt);
  check("array128_256k", 128, 262'144, std::nullopt);
  check("array128_1m", 128, 1'048'576, std::nullopt);
}

TEST_CASE("hard machines: levels, and those with free bypass, as named") {
  std::size_t checked = 0;
  for (const Architecture& machine : hard_machines()) {
    if (!machine.name.starts_with("levels")) continue;
    CAPTURE(machine.name);
    ++checked;
    CHECK(machine.levels.size() == static_cast<std::size_t>(machine.name[6] - '0'));
    const auto free = std::ranges::count_if(machine.levels, &MemoryLevel::bypass_free);
    const std::size_t place = machine.name.find("_free");
    CHECK(free == (place == std::string::npos ? 0 : machine.name[place + 5] - '0'));
    CHECK_FALSE(machine.levels[machine.row_buffer()].bypass_free);
    // Larger and dearer from level to level.
    for (std::size_t m = 1; m < machine.dram(); ++m) {
      CHECK(machine.levels[m].capacity > machine.levels[m - 1].capacity);
      CHECK(machine.levels[m].access_cost > machine.levels[m - 1].access_cost);
    }
  }
  CHECK(checked == 7);
}

TEST_CASE("hard machines: an activation of a row of 1 KB is simple_pim's") {
  const auto machines = machines_by_name();
  const Rational simple = read_architecture("simple_pim").activation_energy;
  CHECK(machines.at("array64_64k").activation_energy == simple);
  CHECK(machines.at("array128_1m").activation_energy == simple * 2);
  CHECK(machines.at("array64_8k").activation_energy == simple * 8);
}

TEST_CASE("hard cases: every machine and layer exists, each problem is there once") {
  auto machines = machines_by_name();
  for (const std::string& preset : architecture_presets()) {
    machines.emplace(preset, read_architecture(preset));
  }
  const std::vector<BenchCase> cases = hard_cases();
  std::set<std::string> names;
  std::set<std::string> used;
  for (const BenchCase& problem : cases) {
    CHECK(names.insert(problem.name()).second);
    CHECK(machines.contains(problem.architecture));
    used.insert(problem.architecture);
    validate(problem.workload);
  }
  CHECK(cases.size() == 381);
  for (const Architecture& machine : hard_machines()) {
    CAPTURE(machine.name);
    CHECK(used.contains(machine.name));
  }
}

TEST_CASE("hard cases: primes may grow to extents with divisors") {
  std::map<std::string, Factors> tops;
  for (const BenchCase& problem : hard_cases()) tops[problem.layer] = problem.workload.tops();
  CHECK(tops.at("hard:tokens_197") == Factors{1, 1, 200, 1, 768, 768, 16, 1});
  CHECK(tops.at("hard:tokens_257") == Factors{1, 1, 264, 1, 1024, 4096, 16, 1});
  CHECK(tops.at("hard:vocabulary") == Factors{1, 1, 16, 1, 768, 50'304, 1, 1});
  CHECK(tops.at("hard:conv_197") == Factors{3, 3, 200, 200, 264, 264, 16, 1});
  CHECK(tops.at("hard:primes") == Factors{1, 1, 197, 1, 257, 50'257, 16, 1});
}

}  // namespace
}  // namespace pimbb::dram_pim::cli

// Padded optima computed elsewhere: brute force over the whole box of padded bounds, and today's
// solver on every vector of bounds of real layers. Lines about whole devices are read by
// tests/dram_pim/device.
#include <doctest/doctest.h>

#include <fstream>
#include <iostream>
#include <sstream>

#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/padded.hpp"
#include "support/cases.hpp"
#include "support/golden_files.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using golden::Json;

namespace {

struct GoldenProblem {
  Architecture architecture;
  Workload layer;
  Question question;
};

/// The folder with the lines; nothing if PIMBB_SHARED is not set.
std::optional<std::filesystem::path> folder() { return golden::folder_of("devices"); }

Workload read_layer(const Json& line) {
  Json layer = line.at("layer");
  if (line.contains("pad")) layer["pad"] = line.at("pad");
  return parse_workload(layer.dump(), line.at("name").get<std::string>());
}

Question read_question(const Json& line) {
  Question question;
  question.objective = Objective::parse(line.at("objective").get<std::string>());
  if (line.contains("alpha")) question.objective.alpha = Rational::parse(line["alpha"].dump());
  if (line.contains("beta")) question.objective.beta = Rational::parse(line["beta"].dump());
  const auto model = line.value("row_model", std::string("trace"));
  for (const RowModel m : {RowModel::analytic, RowModel::hybrid, RowModel::trace, RowModel::none}) {
    if (name(m) == model) question.row_model = m;
  }
  return question;
}

void check(const GoldenProblem& p, const Json& line, double tolerance) {
  const std::string name = line.at("name");
  CAPTURE(name);
  const Solution s = solve_padded(p.architecture, p.layer, p.question, {.threads = 2});
  const Json& optimum = line.at("optimum");
  if (optimum.is_null()) {
    CHECK(s.status == Status::infeasible);
    return;
  }
  REQUIRE(s.status == Status::optimal);
  REQUIRE(optimum.size() == s.goals.size());
  for (std::size_t g = 0; g < s.goals.size(); ++g) {
    const double expected = optimum[g];
    CHECK(std::abs(s.goals[g].value.to_double() - expected) <= tolerance * std::abs(expected));
  }
}

void check_random(const char* file) {
  const auto path = folder();
  if (!path) return;
  std::size_t compared = 0;
  for (const Json& line : golden::lines(*path / file)) {
    const Json& device = line.at("device");
    const bool is_device = !device.at("levels").empty() || device.contains("launch") ||
                           device.contains("refresh") || device.contains("capacity");
    if (is_device) continue;  // tests/dram_pim/device
    check({parse_architecture(device.at("unit").dump(), "unit"), read_layer(line),
           read_question(line)},
          line, 0);
    ++compared;
  }
  std::cout << file << ": " << compared << " lines about one unit compared\n";
  CHECK(compared > 0);
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  REQUIRE(stream);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("golden padded optima: random problems") { check_random("padded.jsonl"); }
TEST_CASE("golden padded optima: random problems where padding pays") {
  check_random("padwin.jsonl");
}

TEST_CASE("golden padded optima: real layers") {
  const auto path = folder();
  if (!path) return;
  std::size_t compared = 0;
  std::size_t number = 0;
  for (const Json& line : golden::lines(*path / "real_padded.jsonl")) {
    if (!testkit::chosen(number++)) continue;
    const std::string unit = line.at("architecture");
    const Architecture a = parse_architecture(text_of(*path / "units" / (unit + ".yaml")), unit);
    check({a, read_layer(line), read_question(line)}, line, 1e-9);
    ++compared;
  }
  std::cout << "real_padded.jsonl: " << compared << " lines compared\n";
}

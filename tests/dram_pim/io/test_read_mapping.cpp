// Mapping files: every key, levels in any order, every way to be refused, and the golden mappings.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "pimbb/dram_pim/feasibility.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using texts::contains;
using texts::edit;
using texts::error_of;

namespace {

Mapping parse_mapping(std::string_view text) {
  return parse_mapping(text, "m.json", texts::small_architecture());
}

}  // namespace

TEST_CASE("every key of a mapping is read") {
  const Mapping m = parse_mapping(texts::kMapping);
  CHECK(m.spatial_in(Direction::H)[index(Dim::K)] == 8);
  CHECK(m.spatial_in(Direction::W)[index(Dim::C)] == 4);
  CHECK(m.spatial_in(Direction::internal) == kOnes);
  REQUIRE(m.levels.size() == 4);
  CHECK(m.levels[3].loops == std::vector<Loop>{{Dim::P, 2}, {Dim::Q, 4}});  // no factor of 1
  CHECK(m.levels[0].loops == std::vector<Loop>{{Dim::R, 3}, {Dim::C, 2}});  // in the fixed order
  CHECK(m.levels[1].loops.empty());
  CHECK(m.levels[2].loops.empty());
  CHECK(m.levels[0].stores == TensorFlags{false, false, true});
  CHECK(m.levels[1].stores == TensorFlags{true, true, false});
  CHECK(m.levels[2].stores == TensorFlags{true, true, true});
  CHECK(m.levels[3].stores == TensorFlags{true, true, true});
  CHECK(m.layout == std::array{Layout::row_aligned, Layout::sequential, Layout::row_aligned});
  CHECK(m.input_block == Block{10, 5});
}

TEST_CASE("groups are loops and spatial factors; level 0 runs them outermost") {
  const std::string text =
      edit(edit(texts::kMapping, R"([["C", 2], ["R", 3]])", R"([["C", 2], ["G", 4], ["R", 3]])"),
           R"({"K": 8})", R"({"K": 8, "G": 2})");
  const Mapping m = parse_mapping(text);
  CHECK(m.spatial_in(Direction::H)[index(Dim::G)] == 2);
  CHECK(m.levels[0].loops == std::vector<Loop>{{Dim::G, 4}, {Dim::R, 3}, {Dim::C, 2}});
}

TEST_CASE("a mapping is found inside its document") {
  const Mapping bare = parse_mapping(texts::kMapping);
  const std::string head = R"({"format": "pimbb-mapping/1", "status": "optimal", "mapping": )";
  CHECK(parse_mapping(head + std::string(texts::kMapping) + R"(, "stats": {"nodes": 1}})") == bare);
  CHECK(parse_mapping(R"({"mapping": )" + std::string(texts::kMapping) + "}") == bare);
}

TEST_CASE("a sequential input needs no block, and one that is given is checked") {
  const std::string sequential =
      edit(texts::kMapping, R"("input": "row_aligned")", R"("input": "sequential")");
  CHECK(parse_mapping(sequential).input_block == Block{});
  CHECK(parse_mapping(edit(sequential, ",\n \"input_block\": {\"h\": 10, \"w\": 5}", ""))
            .input_block == Block{});
  const std::string message =
      error_of([&] { parse_mapping(edit(sequential, "\"h\": 10", "\"h\": 0")); });
  CHECK(contains(message, "m.json:8:23: input_block.h: found 0, allowed are integers >= 1"));
}

TEST_CASE("a bad mapping is refused with its place, its key and what is allowed") {
  struct Refusal {
    std::string_view from;
    std::string_view to;
    std::string_view message;
  };
  static constexpr Refusal kRefusals[] = {
      {"\"K\": 8", "\"K\": 0", "m.json:1:25: spatial.H.K: found 0, allowed are integers >= 1"},
      {"\"K\": 8", "\"K\": -8", "spatial.H.K: found -8"},
      {"\"K\": 8", "\"k\": 8", "spatial.H.k: found an unknown key (did you mean 'K'?)"},
      {"\"K\": 8", "\"K\": 8, \"K\": 8", "m.json:1:28: spatial.H.K: found the key a second time"},
      {"\"H\": {\"K\": 8}", "\"X\": {}", "spatial.X: found an unknown key, allowed are H, W, int"},
      {"[\"P\", 2]", "[\"P\", 0]", "m.json:3:38: temporal[0].loops[0][1]: found 0, allowed are"},
      {"[\"P\", 2]", "[\"X\", 2]",
       "m.json:3:33: temporal[0].loops[0][0]: found \"X\", allowed are R"},
      {"[\"P\", 2]", "[\"P\"]", "temporal[0].loops[0]: found a list of 1, allowed are pairs"},
      {"[\"P\", 2]", "\"P\"", "temporal[0].loops[0]: found \"P\", allowed are pairs"},
      {"[\"P\", 2]", "[\"P\", 2], [\"P\", 3]",
       "m.json:3:43: temporal[0].loops[1][0]: found a second loop over P, allowed are"},
      {"\"level\": \"GB\"", "\"level\": \"PE\"",
       "m.json:5:14: temporal[2].level: found a level a second time: \"PE\", allowed are each"},
      {"\"level\": \"GB\"", "\"level\": \"GC\"",
       "temporal[2].level: found \"GC\" (did you mean 'GB'?), allowed are PE, GB, RB, DRAM"},
      {"\"GB\": [\"weight\", \"input\"]", "\"RB\": []",
       "m.json:6:12: stores.GB: found nothing (the key is missing), allowed are lists of tensors"},
      {"\"GB\": [\"weight\", \"input\"]", "\"GB\": [\"weight\", \"weight\"]",
       "stores.GB[1]: found a tensor a second time: \"weight\", allowed are each tensor once"},
      {"\"GB\": [\"weight\", \"input\"]", "\"GB\": [\"weights\"]",
       "stores.GB[0]: found \"weights\" (did you mean 'weight'?), allowed are input, weight, out"},
      {"\"GB\": [\"weight\", \"input\"]", "\"L2\": []",
       "stores.L2: found an unknown key, allowed are PE, GB, RB, DRAM"},
      {"\"weight\": \"sequential\"", "\"weight\": \"row\"",
       "m.json:7:47: layout.weight: found \"row\" (did you mean 'row_aligned'?), allowed are "
       "sequential, row_aligned"},
      {", \"weight\": \"sequential\"", "", "layout.weight: found nothing"},
      {",\n \"input_block\": {\"h\": 10, \"w\": 5}", "",
       "m.json:1:1: input_block: found nothing (the key is missing)"},
      {"\"layout\"", "\"layouts\"", "layouts: found an unknown key (did you mean 'layout'?)"},
  };
  for (const Refusal& r : kRefusals) {
    CAPTURE(r.to);
    const std::string message =
        error_of([&] { parse_mapping(edit(texts::kMapping, r.from, r.to)); });
    CAPTURE(message);
    CHECK(contains(message, "m.json:"));
    CHECK(contains(message, r.message));
  }
}

TEST_CASE("documents that hold no mapping") {
  CHECK(contains(
      error_of([] { parse_mapping(R"({"format": "pimbb-mapping/1", "status": "infeasible"})"); }),
      "m.json:1:1: mapping: found nothing"));
  CHECK(contains(error_of([] { parse_mapping(R"({"format": "pimbb-network/1", "layers": []})"); }),
                 "m.json:1:12: format: found \"pimbb-network/1\", allowed are pimbb-mapping/1"));
  CHECK(contains(error_of([] { parse_mapping(R"({"mapping": {}, "maping": 1})"); }),
                 "maping: found an unknown key (did you mean 'mapping'?)"));
}

// One JSON object a line: architecture, workload, row_model, mapping and metrics.
TEST_CASE("golden mappings are read and feasible") {
  const char* shared = std::getenv("PIMBB_SHARED");
  if (shared == nullptr) return;
  std::ifstream file(std::string(shared) + "/golden/evaluations.jsonl");
  REQUIRE(file.good());
  int count = 0;
  for (std::string line; std::getline(file, line); ++count) {
    const auto json = nlohmann::json::parse(line);
    const Architecture a = parse_architecture(json["architecture"].dump(), "architecture");
    const Workload w = parse_workload(json["workload"].dump(), "workload");
    const Mapping m = parse_mapping(json["mapping"].dump(), "mapping", a);
    CAPTURE(line);
    const auto violation = find_violation(a, w, m);
    CHECK_MESSAGE(!violation, (violation ? violation->message : ""));
  }
  CHECK(count > 0);
}

// Result documents: their keys in order, their numbers, and mappings that survive a round trip.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <nlohmann/json.hpp>

#include "dram_pim/io/result_json.hpp"
#include "dram_pim/model/architecture_fields.hpp"
#include "files/json_text.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/dram_pim/layout_plan.hpp"
#include "support/solve_options.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::SolveOptions;
using texts::contains;
using Json = nlohmann::ordered_json;

namespace {

Workload layer() { return parse_workload(texts::kWorkload, "w.json"); }
Mapping mapping() { return parse_mapping(texts::kMapping, "m.json", texts::small_architecture()); }

Metrics metrics() {
  Metrics m;
  m.latency = 1806336;
  m.energy = Rational(1, 3);
  m.compute_cycles = 1806336;
  m.dram_cycles = {Rational(231, 2), 37, 61};
  m.row_activations = {Rational(15, 2), 1, 1};
  m.levels.resize(4);
  m.levels[0].cycles = 903168;
  m.levels[0].reads[2] = 96;
  m.levels[0].buffer_utilization[2] = Rational(1, 2);
  m.levels[1].cycles = Rational(1806336, 5);
  m.levels[1].reads = {36, 48, std::nullopt};
  m.levels[2].reads = {36, 48, 96};
  m.pe_utilization = 1;
  return m;
}

Solution solution() {
  Solution s;
  s.status = Status::feasible;
  s.mapping = mapping();
  s.metrics = metrics();
  s.goals = {{Goal::latency, 1806336, 1204224}, {Goal::blended, Rational(7, 2), Rational(7, 2)}};
  s.nodes = 12;
  s.leaves = 3;
  s.seconds = 0.25;
  s.threads = 2;
  return s;
}

SolveOptions options() {
  SolveOptions o;
  o.objective.goals = {Goal::latency, Goal::blended};
  o.objective.alpha = Rational(1, 10);
  o.row_model = RowModel::trace;
  return o;
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [key, value] : object.items()) names.push_back(key);
  return names;
}

using Keys = std::vector<std::string>;

}  // namespace

TEST_CASE("the document of a layer has its keys in order") {
  const std::string text =
      solution_json(texts::small_architecture(), layer(), options(), options(), solution());
  CHECK(text.back() == '\n');
  const Json json = Json::parse(text);
  CHECK(keys(json) == Keys{"format", "layer", "method", "status", "objective", "mapping", "metrics",
                           "workload", "architecture", "stats"});
  CHECK(json["format"] == "pimbb-mapping/1");
  CHECK(json["layer"] == "conv");
  CHECK(json["status"] == "feasible");
  const Json& objective = json["objective"];
  CHECK(keys(objective) == Keys{"name", "row_model", "value", "bound", "gap", "exact", "then"});
  CHECK(objective["name"] == "latency");
  CHECK(objective["row_model"] == "trace");
  CHECK(objective["value"] == 1806336);
  CHECK(objective["bound"] == 1204224);
  CHECK(objective["exact"]["gap"] == "1/3");
  REQUIRE(objective["then"].size() == 1);
  CHECK(objective["then"][0]["name"] == "blended");
  CHECK(objective["then"][0]["value"] == 3.5);
  CHECK(objective["then"][0]["gap"] == 0);
  CHECK(objective["then"][0]["alpha"] == 0.1);
  CHECK(objective["then"][0]["beta"] == 1);
  CHECK(keys(json["mapping"]) == Keys{"spatial", "temporal", "stores", "layout", "input_block"});
  CHECK(keys(json["stats"]) == Keys{"nodes", "leaves", "choices", "lp_solves", "lp_iterations",
                                    "seam_tables", "known_seam_tables", "memory", "seconds",
                                    "threads"});
  CHECK(json["stats"]["leaves"] == 3);
}

TEST_CASE("metrics are doubles, and exact beside it") {
  const Json json = Json::parse(
      solution_json(texts::small_architecture(), layer(), options(), options(), solution()));
  const Json& m = json["metrics"];
  CHECK(keys(m) == Keys{"exact", "latency", "energy", "compute_cycles", "memory_cycles",
                        "dram_cycles", "interconnect_cycles", "cycles_by_level", "reads",
                        "row_activations", "buffer_utilization", "bandwidth_utilization",
                        "energy_by_level", "pe_utilization", "tiles", "tile_rows"});
  CHECK(m["energy"] == 1.0 / 3.0);
  CHECK(m["memory_cycles"] == Json{{"PE", 903168}, {"GB", 361267.2}});
  CHECK(m["dram_cycles"]["input"] == 115.5);
  CHECK(m["reads"]["GB"] == Json{{"input", 36}, {"weight", 48}});
  CHECK_FALSE(m["reads"].contains("DRAM"));
  CHECK(m["buffer_utilization"] == Json{{"PE", {{"output", 0.5}}}});
  CHECK(m["bandwidth_utilization"]["PE"] == 0.5);
  CHECK(m["cycles_by_level"] == Json{{"compute", 1806336},
                                     {"PE", 903168},
                                     {"GB", 361267.2},
                                     {"DRAM", {{"input", 115.5}, {"weight", 37}, {"output", 61}}}});
  CHECK(m["exact"]["latency"] == "1806336");
  CHECK(m["exact"]["energy"] == "1/3");
  CHECK(m["exact"]["row_activations"]["input"] == "15/2");
  CHECK(m["exact"]["bandwidth_utilization"]["GB"] == "1/5");
  Json numbers = m;
  numbers.erase("exact");
  numbers.erase("tiles");  // integers
  numbers.erase("tile_rows");
  CHECK(keys(numbers) == keys(m["exact"]));
}

TEST_CASE("without a mapping there is a reason instead") {
  Solution none;
  none.status = Status::infeasible;
  none.reason = "PE cannot hold one element";
  Json json =
      Json::parse(solution_json(texts::small_architecture(), layer(), options(), options(), none));
  CHECK(keys(json) == Keys{"format", "layer", "method", "status", "objective", "reason", "workload",
                           "architecture", "stats"});
  CHECK(json["reason"] == "PE cannot hold one element");
  CHECK(keys(json["objective"]) == Keys{"name", "row_model", "then"});

  none.status = Status::unknown;
  none.reason.clear();
  none.goals = {{Goal::latency, 0, 1000}};
  json =
      Json::parse(solution_json(texts::small_architecture(), layer(), options(), options(), none));
  CHECK(json["status"] == "unknown");
  CHECK(contains(json["reason"].get<std::string>(), "limit"));
  CHECK(json["objective"]["bound"] == 1000);
  CHECK_FALSE(json["objective"].contains("value"));
}

TEST_CASE("an evaluation claims nothing") {
  const Json json = Json::parse(evaluation_json(texts::small_architecture(), layer(),
                                                RowModel::hybrid, mapping(), metrics()));
  CHECK(keys(json) ==
        Keys{"format", "layer", "row_model", "mapping", "metrics", "workload", "architecture"});
  CHECK(json["row_model"] == "hybrid");
}

TEST_CASE("a network's document") {
  NetworkSolution result;
  result.layers = {{layer(), 3, solution()}, {layer(), 1, solution()}};
  result.status = Status::feasible;
  result.totals = {100, Rational(1, 2), 7, 12345};
  result.seconds = 1.5;
  const Json json =
      Json::parse(network_json(texts::small_architecture(), parse_network(texts::kNetwork, "n"),
                               options(), options(), result));
  CHECK(keys(json) == Keys{"format", "name", "objective", "row_model", "method", "status", "layers",
                           "totals", "architecture", "stats"});
  CHECK(json["format"] == "pimbb-network/1");
  CHECK(json["name"] == "pair");
  REQUIRE(json["layers"].size() == 2);
  CHECK(json["layers"][0]["repetitions"] == 3);
  CHECK(json["layers"][0]["weight"] == 0.25);
  CHECK(json["layers"][0]["mapping"]["spatial"]["H"]["K"] == 8);
  CHECK(keys(json["totals"]) ==
        Keys{"latency", "energy", "edp", "activations", "macs", "exact", "left_out"});
  CHECK(json["totals"]["left_out"].dump() ==
        R"({"layers":[],"skipped":null,"other_operators":null})");
  CHECK(json["objective"] == "latency,blended");
  CHECK(json["totals"]["edp"] == 50);
  CHECK(json["totals"]["exact"]["energy"] == "1/2");
  CHECK(json["stats"]["nodes"] == 24);
}

TEST_CASE("a network's document tells what its nodes move") {
  const Network network = parse_network(R"(
layers: [{name: a, R: 1, S: 1, P: 4, Q: 4, C: 2, K: 3, N: 1}]
graph: [{node: n, layer: a}, {node: relu, op: Relu}, {node: pool, op: GlobalAveragePool}]
)",
                                        "n");
  NetworkSolution result;
  result.layers = {{layer(), 1, solution()}, {layer(), 1, {}}};
  const Json json =
      Json::parse(network_json(texts::small_architecture(), network, options(), options(), result));
  REQUIRE(json["nodes"].size() == 3);
  CHECK(!json["nodes"][0].contains("moved"));            // a layer
  const Json moved{{"bytes", 2 * 3 * 16}, {"rows", 2}};  // read and written
  CHECK(json["nodes"][1]["moved"] == moved);
  CHECK(json["nodes"][2]["moved"].is_null());  // the pool's result has no shape
  const Json& kinds = json["passed_through"];
  CHECK(kinds["element_wise"] ==
        Json{{"nodes", 1}, {"unknown_shape", 0}, {"bytes", 96}, {"rows", 2}});
  CHECK(kinds["pooling"] == Json{{"nodes", 0}, {"unknown_shape", 1}, {"bytes", 0}, {"rows", 0}});
  CHECK(kinds.size() == 2);
  CHECK(json["totals"]["left_out"].dump() ==
        R"({"layers":["conv"],"skipped":{},"other_operators":{"GlobalAveragePool":1,"Relu":1}})");
}

TEST_CASE("a plan's document has the part of each goal that copies have, and where tensors lie") {
  Network network;
  network.name = "net";
  network.graph.emplace();
  for (const char* name : {"x", "y"}) network.graph->tensors.emplace_back().name = name;
  network.graph->nodes.emplace_back().name = "conv";
  LayoutPlan plan;
  plan.status = Status::feasible;
  plan.goals = {{Goal::latency, 30, 20}, {Goal::energy, 7, 7}};
  plan.passes = {3, Rational(1, 2)};
  plan.alone = {25, 6};
  plan.reconciled = {33, 8};
  plan.shared.resize(2);
  plan.shared[0].tensors = {0, 1};
  plan.shared[0].frame = {5, 6, 1, 2};
  plan.shared[1].tensors = {1};
  plan.shared[1].layout = Layout::row_aligned;
  plan.shared[1].box = {1, 2, 3, 4};
  PlannedLayer& planned = plan.layers.emplace_back();
  planned.workload = layer();
  planned.solution = solution();
  planned.writes = 1;
  planned.after = {1, 2, 3};
  const Json json = Json::parse(
      layout_plan_json(texts::small_architecture(), network, options(), options(), plan));
  CHECK(json["relayout"] ==
        Json{{"latency", 3}, {"energy", 0.5}, {"exact", {{"latency", "3"}, {"energy", "1/2"}}}});
  CHECK(json["layers_alone"]["latency"] == 25);
  CHECK(json["layers_alone_reconciled"]["energy"] == 8);
  REQUIRE(json["objective"].size() == 2);
  CHECK(json["objective"][0]["exact"]["gap"] == "1/3");
  CHECK(json["tensors"][0].dump() == R"({"tensors":["x","y"],"layout":"sequential","order":"nchw",)"
                                     R"("frame":{"height":5,"width":6,"top":1,"left":2}})");
  CHECK(json["tensors"][1].dump() == R"({"tensors":["y"],"layout":"row_aligned","box":[1,2,3,4]})");
  const Json& one = json["layers"][0];
  CHECK(one["node"] == "conv");
  CHECK(one["reads"].is_null());
  CHECK(one["writes"] == 1);
  CHECK(one["relayout_before"]["latency"] == 0);
  CHECK(one["relayout_after"]["activations"] == 3);
  CHECK(one["result"]["mapping"]["spatial"]["H"]["K"] == 8);
}

TEST_CASE("energy by level, tensor by tensor") {
  const Architecture a = parse_architecture(
      texts::edit(texts::kSmallArchitecture, "latency: 1, access_cost: 0, stores",
                  "latency: 1, access_cost: 0.5, stores"),
      "a");
  Metrics m = metrics();
  m.row_activations = {Rational(15, 2), 1, 1};
  Architecture costly = a;
  costly.activation_energy = Rational(1, 3);
  const Json json =
      Json::parse(evaluation_json(costly, layer(), RowModel::trace, mapping(), m))["metrics"];
  const Json& parts = json["energy_by_level"];
  CHECK(keys(parts) == Keys{"mac", "PE", "GB", "RB", "DRAM", "activations"});
  CHECK(parts["mac"] == 3.0 * 2 * 8 * 4 * 16 * 32 * 5);
  CHECK(parts["PE"] == Json{{"output", 48}});
  CHECK(parts["DRAM"].empty());
  CHECK(parts["activations"]["input"] == 2.5);
  CHECK(json["exact"]["energy_by_level"]["activations"]["weight"] == "1/3");
}

TEST_CASE("the tiles of each level, in elements and bytes") {
  Architecture a = texts::small_architecture();
  a.bits = {8, 16, 32};
  const Json tiles = Json::parse(
      evaluation_json(a, layer(), RowModel::trace, mapping(), metrics()))["metrics"]["tiles"];
  CHECK(keys(tiles) == Keys{"PE", "GB", "RB", "DRAM"});
  // R 3 and C 2 in a PE, K 8 and C 4 on the array; the DRAM loops over P 2 and Q 4.
  CHECK(tiles["PE"].dump() == R"({"output":{"elements":1,"bytes":4}})");
  CHECK(tiles["GB"].dump() ==
        R"({"input":{"elements":24,"bytes":24},"weight":{"elements":192,"bytes":384}})");
  CHECK(keys(tiles["DRAM"]) == Keys{"input", "weight", "output"});
}

TEST_CASE("an architecture in a document is the file's, no key left out") {
  Architecture a = parse_architecture(texts::kArchitecture, "a.yaml");
  a.levels[1].access_cost = Rational(1, 3);  // no decimal has this value
  const Json json = io::architecture_json(a);
  const auto complete = [](const Json& part, const auto& fields) {
    for (const auto& field : fields) {
      if (field.key == "vault_count" || field.key == "pu_count") continue;  // a device's
      CAPTURE(field.key);
      CHECK(part.contains(std::string(field.key)));
    }
  };
  complete(json, kArchitectureFields);
  complete(json["pe_array"], kPeFields);
  complete(json["dram_timings"], kTimingFields);
  Json levels;  // each level has some of the optional keys
  for (const Json& level : json["memory_hierarchy"]) levels.update(level);
  complete(levels, kLevelFields);
  CHECK(json["memory_hierarchy"][1]["access_cost"] == "1/3");
  const std::string result =
      R"({"format": "pimbb-mapping/1", "architecture": )" + json.dump() + "}";
  for (const std::string& text : {json.dump(), result}) {
    CHECK(io::architecture_json(parse_architecture(text, "a.json")) == json);
  }
  CHECK(io::architecture_json(parse_architecture(texts::kSmallArchitecture, "a")) ==
        io::architecture_json(texts::small_architecture()));
}

TEST_CASE("a layer in a document is the file's") {
  Workload w = layer();
  w.weight = Rational(2, 3);
  const Workload again = parse_workload(layers::workload_json(w).dump(), "w.json");
  CHECK(again.name == w.name);
  CHECK(same_shape(again, w));
  const std::string text =
      solution_json(texts::small_architecture(), w, options(), options(), solution());
  CHECK(same_shape(parse_workload(text, "best.json"), w));
}

TEST_CASE("numbers are the shortest that read back") {
  const auto text = [](double value) { return files::to_text(Json(value)); };
  CHECK(text(1806336.0) == "1806336\n");
  CHECK(text(0.1) == "0.1\n");
  CHECK(text(1.0 / 3.0) == "0.3333333333333333\n");
  CHECK(text(9007199254740993.0) == "9007199254740992\n");
  CHECK(text(1e300) == "1e+300\n");
  CHECK(text(0.0) == "0\n");
  CHECK(rc::check("read back", [&](double value) {
    const std::string line = text(value);
    RC_ASSERT(Json::parse(line).get<double>() == value);
    RC_ASSERT(line.size() <= 25U);
  }));
}

TEST_CASE("text is readable and stays JSON") {
  Json json;
  json["loops"] = Json::array({Json::array({"K", 2}), Json::array({"R", 3})});
  json["empty"] = Json::object();
  json["name"] = "a \"quote\", a \xC3\xA9, a bad \xFF byte";
  CHECK(files::to_text(json) ==
        "{\n  \"loops\": [[\"K\", 2], [\"R\", 3]],\n  \"empty\": {},\n"
        "  \"name\": \"a \\\"quote\\\", a \xC3\xA9, a bad \xEF\xBF\xBD byte\"\n}\n");
  const std::string text =
      solution_json(texts::small_architecture(), layer(), options(), options(), solution());
  CHECK(contains(text, R"({"level": "PE", "loops": [["R", 3], ["C", 2]]})"));
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    CHECK(end - start <= 100);
    start = end + 1;
  }
}

TEST_CASE("any mapping survives a round trip") {
  const Architecture a = texts::small_architecture();
  CHECK(parse_mapping(solution_json(a, layer(), options(), options(), solution()), "m", a) ==
        mapping());
  Architecture warned = a;
  warned.warnings = {"a.yaml:1:1: key: enters no formula"};
  const std::string text = solution_json(warned, layer(), options(), options(), solution());
  CHECK(Json::parse(text).at("warnings") == warned.warnings);
  CHECK(parse_mapping(text, "m", a) == mapping());
  CHECK(rc::check("round trip", [&] {
    Mapping m;
    m.levels.resize(4);
    for (Factors& factors : m.spatial) {
      for (std::int64_t& f : factors) f = *rc::gen::inRange<std::int64_t>(1, 4);
    }
    for (std::size_t level = 0; level < 4; ++level) {
      for (const Dim d : kPeOrder) {
        const auto factor = *rc::gen::inRange<std::int64_t>(1, 4);
        if (*rc::gen::arbitrary<bool>() && factor > 1) m.levels[level].loops.push_back({d, factor});
      }
      for (bool& stored : m.levels[level].stores) stored = *rc::gen::arbitrary<bool>();
    }
    for (Layout& layout : m.layout) layout = static_cast<Layout>(*rc::gen::inRange(0, 2));
    if (m.layout[0] == Layout::row_aligned) m.input_block = {*rc::gen::inRange(1, 99), 7};
    const std::string given = evaluation_json(a, layer(), RowModel::trace, m, metrics());
    RC_ASSERT(parse_mapping(given, "m.json", a) == m);
  }));
}

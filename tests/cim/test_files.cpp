// Readers: presets, what is refused and how, and documents that are read again.
#include <doctest/doctest.h>

#include <string>

#include "layers/workload_json.hpp"
#include "pimbb/cim.hpp"
#include "pimbb/error.hpp"
#include "pimbb/io.hpp"

using namespace pimbb;
using namespace pimbb::cim;

namespace {

constexpr std::string_view kSmall = R"(architecture:
  kind: cim
  name: small
  bits: {input: 8, weight: 8, output: 8, psum: 16}
  leakage: 0.5
  macro: {input_bits_per_cycle: 3, activation_energy: 0.25}
  spatial_axes:
    - name: cores
      size: 2
      dims: [P, K]
      fan_out: {input: Buffer, weight: DRAM, output: DRAM}
  memory_hierarchy:
    - {name: Macro, size_bits: 64, bandwidth: 8, read_energy: 0, write_energy: 1e-3, stores: [false, true, false]}
    - {name: Buffer, size_bits: 512, bandwidth: 16, read_energy: 0.1, write_energy: 0.2, stores: [true, false, true], always_charged: true}
    - {name: DRAM, size_bits: -1, bandwidth: 64, read_energy: 1, write_energy: 1, stores: [true, true, true]}
)";

std::string edited(const std::string& from, const std::string& to) {
  std::string text(kSmall);
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// What is said about a bad file.
template <class Read>
std::string complaint(const Read& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}
std::string refused(const std::string& from, const std::string& to) {
  return complaint([&] { static_cast<void>(parse_architecture(edited(from, to), "a.yaml")); });
}
std::string refused_mapping(const std::string& text) {
  const Architecture a = parse_architecture(kSmall, "a.yaml");
  return complaint([&] { static_cast<void>(parse_mapping(text, "m.json", a)); });
}

bool contains(const std::string& text, const std::string& part) {
  CAPTURE(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an architecture is read as it stands") {
  const Architecture a = parse_architecture(kSmall, "a.yaml");
  CHECK(a.levels.size() == 3);
  CHECK(a.product_cycles() == 3);  // ceil(8 / 3)
  CHECK(a.leakage == Rational(1, 2));
  CHECK(a.axes[0].fan_out == PerTensor<std::size_t>{1, 2, 2});
  CHECK(a.chain(Tensor::weight) == std::vector<std::size_t>{0, 2});
  CHECK(a.innermost(Tensor::input) == 1);
  CHECK(!a.levels[2].size_bits);
  CHECK(!a.may_double(1, Tensor::input));
  CHECK(parse_architecture(edited("always_charged", "double_buffer: true, always_charged"), "a")
            .may_double(1, Tensor::output));
}

TEST_CASE("all presets are valid and differ as they say") {
  for (const std::string& name : architecture_presets()) {
    CAPTURE(name);
    const Architecture a = read_architecture(name);
    CHECK(a.name == name);
    CHECK_NOTHROW(validate(a));
  }
  const Architecture plain = read_architecture("miredo_default");
  Architecture pingpong = read_architecture("miredo_pingpong");
  CHECK(pingpong.may_double(0, Tensor::weight));
  CHECK(!plain.may_double(0, Tensor::weight));
  pingpong.levels[0].double_buffer.reset();
  pingpong.name = plain.name;
  CHECK(pingpong == plain);
  const Architecture table4 = read_architecture("miredo_table4");
  CHECK(*table4.levels[3].size_bits == 256 * 1024 * 8);
  CHECK(*table4.levels[5].size_bits == 8 * 1024 * 8);
}

TEST_CASE("bad architectures are refused by line, key, found and allowed") {
  CHECK(refused("kind: cim", "kind: abacus") ==
        "a.yaml:2:9: architecture.kind: found abacus, allowed are cim");
  CHECK(contains(refused("kind: cim", "nme: cim"),
                 "a.yaml:2:3: architecture.nme: found an unknown "
                 "key (did you mean 'name'?)"));
  CHECK(contains(refused("  kind: cim\n", ""), "architecture.kind: found nothing"));
  CHECK(refused("psum: 16", "psum: 0") ==
        "a.yaml:4:48: architecture.bits.psum: found 0, allowed are integers 1 .. 1024");
  CHECK(refused("leakage: 0.5", "leakage: -1") ==
        "a.yaml:5:12: architecture.leakage: found -1, allowed are numbers >= 0");
  CHECK(contains(refused("input: Buffer", "input: Macro"),
                 "spatial_axes[0].fan_out.input: found Macro, allowed are Buffer, DRAM"));
  CHECK(contains(refused("dims: [P, K]", "dims: [P, P]"), "found a dimension a second time: P"));
  CHECK(contains(refused("dims: [P, K]", "dims: [P, X]"), "dims[1]: found X, allowed are R, S"));
  CHECK(contains(refused("stores: [true, true, true]", "stores: [true, true, false]"),
                 "stores[2]: found false, allowed are true: the last level is the DRAM"));
  CHECK(contains(refused("bandwidth: 8,", "bandwidth: 0,"), "bandwidth: found 0"));
  CHECK(contains(refused("size_bits: 64", "size_bits: -2"), "size_bits: found -2"));
  CHECK(contains(refused("name: Buffer", "name: Macro"), "a second level named 'Macro'"));
  CHECK(contains(
      refused("stores: [true, true, true]}", "stores: [true, true, true], double_buffer: true}"),
      "double_buffer: found true, allowed are false"));
  CHECK(contains(
      refused("stores: [true, true, true]}", "stores: [true, true, true], always_charged: true}"),
      "always_charged: found true, allowed are false"));
}

TEST_CASE("figures beyond the exact range are refused") {
  Architecture a = parse_architecture(kSmall, "a.yaml");
  Workload layer = parse_workload("{P: 8, Q: 1, R: 1, S: 1, C: 2, K: 4, N: 1}", "l.yaml");
  a.levels[0].bandwidth = 1'000'000'007;
  a.levels[1].bandwidth = 998'244'353;
  a.levels[2].bandwidth = 1'000'000'009;
  CHECK(contains(complaint([&] { static_cast<void>(solve(a, layer)); }), "exact arithmetic"));
  a = parse_architecture(kSmall, "a.yaml");
  layer.bounds[index(Dim::P)] = std::int64_t{1} << 45;
  CHECK(contains(complaint([&] { static_cast<void>(solve(a, layer)); }), "exact arithmetic"));
}

TEST_CASE("layers give the plane of their input") {
  const Workload w =
      parse_workload("{P: 4, Q: 4, R: 3, S: 3, C: 1, K: 1, N: 1, input: [4, 5]}", "l.yaml");
  CHECK(w.input_plane == Plane{4, 5});
  const Workload again = parse_workload(layers::workload_json(w).dump(), "again");
  CHECK(again.input_plane == w.input_plane);
  CHECK(contains(complaint([] {
                   static_cast<void>(parse_workload(
                       "{P: 4, Q: 4, R: 3, S: 3, C: 1, K: 1, N: 1, input: [0, 5]}", "l.yaml"));
                 }),
                 "input[0]: found 0, allowed are integers >= 1"));
}

TEST_CASE("bad mappings are refused by line, key, found and allowed") {
  CHECK(contains(refused_mapping("{spatial: {}, loops: [[P, 2, Buffer, Macro, Bufer]]}"),
                 "loops[0][4]: found Bufer (did you mean 'Buffer'?), allowed are Macro"));
  CHECK(contains(refused_mapping("{spatial: {}, loops: [[P, 2, Buffer, Macro]]}"),
                 "found a list of 4, allowed are lists [DIMENSION, FACTOR"));
  CHECK(contains(refused_mapping("{spatial: {rows: {P: 2}}, loops: []}"), "spatial.rows"));
  CHECK(contains(refused_mapping("{spatial: {}, loops: [], double: {Macro: [weight, weight]}}"),
                 "found a tensor a second time"));
  CHECK(contains(refused_mapping("{format: pimbb-mapping/1, mapping: {}}"),
                 "format: found pimbb-mapping/1 (did you mean 'pimbb-cim-mapping/1'?), allowed"));
}

TEST_CASE("the rule that an infeasible mapping breaks is named") {
  const Architecture a = parse_architecture(kSmall, "a.yaml");
  const Workload layer = parse_workload("{P: 4, Q: 1, R: 1, S: 1, C: 2, K: 2, N: 1}", "l.yaml");
  const auto rule = [&](const std::string& text) {
    const auto broken = find_violation(a, layer, parse_mapping(text, "m", a));
    return broken ? broken->rule + " " + broken->where : "none";
  };
  const std::string good =
      "{spatial: {cores: {K: 2}}, loops: [[P, 4, DRAM, Macro, DRAM], [C, 2, Buffer, Macro, "
      "Buffer]]}";
  CHECK(rule(good) == "none");
  CHECK(rule("{spatial: {cores: {C: 2}}, loops: [[P, 4, DRAM, Macro, DRAM]]}") == "spatial cores");
  CHECK(rule("{spatial: {cores: {K: 2, P: 2}}, loops: []}") == "spatial cores");
  CHECK(rule("{spatial: {}, loops: [[P, 4, DRAM, Macro, DRAM]]}") == "factorization C");
  CHECK(rule("{spatial: {cores: {K: 2}}, loops: [[P, 3, DRAM, Macro, DRAM]]}") ==
        "factorization P");
  CHECK(rule("{spatial: {cores: {K: 2}}, loops: [[P, 4, Buffer, Macro, DRAM], [C, 2, DRAM, Macro, "
             "Buffer]]}") == "levels DRAM");
  CHECK(rule("{spatial: {cores: {K: 2}}, loops: [[P, 4, Macro, Macro, DRAM], [C, 2, Buffer, Macro, "
             "Buffer]]}") == "levels Macro");
  CHECK(rule("{spatial: {cores: {K: 2}}, double: {Buffer: [input]}, loops: [[P, 4, DRAM, Macro, "
             "DRAM], [C, 2, Buffer, Macro, Buffer]]}") == "double Buffer");
}

TEST_CASE("a solution is written and read again") {
  const Architecture a = read_architecture("miredo_default");
  const Workload layer = parse_workload(
      "{name: tiny, P: 8, Q: 8, R: 3, S: 3, C: 16, K: 32, N: 1, input: [8, 8]}", "l.yaml");
  const Question question;
  const Solution s = solve(a, layer, question);
  REQUIRE(s.mapping);
  const std::string text = solution_json(a, layer, question, {}, s);
  CHECK(contains(text, "\"format\": \"pimbb-cim-mapping/1\""));
  CHECK(contains(text, "\"status\": \"optimal\""));
  CHECK(parse_mapping(text, "s.json", a) == *s.mapping);
  const Metrics metrics = evaluate(a, layer, *s.mapping);
  CHECK(metrics.latency == s.metrics->latency);
  CHECK(parse_mapping(evaluation_json(a, layer, *s.mapping, metrics), "e.json", a) == *s.mapping);
}

// Architecture files: every key, every default, every way to be refused.
#include <doctest/doctest.h>

#include "pimbb/dram_pim/proof.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using texts::contains;
using texts::edit;
using texts::error_of;

namespace {

Architecture parse(std::string_view text) { return parse_architecture(text, "a.yaml"); }

struct Refusal {
  std::string_view from;  ///< in texts::kArchitecture
  std::string_view to;
  std::string_view place;
  std::string_view key;
  std::string_view message;
};

}  // namespace

TEST_CASE("every key of an architecture is read") {
  const Architecture a = parse(texts::kArchitecture);
  CHECK(a.name == "full");
  CHECK(a.pe_array.height == 4);
  CHECK(a.pe_array.width == 2);
  CHECK(a.pe_array.unit_type == UnitType::tensor_core);
  CHECK(a.pe_array.num_macs == 16);
  CHECK(a.pe_array.internal_dim == Dim::C);
  CHECK(a.pe_array.mac_energy == Rational(56, 100000));
  CHECK(a.pe_array.reduction_latency == 3);
  REQUIRE(a.levels.size() == 4);
  const MemoryLevel& pe = a.levels[0];
  CHECK(pe.name == "PE");
  CHECK(pe.capacity == 64);
  CHECK(pe.blocksize == 4);
  CHECK(pe.instances == 8);
  CHECK(pe.latency == Rational(3, 2));
  CHECK(pe.access_cost == Rational(1, 1000));
  CHECK(pe.stores == TensorFlags{true, false, true});
  CHECK(pe.bypass_free);
  CHECK_FALSE(pe.shared_ports);
  CHECK_FALSE(pe.read_bandwidth.has_value());
  CHECK_FALSE(pe.row_buffer_size.has_value());
  const MemoryLevel& gb = a.levels[1];
  CHECK_FALSE(gb.bypass_free);
  CHECK(gb.read_bandwidth == Rational(32));
  CHECK(gb.write_bandwidth == Rational(16));
  CHECK(gb.num_read_ports == 2);
  CHECK(gb.num_write_ports == 3);
  CHECK(gb.shared_ports);
  CHECK(a.row_bytes() == 1024);
  CHECK(a.levels[2].num_banks == 4);
  CHECK_FALSE(a.levels[3].capacity.has_value());
  CHECK(a.dram_timings.tRCDRD == 10);
  CHECK(a.dram_timings.tRP == 11);
  CHECK(a.dram_timings.RL == 12);
  CHECK(a.dram_timings.WL == 13);
  CHECK(a.dram_timings.BL == 4);
  CHECK(a.dram_timings.co_w == 128);
  CHECK(a.activation_cycles() == Rational(41, 2));
  CHECK(a.bits == std::array<std::int64_t, 3>{4, 9, 32});
  CHECK(a.packing == Packing::bit);
  CHECK(a.psum_rereads);
  CHECK(a.interconnect_bandwidth == Rational(128));
  CHECK(a.activation_energy == Rational(9, 10));
  CHECK(a.input_order == InputOrder::nhwc);
  CHECK(a.shared_streams);
}

TEST_CASE("what an architecture leaves out has the documented default") {
  const Architecture a = parse(texts::kSmallArchitecture);
  CHECK(a.pe_array.num_macs == 1);
  CHECK(a.pe_array.reduction_latency == 0);
  CHECK_FALSE(a.pe_array.internal_dim.has_value());
  CHECK(a.levels[0].instances == 32);  // one per PE
  CHECK(a.levels[1].instances == 1);
  CHECK_FALSE(a.levels[0].bypass_free);
  CHECK(a.levels[1].bandwidth(Tensor::input) == 2);
  CHECK(a.levels[3].stores == TensorFlags{true, true, true});
  CHECK(a.activation_cycles() == 28);
  CHECK(a.dram_timings.co_w == 256);
  CHECK(a.bits == std::array<std::int64_t, 3>{8, 8, 8});
  CHECK(a.packing == Packing::byte);
  CHECK_FALSE(a.psum_rereads);
  CHECK_FALSE(a.interconnect_bandwidth.has_value());
  CHECK(a.activation_energy == 0);
  CHECK(a.input_order == InputOrder::nchw);
  CHECK_FALSE(a.shared_streams);
}

TEST_CASE("what is written for the PIM optimizer is read") {
  const std::string text = R"(
pe_array:
  array_shape: {h: 16, w: 8}
  compute_unit: {unit_type: tensor_core, num_macs: 8, mac_energy: 0.56e-3, reduction_latency: 2}
memory_hierarchy:
  - {name: PELocalBuffer, entries: 512, blocksize: 1, instances: 128, latency: 1.0,
     access_cost: 0.001}
  - {name: GlobalBuffer, entries: 65536, blocksize: 64, instances: 1, latency: 5.0,
     access_cost: 0.02, read_bandwidth_limit: 32, write_bandwidth_limit: 16}
  - {name: RowBuffer, entries: 1024, latency: 1.0, blocksize: 32, access_cost: 0.02,
     row_buffer_size: 1024, num_banks: 4, read_bandwidth_limit: 8}
  - {name: LocalDRAM, entries: -1, access_cost: 0.1}
)";
  const Architecture a = parse(text);
  CHECK(a.pe_array.height == 16);
  CHECK(a.pe_array.width == 8);
  CHECK(a.pe_array.unit_type == UnitType::tensor_core);
  CHECK(a.pe_array.num_macs == 8);
  CHECK(a.pe_array.mac_energy == Rational(7, 12500));
  CHECK(a.pe_array.reduction_latency == 2);
  CHECK(a.levels[0].stores == TensorFlags{true, true, true});
  CHECK(a.levels[1].bandwidth(Tensor::weight) == 32);
  CHECK(a.levels[1].bandwidth(Tensor::output) == 16);
  CHECK(a.levels[2].bandwidth(Tensor::input) == 8);
  CHECK(a.levels[2].bandwidth(Tensor::output) == 32);
  const auto twice = [&](std::string_view from, std::string_view to) {
    return error_of([&] { parse(edit(text, from, to)); });
  };
  CHECK(contains(twice("read_bandwidth_limit: 32", "read_bandwidth_limit: 32, read_bandwidth: 1"),
                 "memory_hierarchy[1].read_bandwidth_limit: found the same figure a second time"));
  CHECK(contains(twice("pe_array:", "pe_array:\n  dim_h: 3"), "pe_array.dim_h: found the same"));
  CHECK(contains(twice("pe_array:", "pe_array:\n  num_macs: 3"), "pe_array.num_macs: found the"));
  CHECK(contains(twice("h: 16, ", ""), "pe_array.array_shape.h: found nothing"));
  CHECK(contains(twice("mac_energy: 0.56e-3, ", ""), "pe_array.compute_unit.mac_energy: found n"));
}

TEST_CASE("values can be replaced") {
  const auto changed = [](std::vector<std::string> changes) {
    return parse_architecture(texts::kArchitecture, "a.yaml", changes);
  };
  const Architecture a = changed({"pe_array.dim_h=8", "levels.GB.entries=-1", "bits.weight=3"});
  CHECK(a.pe_array.height == 8);
  CHECK(a.pe_array.width == 2);
  CHECK_FALSE(a.levels[1].capacity.has_value());
  CHECK(a.bits == std::array<std::int64_t, 3>{4, 3, 32});
  CHECK(a.name == "full with pe_array.dim_h=8, levels.GB.entries=-1, bits.weight=3");
  CHECK(changed({"name=mine", "levels.0.entries=9"}).name == "mine");
  // What an alias shares stays as it is in the other place.
  std::string text =
      edit(texts::kSmallArchitecture, "access_cost: 0, stores: [true, true, true]}\n  - {name: GB",
           "access_cost: 0, stores: &all [true, true, true]}\n  - {name: GB");
  text = edit(text, "stores: [true, true, true]", "stores: *all");
  const Architecture shared = parse_architecture(text, "a.yaml", {"levels.GB.stores.2=false"});
  CHECK(shared.levels[0].stores == TensorFlags{true, true, true});
  CHECK(shared.levels[1].stores == TensorFlags{true, true, false});
}

TEST_CASE("a bad value is refused with its place, its key and what is allowed") {
  static constexpr Refusal kRefusals[] = {
      // Wrong numbers.
      {"dim_h: 4", "dim_h: 0", "a.yaml:3:21: ", "architecture.pe_array.dim_h: ",
       "found 0, allowed are integers 1 .. 1048576"},
      {"dim_h: 4", "dim_h: 2.5", ":3:21: ", "pe_array.dim_h", "found 2.5, allowed are integers"},
      {"dim_h: 4", "dim_h: \"4\"", ":3:21: ", "pe_array.dim_h", "found \"4\", allowed are"},
      {"dim_h: 4", "dim_h: four", ":3:21: ", "pe_array.dim_h", "found four"},
      {"dim_h: 4", "dim_h: 0x10", ":3:21: ", "pe_array.dim_h", "found 0x10"},
      {"dim_h: 4", "dim_h:", ":3:14: ", "pe_array.dim_h", "found nothing, allowed are integers"},
      {"dim_h: 4", "dim_h: [4]", ":3:21: ", "pe_array.dim_h", "found a list"},
      {"dim_h: 4", "dim_h: {a: 4}", ":3:21: ", "pe_array.dim_h", "found a map"},
      {"num_macs: 16", "num_macs: -16", ":3:", "pe_array.num_macs", "found -16"},
      {"entries: 64", "entries: 9223372036854775808", ":7:16: ", "memory_hierarchy[0].entries: ",
       "found 9223372036854775808, allowed are integers -1 .. 9223372036854775807"},
      {"entries: 64", "entries: -2", ":7:16: ", "memory_hierarchy[0].entries",
       "allowed are integers >= -1"},
      {"blocksize: 4\n", "blocksize: 0\n", ":8:18: ", "memory_hierarchy[0].blocksize",
       "integers >= 1"},
      {"latency: 1.5", "latency: 0", ":10:16: ", "memory_hierarchy[0].latency", "numbers > 0"},
      {"latency: 1.5", "latency: .inf", ":10:16: ", "memory_hierarchy[0].latency", "found .inf"},
      {"access_cost: 0.001", "access_cost: -0.001", ":11:20: ", "memory_hierarchy[0].access_cost",
       "found -0.001, allowed are numbers >= 0"},
      {"read_bandwidth: 32", "read_bandwidth: -32", ":22:", "memory_hierarchy[1].read_bandwidth",
       "numbers > 0"},
      {"num_read_ports: 2", "num_read_ports: 0", ":24:", "memory_hierarchy[1].num_read_ports",
       "integers 1 .. "},
      {"weight: 9", "weight: 1025", ":31:", "bits.weight", "integers 1 .. 128"},
      {"activation_latency: 20.5", "activation_latency: -1",
       ":30:", "dram_timings.activation_latency", "numbers >= 0"},
      {"interconnect_bandwidth: 128", "interconnect_bandwidth: 0", ":34:", "interconnect_bandwidth",
       "numbers > 0"},
      {"activation_energy: 0.9", "activation_energy: 1e401", ":35:", "activation_energy",
       "found 1e401"},
      // Wrong words.
      {"unit_type: tensor_core", "unit_type: tensorcore", ":3:", "pe_array.unit_type",
       "found tensorcore (did you mean 'tensor_core'?), allowed are scalar, simd, "},
      {"internal_dim: C", "internal_dim: X", ":3:", "pe_array.internal_dim",
       "found X, allowed are R, S, P, Q, C, K, N"},
      {"internal_dim: C", "internal_dim: K", ":3:", "pe_array.internal_dim", "allowed are R, S, C"},
      {"ports: shared", "ports: 2", ":26:", "memory_hierarchy[1].ports",
       "allowed are separate, shared"},
      {"packing: bit", "packing: bits", ":32:", "packing",
       "found bits (did you mean 'bit'?), allowed are byte, bit"},
      {"input_order: nhwc", "input_order: NHWC", ":36:", "input_order", "did you mean 'nhwc'?"},
      {"dram_streams: shared", "dram_streams: joint", ":37:", "dram_streams",
       "found joint, allowed are separate, shared"},
      {"psum_rereads: true", "psum_rereads: yes", ":33:", "psum_rereads",
       "found yes, allowed are true, false"},
      {"psum_rereads: true", "psum_rereads: \"true\"", ":33:", "psum_rereads", "found \"true\""},
      {"bypass_defined: false", "bypass_defined: 0", ":13:", "memory_hierarchy[0].bypass_defined",
       "found 0, allowed are true, false"},
      // Wrong shapes.
      {"stores: [true, false, true]", "stores: [true, false]", ":12:15: ",
       "memory_hierarchy[0].stores", "found a list of 2, allowed are lists of three booleans"},
      {"stores: [true, false, true]", "stores: true", ":12:15: ", "memory_hierarchy[0].stores",
       "found true, allowed are lists"},
      {"stores: [true, false, true]", "stores: [true, 1, true]",
       ":12:22: ", "memory_hierarchy[0].stores[1]", "found 1, allowed are true, false"},
      {"stores: [true, true, true], row", "stores: [true, true, false], row",
       ":28:", "memory_hierarchy[2].stores[2]", "found false, allowed are true"},
      {"bits: {input: 4, weight: 9, output: 32}", "bits: 8", ":31:9: ", "bits",
       "found 8, allowed are a map with the keys input, weight, output"},
      {"name: full", "name: ''", ":2:9: ", "architecture.name", "found \"\", allowed are names"},
      {"name: GB", "name: PE", ":14:", "memory_hierarchy[1]",
       "found a second level named 'PE', allowed are distinct names"},
      // Wrong keys.
      {"dim_h: 4", "dim_hh: 4", ":3:14: ", "pe_array.dim_hh",
       "found an unknown key (did you mean 'dim_h'?), allowed are dim_h, dim_w,"},
      {"dim_h: 4, ", "",
       ":3:13: ", "pe_array.dim_h: ", "found nothing (the key is missing), allowed are integers"},
      {"mac_energy: 0.00056, ", "", ":3:13: ", "pe_array.mac_energy: ", "the key is missing"},
      {"dim_w: 2", "dim_w: 2, dim_h: 5", ":3:34: ", "pe_array.dim_h",
       "found the key a second time (first in line 3), allowed are each key once"},
      {"dim_w: 2", "[dim_w]: 2", ":3:24: ", "pe_array", "found a key that is not plain text"},
      {"      entries: 64\n", "", ":6:7: ", "memory_hierarchy[0].entries", "the key is missing"},
      {"      latency: 1.5\n", "", ":6:7: ", "memory_hierarchy[0].latency", "the key is missing"},
      {" row_buffer_size: 1024, num_banks: 4}\n    -", " num_banks: 4}\n    -",
       ":27:7: ", "memory_hierarchy[2].row_buffer_size", "the key is missing"},
      {"tRCDRD: 10", "tRCD: 10", ":30:18: ", "dram_timings.tRCD", "did you mean 'tRCDRD'?"},
      {"architecture:", "architectur:", ":1:1: ", "architectur",
       "found an unknown key, allowed are name, pe_array"},
      {"  dram_streams: shared\n", "  dram_streams: shared\nworkload: {}\n", ":38:1: ", "workload",
       "found an unknown key, allowed are architecture"},
  };
  for (const Refusal& r : kRefusals) {
    CAPTURE(r.from);
    CAPTURE(r.to);
    const std::string message = error_of([&] { parse(edit(texts::kArchitecture, r.from, r.to)); });
    CAPTURE(message);
    CHECK(contains(message, "a.yaml:"));
    CHECK(contains(message, r.place));
    CHECK(contains(message, r.key));
    CHECK(contains(message, r.message));
  }
}

TEST_CASE("an architecture may say its kind") {
  const auto canonical = [](const Architecture& a) {
    return canonical_instance(a, {}, {}, RowModel::trace);
  };
  const std::string with_kind =
      edit(texts::kArchitecture, "  name: full\n", "  kind: dram_pim\n  name: full\n");
  CHECK(canonical(parse(with_kind)) == canonical(parse(texts::kArchitecture)));
  CHECK(canonical(parse(with_kind)).find("kind") == std::string::npos);
  const Architecture bare = parse("kind: dram_pim" + std::string(texts::kSmallArchitecture));
  CHECK(canonical(bare) == canonical(parse(texts::kSmallArchitecture)));
}

TEST_CASE("an unknown kind is refused before anything else is read") {
  const auto refused = [](const std::string& kind) {
    return error_of([&] {
      parse(edit(texts::kArchitecture, "  name: full\n", "  " + kind + "\n  nme: full\n"));
    });
  };
  CHECK(refused("kind: dram_pmi") ==
        "a.yaml:2:9: architecture.kind: found dram_pmi (did you mean 'dram_pim'?), allowed are "
        "dram_pim");
  CHECK(refused("kind: abacus") ==
        "a.yaml:2:9: architecture.kind: found abacus, allowed are dram_pim");
  CHECK(refused("kind: [dram_pim]") ==
        "a.yaml:2:9: architecture.kind: found a list, allowed are dram_pim");
  CHECK(refused("kind:") == "a.yaml:2:3: architecture.kind: found nothing, allowed are dram_pim");
  CHECK(contains(refused("kind: dram_pim"), "architecture.nme: found an unknown key"));
}

TEST_CASE("fewer than four levels are refused") {
  const std::string text =
      edit(texts::kSmallArchitecture, "  - {name: DRAM, entries: -1, access_cost: 0}\n", "");
  const std::string message = error_of([&] { parse(text); });
  CHECK(contains(message, "a.yaml:4:3: memory_hierarchy: found a list of 3, allowed are"));
}

TEST_CASE("a large integer written with an exponent or a point is an integer") {
  CHECK(parse(edit(texts::kArchitecture, "entries: 64", "entries: 6.4e1")).levels[0].capacity ==
        64);
  CHECK(parse(edit(texts::kArchitecture, "entries: 64", "entries: 64.0")).levels[0].capacity == 64);
}

TEST_CASE("anchors and aliases are part of YAML") {
  std::string text =
      edit(texts::kSmallArchitecture, "access_cost: 0, stores: [true, true, true]}\n  - {name: GB",
           "access_cost: 0, stores: &all [true, true, true]}\n  - {name: GB");
  text = edit(text, "stores: [true, true, true]", "stores: *all");
  CHECK(parse(text).levels[1].stores == TensorFlags{true, true, true});
}

// Named sizes of network files, and the presets that have them.
#include <doctest/doctest.h>

#include "support/texts.hpp"

using namespace pimbb;
using texts::contains;
using texts::error_of;

namespace {

constexpr std::string_view kText = R"(
name: heads
dims: {batch: 2, kv: 16}
layers:
  - {name: scores, R: 1, S: 1, P: 1, Q: 1, C: 8, K: kv, N: 4, repetitions: 3 * batch}
  - {name: values, R: 1, S: 1, P: 1, Q: 1, C: kv * 2, K: 8, N: batch}
)";

Network read(const NetworkOptions& options = {}) { return parse_network(kText, "n.yaml", options); }

std::string error(std::string_view from, std::string_view to, const NetworkOptions& options = {}) {
  const std::string text = texts::edit(kText, from, to);
  return error_of([&] { static_cast<void>(parse_network(text, "n.yaml", options)); });
}

std::int64_t macs(const Network& network) {
  std::int64_t all = 0;
  for (const NetworkLayer& layer : network.layers) all += layer.repetitions * layer.workload.macs();
  return all;
}

}  // namespace

TEST_CASE("sizes may be names with defaults, and products with them") {
  const Network network = read();
  CHECK(network.layers[0].workload.bounds == Factors{1, 1, 1, 1, 8, 16, 4, 1});
  CHECK(network.layers[0].repetitions == 6);
  CHECK(network.layers[1].workload.bounds == Factors{1, 1, 1, 1, 32, 8, 2, 1});
  const Network other = read({.dims = {{"kv", 5}}});
  CHECK(other.layers[0].workload.bound(Dim::K) == 5);
  CHECK(other.layers[1].workload.bound(Dim::C) == 10);
  CHECK(other.layers[0].repetitions == 6);
}

TEST_CASE("names that are wrong are refused with their place") {
  CHECK(contains(error("kv * 2", "vk * 2"),
                 "layers[1].C: found the factor 'vk' (did you mean 'kv'?), allowed are "
                 "integers >= 1 and the names of dims: batch, kv"));
  CHECK(contains(error("kv * 2", "kv * * 2"), "found the factor ''"));
  CHECK(contains(error("kv * 2", "0 * kv"), "found the factor '0'"));
  CHECK(contains(error("kv * 2", "-1"), "C: found -1, allowed are integers >= 1"));
  CHECK(contains(error("kv: 16", "kv: 0"), "dims.kv: found 0, allowed are integers >= 1"));
  CHECK(contains(error("kv: 16", "2kv: 16"), "found this name, allowed are letters"));
  CHECK(contains(error("dims: {batch: 2, kv: 16}", "dims: 4"), "maps of names to sizes"));
  CHECK(contains(error("kv * 2", "kv * 9223372036854775807"), "which is too large"));
  CHECK(contains(error_of([] {
                   read({.dims = {{"kvv", 3}}});
                 }),
                 "n.yaml: --dim: found kvv=3 (did you mean 'kv'?), allowed are the names of dims: "
                 "batch, kv"));
  CHECK(contains(error_of([] {
                   read_network("resnet18", {.dims = {{"kv", 3}}});
                 }),
                 "names of dims, of which this network has none"));
  CHECK(contains(error_of([] { read_network("resnet18", {.skip_unsupported = true}); }),
                 "--skip-unsupported: found a network file"));
}

TEST_CASE("names have letters, digits and underscores, and no digit in front") {
  const auto read_size = [](const std::string& name) {
    return parse_network("dims: {'" + name + "': 7}\nlayers: [{name: a, R: '1 * " + name +
                             "', S: 1, P: 1, Q: 1, C: 1, K: 1, N: 1}]",
                         "n.yaml")
        .layers[0]
        .workload.bound(Dim::R);
  };
  for (const char* name : {"a", "z", "A", "Z", "_", "a0", "a9", "_azAZ09_"}) {
    CAPTURE(std::string(name));
    CHECK(read_size(name) == 7);
  }
  for (const char* name : {"", "@", "[", "`", "{", "0", "9a", "a/", "a:", "a@", "a[", "a`", "a{"}) {
    CAPTURE(std::string(name));
    CHECK(contains(error_of([&] { read_size(name); }), "found this name, allowed are letters"));
  }
}

TEST_CASE("a file without dims has integers only") {
  CHECK(contains(error_of([] {
                   parse_network("layers: [{name: a, R: kv, S: 1, P: 1, Q: 1, C: 1, K: 1, N: 1}]",
                                 "n.yaml");
                 }),
                 "R: found kv, allowed are integers >= 1"));
}

// Parameters as the models' publishers state them; the embedding and the norms multiply nothing.
// Attention: two products of width (heads * 128) for each token in the cache and layer.
TEST_CASE("decoding by the LLM presets: every weight once, and attention by the cache") {
  struct Model {
    const char* name;
    std::int64_t parameters, embedding, norms, attention;
  };
  constexpr Model kModels[] = {
      {"llama2_7b", 6'738'415'616, 32'000 * 4096, 65 * 4096, 2 * 32 * 4096},
      {"llama3_8b", 8'030'261'248, 128'256 * 4096, 65 * 4096, 2 * 32 * 4096},
      {"llama3_70b", 70'553'706'496, 128'256LL * 8192, 161 * 8192, 2 * 80 * 8192},
  };
  for (const Model& model : kModels) {
    CAPTURE(model.name);
    const std::int64_t weights = model.parameters - model.embedding - model.norms;
    const std::string decode = std::string(model.name) + "_decode";
    CHECK(macs(read_network(decode)) == weights + 4096 * model.attention);
    CHECK(macs(read_network(decode, {.dims = {{"kv", 100}, {"batch", 3}}})) ==
          3 * (weights + 100 * model.attention));
    // The prefill computes the output head (as large as the embedding) for the last token only.
    const std::string prefill = std::string(model.name) + "_prefill";
    CHECK(macs(read_network(prefill, {.dims = {{"seq", 50}, {"batch", 2}}})) ==
          2 * (50 * (weights - model.embedding + 50 * model.attention) + model.embedding));
  }
  CHECK(read_network("llama3_8b_decode", {.dims = {{"kv", 777}}}).layers[2].workload.bounds ==
        Factors{1, 1, 1, 1, 128, 777, 4, 1});  // four heads of queries on one of keys
}

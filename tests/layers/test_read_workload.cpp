// Layer and network files, presets, and how a source is looked up.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using texts::contains;
using texts::edit;
using texts::error_of;

namespace {

Workload layer(std::string_view text) { return parse_workload(text, "w.json"); }
Network network(std::string_view text) { return parse_network(text, "n.yaml"); }

}  // namespace

TEST_CASE("every key of a layer is read") {
  const Workload w = layer(texts::kWorkload);
  CHECK(w.name == "conv");
  CHECK(w.bounds == Factors{3, 2, 8, 4, 16, 32, 5, 1});
  CHECK(w.stride_w == 2);
  CHECK(w.stride_h == 1);
  CHECK(w.dilation_w == 1);
  CHECK(w.dilation_h == 3);
  CHECK(w.weight == Rational(1, 4));
}

TEST_CASE("a layer without its optional keys") {
  const Workload w = layer("{R: 1, S: 1, P: 64, Q: 1, C: 32, K: 16, N: 1}");
  CHECK(w.name == "layer");
  CHECK(w.stride_w == 1);
  CHECK(w.dilation_h == 1);
  CHECK(w.weight == 1);
  CHECK(w.bound(Dim::G) == 1);
}

TEST_CASE("groups are read where they are given") {
  const Workload w = layer("{R: 3, S: 3, P: 8, Q: 8, C: 1, K: 2, N: 5, G: 16}");
  CHECK(w.bounds == Factors{3, 3, 8, 8, 1, 2, 5, 16});
  CHECK(w.tensor_elements(Tensor::input) == 5 * 16 * 10 * 10);
  CHECK(w.tensor_elements(Tensor::weight) == 16 * 2 * 3 * 3);
  CHECK(w.tensor_elements(Tensor::output) == 5 * 16 * 2 * 8 * 8);
  CHECK(w.macs() == 5 * 16 * 2 * 8 * 8 * 3 * 3);
  const std::string none =
      error_of([] { layer("{R: 3, S: 3, P: 8, Q: 8, C: 1, K: 2, N: 5, G: 0}"); });
  CHECK(contains(none, "w.json:1:47: "));
  CHECK(contains(none, "G: found 0, allowed are integers >= 1"));
}

TEST_CASE("presets have the published MACs, depthwise layers as layers of groups") {
  struct Known {
    const char* network;
    std::int64_t all, depthwise, layers;
  };
  for (const Known& known :
       {Known{"mobilenet_v1", 568'740'352, 17'385'984, 28},
        Known{"mobilenet_v2", 300'774'272, 20'716'416, 53}, Known{"resnet34", 3'663'761'408, 0, 37},
        Known{"squeezenet", 349'151'936, 0, 26}, Known{"googlenet", 1'582'671'872, 0, 58},
        Known{"inception_v3", 5'713'216'096, 0, 95}, Known{"densenet121", 2'834'161'664, 0, 121},
        Known{"decode_gemvs", 108'003'328, 0, 4}}) {
    CAPTURE(known.network);
    std::int64_t all = 0;
    std::int64_t depthwise = 0;
    std::int64_t layers = 0;
    for (const NetworkLayer& each : read_network(known.network).layers) {
      const std::int64_t macs = each.repetitions * each.workload.macs();
      all += macs;
      layers += each.repetitions;
      if (each.workload.bound(Dim::G) > 1) depthwise += macs;
    }
    CHECK(all == known.all);
    CHECK(depthwise == known.depthwise);
    CHECK(layers == known.layers);
  }
}

// With padding p in front and behind, floor((W + 2 p - R) / stride) + 1 outputs; the presets'
// layers pad such that W is about P * stride.
TEST_CASE("convolutions of the presets state the plane of their input, matrix products do not") {
  for (const char* network :
       {"alexnet", "densenet121", "googlenet", "inception_v3", "mobilenet_v1", "mobilenet_v2",
        "resnet18", "resnet34", "resnet50", "squeezenet", "vgg16"}) {
    for (const NetworkLayer& each : read_network(network).layers) {
      const Workload& w = each.workload;
      CAPTURE(w.name);
      CHECK(w.input_plane.has_value() == (w.bound(Dim::P) > 1));
      if (!w.input_plane) continue;
      const std::int64_t padding = w.input_width() - w.input_plane->width;
      CHECK(padding > -w.stride_w);  // all but columns that no window reaches
      CHECK(padding < w.bound(Dim::R));
      CHECK(w.input_plane->width == w.input_plane->height);
    }
  }
}

TEST_CASE("a bad layer is refused with its place, its key and what is allowed") {
  struct Refusal {
    std::string_view from;
    std::string_view to;
    std::string_view message;
  };
  static constexpr Refusal kRefusals[] = {
      {"\"S\": 2", "\"S\": 0", "w.json:1:44: workload.S: found 0, allowed are integers >= 1"},
      {"\"S\": 2", "\"S\": 1.5", "workload.S: found 1.5, allowed are integers >= 1"},
      {"\"S\": 2", "\"s\": 2", "workload.s: found an unknown key (did you mean 'S'?)"},
      {", \"S\": 2", "", "w.json:1:14: workload.S: found nothing (the key is missing)"},
      {"[2, 1]", "[2, 1, 1]", "w.json:2:55: workload.stride: found a list of 3, allowed are lists"},
      {"[2, 1]", "2", "workload.stride: found 2, allowed are lists of two integers"},
      {"[2, 1]", "[2, 0]", "workload.stride[1]: found 0, allowed are integers >= 1"},
      {"0.25", "-0.25", "workload.weight: found -0.25, allowed are numbers >= 0"},
      {"\"weight\"", "\"repetitions\"", "workload.repetitions: found an unknown key"},
      {"\"P\": 8", "\"P\": 100000000000000", "w.json:1:14: layer 'conv': MACs"},
      {"\"P\": 8", "\"P\": 99999999999999999999",
       "w.json:2:8: workload.P: found 99999999999999999999, allowed are integers 1 .. "
       "9223372036854775807"},
  };
  for (const Refusal& r : kRefusals) {
    CAPTURE(r.to);
    const std::string message = error_of([&] { layer(edit(texts::kWorkload, r.from, r.to)); });
    CAPTURE(message);
    CHECK(contains(message, "w.json:"));
    CHECK(contains(message, r.message));
  }
}

TEST_CASE("every key of a network is read") {
  const Network n = network(texts::kNetwork);
  CHECK(n.name == "pair");
  REQUIRE(n.layers.size() == 2);
  CHECK(n.layers[0].workload.name == "first");
  CHECK(n.layers[0].repetitions == 2);
  CHECK(n.layers[1].workload.name == "then:second");
  CHECK(n.layers[1].repetitions == 1);
  CHECK(n.layers[1].workload.stride_h == 2);
}

TEST_CASE("a bad network is refused with its place, its key and what is allowed") {
  struct Refusal {
    std::string_view from;
    std::string_view to;
    std::string_view message;
  };
  static constexpr Refusal kRefusals[] = {
      {"repetitions: 2", "repetitions: 0",
       "n.yaml:4:76: network.layers[0].repetitions: found 0, allowed are integers >= 1"},
      {"repetitions: 2", "repetition: 2", "did you mean 'repetitions'?"},
      {"\"then:second\"", "first",
       "n.yaml:5:7: network.layers[1]: found a second layer named 'first', allowed are distinct"},
      {"name: first, ", "", "n.yaml:4:7: network.layers[0].name: found nothing"},
      {"  layers:", "  layer:",
       "n.yaml:3:3: network.layer: found an unknown key (did you mean 'la"},
  };
  for (const Refusal& r : kRefusals) {
    CAPTURE(r.to);
    const std::string message = error_of([&] { network(edit(texts::kNetwork, r.from, r.to)); });
    CAPTURE(message);
    CHECK(contains(message, r.message));
  }
  CHECK(contains(error_of([] { network("{name: x, layers: []}"); }),
                 "n.yaml:1:19: layers: found an empty list, allowed are lists of one layer"));
  CHECK(contains(error_of([] { network("{name: x}"); }), "layers: found nothing"));
}

TEST_CASE("one layer of a network is read by its name") {
  const texts::Folder folder;
  const std::string file = folder.write("net: v1.yaml", texts::kNetwork);
  CHECK(read_workload(file + ":first").bound(Dim::R) == 3);
  CHECK(read_workload(file + ":then:second").bound(Dim::C) == 8);
  const std::string unknown = error_of([&] { read_workload(file + ":frist"); });
  CHECK(contains(unknown, file + ": found no layer named 'frist' (did you mean 'first'?)"));
  CHECK(contains(unknown, "allowed are first, then:second"));
  const std::string whole = error_of([&] { read_workload(file); });
  CHECK(contains(whole, "found a network, allowed is one layer"));
  CHECK(contains(whole, "first, then:second"));
}

TEST_CASE("one layer of a network is read by the name of a node of its graph") {
  const Network network = read_network("resnet18");
  std::size_t nodes = 0;
  for (const GraphNode& node : network.graph->nodes) {
    if (!node.layer) continue;
    const Workload layer = read_workload("resnet18:" + node.name);
    CHECK(same_shape(layer, node.layer->workload));
    ++nodes;
  }
  CHECK(nodes == 21);
  CHECK_THROWS_AS(read_workload("resnet18:pool1"), InputError);
}

TEST_CASE("files that cannot be read") {
  const texts::Folder folder;
  CHECK(contains(error_of([&] { read_architecture(folder.path("")); }), "found a directory"));
  CHECK(contains(error_of([&] { read_workload(folder.path("")); }), "found a directory"));
  CHECK(contains(error_of([&] { read_architecture(folder.path("none.yaml")); }),
                 "none.yaml: found neither a file nor a preset"));
  CHECK(contains(error_of([&] { read_workload(folder.path("none.yaml:x")); }), "none.yaml:x"));
  CHECK(contains(error_of([&] { read_network(folder.path("none.yaml")); }), "none.yaml"));
  const Architecture a = texts::small_architecture();
  CHECK(contains(error_of([&] { read_mapping(folder.path("none.json"), a); }),
                 "none.json: the file cannot be opened: No such file"));
  CHECK(contains(error_of([&] { read_network(folder.write("empty.yaml", "")); }),
                 "empty.yaml:1:1: found an empty file"));
}

TEST_CASE("every preset is valid") {
  const std::vector<std::string> architectures = architecture_presets();
  const std::vector<std::string> networks = network_presets();
  CHECK(std::count(architectures.begin(), architectures.end(), "simple_pim") == 1);
  CHECK(std::count(networks.begin(), networks.end(), "resnet18") == 1);
  for (const std::string& name : architectures) {
    CAPTURE(name);
    CHECK(read_architecture(name).name == name);
    CHECK(contains(error_of([] { read_architecture("no such one"); }), name));
  }
  for (const std::string& name : networks) {
    CAPTURE(name);
    const Network n = read_network(name);
    CHECK(n.name == name);
    const std::string& last = n.layers.back().workload.name;
    CHECK(read_workload(name + ":" + last).name == last);
    CHECK(contains(error_of([&] { read_workload(name); }), "allowed is one layer"));
    CHECK(contains(error_of([] { read_network("no such one"); }), name));
  }
  CHECK(contains(error_of([] { read_architecture("simplepim"); }), "did you mean 'simple_pim'?"));
}

TEST_CASE("a file wins over a preset of the same name") {
  const texts::Folder folder;
  const auto before = std::filesystem::current_path();
  folder.write("simple_pim", texts::kArchitecture);
  folder.write("resnet18", texts::kNetwork);
  std::filesystem::current_path(folder.path(""));
  const std::string architecture = read_architecture("simple_pim").name;
  const std::string network = read_network("resnet18").name;
  const std::string layer = read_workload("resnet18:first").name;
  std::filesystem::current_path(before);
  CHECK(architecture == "full");
  CHECK(network == "pair");
  CHECK(layer == "first");
}

// MACs * (stride + dilation) of both axes must be below 2^53.
TEST_CASE("the largest layers of all") {
  struct Steps {
    std::int64_t stride_w, stride_h, dilation_w, dilation_h;
  };
  for (const Steps& s : {Steps{1, 1, 1, 1}, {3, 1, 2, 6}, {1, 5, 1, 8}, {2, 2, 9, 1}}) {
    Workload w;
    w.stride_w = s.stride_w;
    w.stride_h = s.stride_h;
    w.dilation_w = s.dilation_w;
    w.dilation_h = s.dilation_h;
    const std::int64_t most = (std::int64_t{1} << 53) - 1;
    const std::int64_t factor = (s.stride_w + s.dilation_w) * (s.stride_h + s.dilation_h);
    w.bounds[index(Dim::K)] = most / factor;
    CHECK_NOTHROW(validate(w));
    w.bounds[index(Dim::K)] = most / factor + 1;
    CHECK(contains(error_of([&] { validate(w); }), "MACs * (stride + dilation) of both axes = "));
  }
}

TEST_CASE("the tensors that move, of a layer or of all layers of a network") {
  const auto text = [](const std::string& name, const std::string& moves) {
    return "{name: " + name + ", R: 1, S: 1, P: 1, Q: 1, C: 4, K: 4, N: 1" + moves + "}";
  };
  using Flags = std::array<bool, kTensors>;
  CHECK_FALSE(layer(text("l", "")).moves.has_value());
  CHECK(layer(text("l", ", moves: [output, weight]")).moves == Flags{false, true, true});
  CHECK(layer(text("l", ", moves: []")).moves == Flags{});
  const Network both = network("{moves: [input], layers: [" + text("l", "") + ", " +
                               text("m", ", moves: [output]") + "]}");
  CHECK(both.layers[0].workload.moves == Flags{true, false, false});
  CHECK(both.layers[1].workload.moves == Flags{false, false, true});
  CHECK_FALSE(both.moves_auto);
  const Network chosen = network("{moves: auto, layers: [" + text("l", "") + ", " +
                                 text("m", ", moves: [output]") + "]}");
  CHECK(chosen.moves_auto);
  CHECK_FALSE(chosen.layers[0].workload.moves.has_value());
  CHECK(chosen.layers[1].workload.moves == Flags{false, false, true});
  CHECK_THROWS_AS(network("{moves: all, layers: [" + text("l", "") + "]}"), InputError);
  CHECK(distinct_shapes(both) == std::vector<std::size_t>{0, 1});
  for (const char* wrong : {", moves: [inputs]", ", moves: [input, input]", ", moves: all"}) {
    CAPTURE(wrong);
    CHECK(contains(error_of([&] { layer(text("l", wrong)); }), "moves"));
  }
}

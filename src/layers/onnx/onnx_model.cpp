// Protobuf to model: parsing, versions, schemas, names and sizes.
#include "layers/onnx/onnx_model.hpp"

#include <fmt/format.h>
#include <google/protobuf/stubs/logging.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <unordered_map>

#include "files/utf8.hpp"
#include "layers/onnx/onnx_newer.hpp"
#include "layers/onnx/onnx_operator.hpp"
#include "pimbb/error.hpp"

namespace pimbb::layers {
namespace {

using Versions = std::unordered_map<std::string, int>;

constexpr int kAnyVersion = std::numeric_limits<int>::max();

/// "ai.onnx" and "" are two names of one domain.
template <class WithDomain>
void use_short_domain(WithDomain& message) {
  if (message.domain() == "ai.onnx") message.set_domain("");
}

std::string domain_name(const std::string& domain) { return domain.empty() ? "ai.onnx" : domain; }

Versions check_versions(OnnxModel& model) {
  if (model.proto.ir_version() < 1) {
    model.fail("ir_version", std::to_string(model.proto.ir_version()), "integers >= 1");
  }
  const auto& known = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  Versions versions;
  for (onnx::OperatorSetIdProto& import : *model.proto.mutable_opset_import()) {
    use_short_domain(import);
    const std::string what = "opset_import";
    if (!files::is_plain_text(import.domain()))
      model.fail(what, "a domain that is not text", "UTF-8");
    const auto range = known.find(import.domain());
    auto [low, high] = range == known.end() ? std::pair(1, kAnyVersion) : range->second;
    high = import.domain().empty() ? std::max(high, kNewestOperators) : kAnyVersion;
    if (import.version() < low || import.version() > high) {
      model.fail(
          what, fmt::format("version {} of {}", import.version(), domain_name(import.domain())),
          fmt::format("versions {} .. {}; onnx.version_converter converts newer ones", low, high));
    }
    if (!versions.emplace(import.domain(), static_cast<int>(import.version())).second) {
      model.fail(what, domain_name(import.domain()) + " a second time", "one version a domain");
    }
  }
  if (!versions.contains("")) {
    model.fail("opset_import", "no version of ai.onnx", "models that say which operators they use");
  }
  return versions;
}

void check_text(const OnnxModel& model, const std::string& what, const std::string& text) {
  if (!files::is_plain_text(text)) {
    model.fail(what, "a name that is not plain text", "UTF-8 without control characters");
  }
}

/// Sizes among the attributes: shape inference divides by them and multiplies them.
void check_sizes(const OnnxModel& model, const onnx::NodeProto& node) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 7> kLeast{{
      {"strides", 1},
      {"dilations", 1},
      {"kernel_shape", 1},
      {"blocksize", 1},
      {"output_shape", 1},
      {"num_outputs", 1},
      {"batch_dims", 0},
  }};
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    const auto* known = std::ranges::find_if(
        kLeast, [&](const auto& size) { return size.first == attribute.name(); });
    if (known == kLeast.end()) continue;
    const std::int64_t least = known->second;
    const bool single = attribute.type() == onnx::AttributeProto::INT;
    std::vector<std::int64_t> values(attribute.ints().begin(), attribute.ints().end());
    if (single) values = {attribute.i()};
    for (const std::int64_t value : values) {
      if (value >= least && value <= kLargestSize) continue;
      model.fail(describe(node) + ": " + attribute.name(), std::to_string(value),
                 fmt::format("integers {} .. {}", least, kLargestSize));
    }
  }
}

void check_attributes(const OnnxModel& model, const onnx::NodeProto& node) {
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    check_text(model, describe(node) + ": attribute", attribute.name());
    check_text(model, describe(node) + ": " + attribute.name(), attribute.s());
  }
}

void check_schema(const OnnxModel& model, const onnx::NodeProto& node, const Versions& versions) {
  if (!is_known_domain(node.domain())) return;
  const auto version = versions.find(node.domain());
  if (version == versions.end()) {
    model.fail(describe(node) + ": domain",
               domain_name(node.domain()) + ", of which opset_import gives no version",
               "domains that it names");
  }
  check_sizes(model, node);
  if (node.domain().empty() && is_newer_operator(node.op_type(), version->second)) return;
  const onnx::OpSchema* schema =
      onnx::OpSchemaRegistry::Schema(node.op_type(), version->second, node.domain());
  if (schema == nullptr && !node.domain().empty()) return;  // of a newer version than is linked
  if (schema == nullptr || schema->Deprecated()) {
    model.fail(describe(node) + ": operator", node.op_type(),
               fmt::format("the operators of {}, version {}", domain_name(node.domain()),
                           version->second));
  }
  try {
    schema->Verify(node);
  } catch (const std::exception& error) {
    model.fail(describe(node), one_line(error.what()), "nodes that keep to the operator's schema");
  }
}

/// Names are what messages and `--layer FILE:NODE` find nodes by. A node that has none is called
/// after the first tensor that it makes.
void name_nodes(OnnxModel& model) {
  std::set<std::string> names;
  for (onnx::NodeProto& node : *model.proto.mutable_graph()->mutable_node()) {
    use_short_domain(node);
    check_text(model, "node", node.name());
    for (const auto* texts : {&node.input(), &node.output()}) {
      for (const std::string& text : *texts) check_text(model, "node '" + node.name() + "'", text);
    }
    check_text(model, "node '" + node.name() + "'", node.op_type());
    check_text(model, "node '" + node.name() + "'", node.domain());
    if (node.name().empty()) {
      const auto made = std::ranges::find_if(node.output(), [](auto& o) { return !o.empty(); });
      if (made == node.output().end()) {
        model.fail("a node of operator " + node.op_type(), "neither a name nor an output",
                   "nodes with one of the two");
      }
      node.set_name(*made);
    }
    if (!names.insert(node.name()).second) {
      model.fail("node '" + node.name() + "'", "a second node of this name", "distinct names");
    }
  }
}

void check_sizes(const OnnxModel& model, const std::string& what, const Shape& sizes) {
  for (const std::int64_t size : sizes) {
    if (size >= 0 && size <= kLargestSize) continue;
    model.fail(what, fmt::format("the size {}", size), fmt::format("sizes 0 .. {}", kLargestSize));
  }
}

void check_declared(const OnnxModel& model, const onnx::ValueInfoProto& value) {
  check_text(model, "tensor", value.name());
  Shape sizes;
  for (const auto& size : value.type().tensor_type().shape().dim()) {
    check_text(model, "tensor '" + value.name() + "'", size.dim_param());
    if (size.has_dim_value()) sizes.push_back(size.dim_value());
  }
  check_sizes(model, "tensor '" + value.name() + "'", sizes);
}

void check_tensors(const OnnxModel& model) {
  const onnx::GraphProto& graph = model.proto.graph();
  for (const auto* values : {&graph.input(), &graph.output(), &graph.value_info()}) {
    for (const onnx::ValueInfoProto& value : *values) check_declared(model, value);
  }
  const auto check_stored = [&](const std::string& name, const auto& dims) {
    check_text(model, "initializer", name);
    check_sizes(model, "initializer '" + name + "'", Shape(dims.begin(), dims.end()));
  };
  for (const auto& tensor : graph.initializer()) check_stored(tensor.name(), tensor.dims());
  for (const auto& tensor : graph.sparse_initializer()) {
    check_stored(tensor.values().name(), tensor.dims());
  }
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool space = static_cast<unsigned char>(c) <= ' ';
    if (!space) line += static_cast<unsigned char>(c) < 0x7F ? c : '?';
    if (space && !line.empty() && line.back() != ' ') line += ' ';
  }
  return line;
}

void OnnxModel::fail(std::string_view what, std::string_view found,
                     std::string_view allowed) const {
  throw InputError(fmt::format("{}: {}: found {}, allowed are {}", label, what, found, allowed));
}

bool is_known_domain(const std::string& domain) {
  return onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().contains(domain);
}

std::string describe(const onnx::NodeProto& node) {
  return fmt::format("node '{}' ({})", node.name(), node.op_type());
}

bool has_graph(const onnx::NodeProto& node) {
  return std::ranges::any_of(node.attribute(), [](const onnx::AttributeProto& attribute) {
    return attribute.has_g() || attribute.graphs_size() > 0;
  });
}

OnnxModel parse_onnx_model(std::string_view bytes, const std::string& label,
                           bool skip_unsupported) {
  const google::protobuf::LogSilencer silence;
  OnnxModel model;
  model.label = label;
  if (bytes.size() > std::numeric_limits<int>::max() ||
      !model.proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    throw InputError(fmt::format(
        "{}: found {} bytes that are no ONNX model or only a part of one, allowed are protobuf "
        "messages 'onnx.ModelProto'",
        label, bytes.size()));
  }
  if (!model.proto.has_graph() || model.proto.graph().node().empty()) {
    model.fail("graph", "none, or one without nodes", "models with a graph");
  }
  if (model.proto.functions_size() > 0 && !skip_unsupported) {
    model.fail("functions", fmt::format("{}", model.proto.functions_size()),
               "models without functions of their own; onnx.inliner puts them in place, and "
               "--skip-unsupported leaves them out");
  }
  const Versions versions = check_versions(model);
  model.version = versions.at("");
  check_text(model, "graph", model.proto.graph().name());
  name_nodes(model);
  for (const onnx::NodeProto& node : model.proto.graph().node()) {
    check_attributes(model, node);
    check_schema(model, node, versions);
  }
  check_tensors(model);
  return model;
}

}  // namespace pimbb::layers

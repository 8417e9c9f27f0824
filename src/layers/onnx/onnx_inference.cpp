// ONNX's shape inference behind guards.
//
// Some of ONNX's inference functions take for granted what a broken model does not grant: that a
// required input has a type, that a list of strides is as long as the input has axes, that a kernel
// has the rank of what it is moved over. Whether it does is known only when the inference gets
// there. So the schemas are handed out by a registry that puts a guard before each inference
// function; a guard that fails is an ordinary inference error. The registry also has the operators
// that are newer than the library.
#include <google/protobuf/stubs/logging.h>
#include <onnx/defs/schema.h>
#include <onnx/shape_inference/implementation.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "layers/onnx/onnx_model.hpp"
#include "layers/onnx/onnx_newer.hpp"

namespace pimbb::layers {
namespace {

/// Operators that move a window, and which input is the window; 0 where attributes alone say it.
struct WindowOperator {
  std::string_view op;
  std::size_t kernel;
};
constexpr std::array<WindowOperator, 8> kWindows{{
    {"Conv", 1},
    {"ConvTranspose", 1},
    {"ConvInteger", 1},
    {"QLinearConv", 3},
    {"MaxPool", 0},
    {"AveragePool", 0},
    {"LpPool", 0},
    {"MaxUnpool", 0},
}};

[[noreturn]] void fail(const std::string& what) { throw onnx::InferenceError(what); }

/// Every input that must be there has a type.
void check_types(const onnx::OpSchema& schema, onnx::InferenceContext& ctx) {
  const auto& formal = schema.inputs();
  for (std::size_t i = 0; i < formal.size() && i < ctx.getNumInputs(); ++i) {
    if (formal[i].GetOption() == onnx::OpSchema::Optional) continue;
    if (ctx.getInputType(i) == nullptr)
      fail("the type of input " + formal[i].GetName() + " is unknown");
  }
}

int rank(onnx::InferenceContext& ctx, std::size_t input) {
  return ctx.getInputType(input)->tensor_type().shape().dim_size();
}

void check_window(const WindowOperator& window, onnx::InferenceContext& ctx) {
  for (const std::size_t input : {std::size_t{0}, window.kernel}) {
    if (!onnx::hasInputShape(ctx, input)) fail("the shape of an operand is unknown");
    if (rank(ctx, input) != rank(ctx, 0)) fail("the operands differ in rank");
  }
  const int axes = rank(ctx, 0) - 2;
  if (axes < 1) fail("the input has no spatial axis");
  for (const auto& [name, times] :
       {std::pair("kernel_shape", 1), std::pair("strides", 1), std::pair("dilations", 1),
        std::pair("pads", 2), std::pair("output_shape", 1), std::pair("output_padding", 1)}) {
    const onnx::AttributeProto* attribute = ctx.getAttribute(name);
    if (attribute != nullptr && attribute->ints_size() != times * axes) {
      fail(std::string(name) + " does not fit the rank of the input");
    }
  }
}

class GuardedRegistry : public onnx::ISchemaRegistry {
 public:
  const onnx::OpSchema* GetSchema(const std::string& op, const int version,
                                  const std::string& domain) const override {
    if (domain.empty() && is_newer_operator(op, version)) {
      auto [known, added] = newer_.try_emplace(op);
      if (added) known->second = newer_schema(op, version);
      return known->second == nullptr ? nullptr : guarded(*known->second);
    }
    const onnx::OpSchema* plain = onnx::OpSchemaRegistry::Schema(op, version, domain);
    return plain == nullptr ? nullptr : guarded(*plain);
  }

 private:
  const onnx::OpSchema* guarded(const onnx::OpSchema& plain) const {
    if (!plain.has_type_and_shape_inference_function()) return &plain;
    std::unique_ptr<onnx::OpSchema>& guarded = guarded_[&plain];
    if (!guarded) guarded = guard(plain);
    return guarded.get();
  }

  static std::unique_ptr<onnx::OpSchema> guard(const onnx::OpSchema& plain) {
    auto guarded = std::make_unique<onnx::OpSchema>(plain);
    const auto* window = std::ranges::find(kWindows, plain.Name(), &WindowOperator::op);
    const bool moves = plain.domain().empty() && window != kWindows.end();
    guarded->TypeAndShapeInferenceFunction(
        [&plain, window, moves,
         infer = plain.GetTypeAndShapeInferenceFunction()](onnx::InferenceContext& ctx) {
          check_types(plain, ctx);
          if (moves) check_window(*window, ctx);
          infer(ctx);
        });
    return guarded;
  }

  mutable std::map<std::string, std::unique_ptr<onnx::OpSchema>> newer_;  ///< of one version
  mutable std::map<const onnx::OpSchema*, std::unique_ptr<onnx::OpSchema>> guarded_;
};

/// Nodes without a schema would stop ONNX's shape inference; those with a graph inside are not
/// looked into.
void leave_out_unknown(OnnxModel& model, const GuardedRegistry& registry) {
  std::map<std::string, int> versions;
  for (const auto& import : model.proto.opset_import()) {
    versions[import.domain()] = static_cast<int>(import.version());
  }
  auto& nodes = *model.proto.mutable_graph()->mutable_node();
  nodes.erase(std::remove_if(nodes.begin(), nodes.end(),
                             [&](const onnx::NodeProto& node) {
                               const auto version = versions.find(node.domain());
                               return version == versions.end() || has_graph(node) ||
                                      registry.GetSchema(node.op_type(), version->second,
                                                         node.domain()) == nullptr;
                             }),
              nodes.end());
}

}  // namespace

void infer_shapes(OnnxModel& model) {
  const google::protobuf::LogSilencer silence;
  const GuardedRegistry registry;
  leave_out_unknown(model, registry);
  // Strictly first: it ends with a list of what it could not do, which explains shapes that are
  // missing. Those of passed-through operators may well be.
  try {
    onnx::shape_inference::InferShapes(model.proto, &registry, {false, 1, true});
    return;
  } catch (const std::exception& error) {
    model.inference_report = one_line(error.what());
  }
  try {
    onnx::shape_inference::InferShapes(model.proto, &registry, {false, 0, true});
  } catch (const std::exception& error) {
    model.fail("shapes", "a contradiction: " + one_line(error.what()), "shapes that agree");
  }
}

}  // namespace pimbb::layers

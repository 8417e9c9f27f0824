// The table of operators that are newer than the library.
#include "layers/onnx/onnx_newer.hpp"

#include <algorithm>
#include <array>

#include "layers/onnx/onnx_newer_shapes.hpp"

namespace pimbb::layers {
namespace {

/// What an entry of the table does about shapes.
enum class Inference : std::uint8_t {
  own,      ///< the function of the entry
  library,  ///< as the library's newest version; only attributes were added
  none,     ///< unknown: the result's shape must be declared
};

struct NewerOperator {
  std::string_view op;
  int since;
  Inference inference;
  void (*infer)(onnx::InferenceContext&);
};

constexpr Inference kOwn = Inference::own;
constexpr std::array kNewer{
    NewerOperator{"AffineGrid", 20, Inference::none, nullptr},
    NewerOperator{"Attention", 23, kOwn, newer::attention},
    NewerOperator{"AveragePool", 19, kOwn, newer::pool},
    NewerOperator{"BitCast", 26, Inference::none, nullptr},
    NewerOperator{"BitwiseAnd", 18, kOwn, newer::broadcast},
    NewerOperator{"BitwiseNot", 18, kOwn, newer::same_shape},
    NewerOperator{"BitwiseOr", 18, kOwn, newer::broadcast},
    NewerOperator{"BitwiseXor", 18, kOwn, newer::broadcast},
    NewerOperator{"Cast", 19, Inference::library, nullptr},
    NewerOperator{"CastLike", 19, Inference::library, nullptr},
    NewerOperator{"CenterCropPad", 18, Inference::none, nullptr},
    NewerOperator{"Col2Im", 18, Inference::none, nullptr},
    NewerOperator{"CumProd", 26, kOwn, newer::same_shape},
    NewerOperator{"DFT", 20, Inference::none, nullptr},
    NewerOperator{"DeformConv", 19, Inference::none, nullptr},
    NewerOperator{"DequantizeLinear", 19, kOwn, newer::dequantize},
    NewerOperator{"Gelu", 20, kOwn, newer::same_shape},
    NewerOperator{"GridSample", 20, Inference::library, nullptr},
    NewerOperator{"GroupNormalization", 18, kOwn, newer::same_shape},
    NewerOperator{"ImageDecoder", 20, Inference::none, nullptr},
    NewerOperator{"LpPool", 18, kOwn, newer::pool},
    NewerOperator{"Mish", 18, kOwn, newer::same_shape},
    NewerOperator{"Pad", 18, kOwn, newer::pad},
    NewerOperator{"QuantizeLinear", 19, kOwn, newer::quantize},
    NewerOperator{"RMSNormalization", 23, kOwn, newer::same_shape},
    NewerOperator{"ReduceL1", 18, kOwn, newer::reduce},
    NewerOperator{"ReduceL2", 18, kOwn, newer::reduce},
    NewerOperator{"ReduceLogSum", 18, kOwn, newer::reduce},
    NewerOperator{"ReduceLogSumExp", 18, kOwn, newer::reduce},
    NewerOperator{"ReduceMax", 18, kOwn, newer::reduce},
    NewerOperator{"ReduceMean", 18, kOwn, newer::reduce},
    NewerOperator{"ReduceMin", 18, kOwn, newer::reduce},
    NewerOperator{"ReduceProd", 18, kOwn, newer::reduce},
    NewerOperator{"ReduceSumSquare", 18, kOwn, newer::reduce},
    NewerOperator{"RegexFullMatch", 20, Inference::none, nullptr},
    NewerOperator{"Reshape", 19, Inference::library, nullptr},
    NewerOperator{"Resize", 18, kOwn, newer::resize},
    NewerOperator{"RotaryEmbedding", 23, kOwn, newer::same_shape},
    NewerOperator{"ScatterElements", 18, Inference::library, nullptr},
    NewerOperator{"ScatterND", 18, Inference::library, nullptr},
    NewerOperator{"Split", 18, kOwn, newer::split},
    NewerOperator{"StringConcat", 20, Inference::none, nullptr},
    NewerOperator{"StringSplit", 20, Inference::none, nullptr},
    NewerOperator{"Swish", 24, kOwn, newer::same_shape},
    NewerOperator{"TensorScatter", 24, kOwn, newer::same_shape},
    NewerOperator{"TopK", 24, Inference::library, nullptr},
};

/// The newest version of ONNX's operators that the library defines.
int library_version() {
  static const int version =
      onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("").second;
  return version;
}

const NewerOperator* find(std::string_view op, int version) {
  const auto* entry = std::ranges::find(kNewer, op, &NewerOperator::op);
  const bool newer =
      entry != kNewer.end() && entry->since > library_version() && version >= entry->since;
  return newer ? entry : nullptr;
}

}  // namespace

bool is_newer_operator(std::string_view op, int version) { return find(op, version) != nullptr; }

std::unique_ptr<onnx::OpSchema> newer_schema(std::string_view op, int version) {
  const NewerOperator* entry = find(op, version);
  if (entry == nullptr || entry->inference == Inference::none) return nullptr;
  if (entry->inference == Inference::library) {
    const onnx::OpSchema* older = onnx::OpSchemaRegistry::Schema(std::string(op), version, "");
    return older == nullptr ? nullptr : std::make_unique<onnx::OpSchema>(*older);
  }
  auto schema = std::make_unique<onnx::OpSchema>(std::string(op), __FILE__, __LINE__);
  schema->TypeAndShapeInferenceFunction(entry->infer);
  return schema;
}

}  // namespace pimbb::layers

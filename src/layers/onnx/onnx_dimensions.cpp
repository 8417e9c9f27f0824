// Values for the symbolic sizes of a model's inputs.
//
// A symbol ("batch", "past + seq") stands for one size wherever it occurs; the value that it gets
// is put in its place in all declared shapes. A size without a symbol is named by its place,
// "INPUT[AXIS]". `--batch` gives the first dimension of the inputs a value, whatever its name.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "files/nearest.hpp"
#include "layers/onnx/onnx_model.hpp"
#include "layers/onnx/onnx_operator.hpp"

namespace pimbb::layers {
namespace {

using Dimension = onnx::TensorShapeProto::Dimension;

class DimensionFixer {
 public:
  DimensionFixer(OnnxModel& model, const NetworkOptions& options)
      : model_(model), options_(options) {}

  void fix_input(onnx::ValueInfoProto& input) {
    auto& type = *input.mutable_type()->mutable_tensor_type();
    const std::string what = "input '" + input.name() + "'";
    if (!type.has_shape()) model_.fail(what, "no shape", "inputs with one");
    for (int axis = 0; axis < type.shape().dim_size(); ++axis) {
      Dimension& size = *type.mutable_shape()->mutable_dim(axis);
      if (size.has_dim_value() && size.dim_value() >= 1) continue;
      if (size.has_dim_value()) {
        model_.fail(fmt::format("{}: dimension {}", what, axis), std::to_string(size.dim_value()),
                    "sizes >= 1");
      }
      fix(size, fmt::format("{}[{}]", input.name(), axis), axis == 0);
    }
  }

  /// Throws for what is missing, and for what nothing uses.
  void check() const {
    if (!missing_.empty()) {
      model_.fail("inputs", fmt::format("{} without a size", fmt::join(missing_, ", ")),
                  "numbers: give them with --dim SYMBOL=N, or first dimensions with --batch N");
    }
    if (options_.batch && !batch_used_) {
      model_.fail("--batch", std::to_string(*options_.batch),
                  "batches for inputs whose first dimension is symbolic; here none is");
    }
    for (const auto& [name, value] : options_.dims) {
      if (used_.contains(name)) continue;
      const std::vector<std::string_view> known(symbols_.begin(), symbols_.end());
      model_.fail("--dim", fmt::format("{}={}{}", name, value, files::did_you_mean(name, known)),
                  known.empty() ? "symbols of the inputs; here all sizes are fixed"
                                : "the symbols of the inputs: " + files::join(known));
    }
  }

  /// Puts the values in the place of their symbols.
  void fix_declared(onnx::ValueInfoProto& value) const {
    if (!value.type().has_tensor_type() || !value.type().tensor_type().has_shape()) return;
    for (Dimension& size :
         *value.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) {
      const auto known = values_.find(size.dim_param());
      if (!size.has_dim_value() && known != values_.end()) size.set_dim_value(known->second);
    }
  }

 private:
  void fix(Dimension& size, const std::string& place, bool first) {
    const std::string symbol = size.dim_param();
    symbols_.insert(symbol.empty() ? place : symbol);
    for (const std::string& name : {symbol, place}) {
      const auto given = options_.dims.find(name);
      if (name.empty() || given == options_.dims.end()) continue;
      used_.insert(name);
      return set(size, symbol, given->second);
    }
    if (const auto same = values_.find(symbol); same != values_.end()) {
      return set(size, symbol, same->second);
    }
    if (first && options_.batch) {
      batch_used_ = true;
      return set(size, symbol, *options_.batch);
    }
    const std::string text =
        symbol.empty() ? "'" + place + "'" : fmt::format("the symbol '{}' ({})", symbol, place);
    if (missing_names_.insert(symbol.empty() ? place : symbol).second) missing_.push_back(text);
  }

  /// A symbol keeps its first value elsewhere: --batch may give two symbols the same value.
  void set(Dimension& size, const std::string& symbol, std::int64_t value) {
    if (!symbol.empty()) values_.emplace(symbol, value);
    size.set_dim_value(value);
  }

  OnnxModel& model_;
  const NetworkOptions& options_;
  std::map<std::string, std::int64_t> values_;  ///< by symbol
  std::set<std::string> used_;                  ///< names of options.dims
  std::set<std::string> symbols_;               ///< all names that options.dims may have
  std::set<std::string> missing_names_;
  std::vector<std::string> missing_;
  bool batch_used_ = false;
};

}  // namespace

void fix_dimensions(OnnxModel& model, const NetworkOptions& options) {
  onnx::GraphProto& graph = *model.proto.mutable_graph();
  std::set<std::string> stored;
  for (const auto& tensor : graph.initializer()) stored.insert(tensor.name());
  DimensionFixer fixer(model, options);
  for (onnx::ValueInfoProto& input : *graph.mutable_input()) {
    if (!stored.contains(input.name()) && input.type().has_tensor_type()) fixer.fix_input(input);
  }
  fixer.check();
  for (auto* values : {graph.mutable_value_info(), graph.mutable_output()}) {
    for (onnx::ValueInfoProto& value : *values) fixer.fix_declared(value);
  }
}

}  // namespace pimbb::layers

// Small ONNX models made with ONNX's own library, to be read, changed and broken.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/dram_pim/network.hpp"
#include "pimbb/graph.hpp"
#include "pimbb/io.hpp"

namespace testkit {

using Names = std::vector<std::string>;

/// A model under construction; `proto` is open to every change.
struct OnnxMaker {
  onnx::ModelProto proto;

  explicit OnnxMaker(std::int64_t opset = 13);
  onnx::GraphProto& graph() { return *proto.mutable_graph(); }
  /// A size of -1 stands for the symbol "batch".
  OnnxMaker& input(const std::string& name, const pimbb::Shape& shape);
  /// A symbol in the place of a size of the last input; "" for a size without one.
  OnnxMaker& symbol(int axis, const std::string& symbol);
  OnnxMaker& output(const std::string& name);
  /// A weight whose data would be in a file that does not exist.
  OnnxMaker& weight(const std::string& name, const pimbb::Shape& shape);
  /// Stored integers, as they tell Reshape the new shape.
  OnnxMaker& integers(const std::string& name, const std::vector<std::int64_t>& values);
  /// The node is called "the_" and its operator's name.
  onnx::NodeProto& node(const std::string& op, const Names& inputs, const Names& outputs);
  OnnxMaker& declare(const std::string& name, const pimbb::Shape& shape);

  [[nodiscard]] std::string bytes() const;
  /// Reads it as the file "m.onnx".
  [[nodiscard]] pimbb::Network read(std::optional<std::int64_t> batch = {}) const;
  [[nodiscard]] pimbb::Network read(const pimbb::NetworkOptions& options) const;
  /// The message with which it is refused.
  [[nodiscard]] std::string error(std::optional<std::int64_t> batch = {}) const;
  [[nodiscard]] std::string error(const pimbb::NetworkOptions& options) const;
};

void set(onnx::NodeProto& node, const std::string& name, std::int64_t value);
void set(onnx::NodeProto& node, const std::string& name, const std::vector<std::int64_t>& values);
void set_text(onnx::NodeProto& node, const std::string& name, const std::string& text);

/// X [1, 4, 9, 8] * W [6, 4, 3, 2] = Y, attributes to be added to node 0.
OnnxMaker conv_maker(const pimbb::Shape& x = {1, 4, 9, 8}, const pimbb::Shape& w = {6, 4, 3, 2});

}  // namespace testkit

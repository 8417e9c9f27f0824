// Making models.
#include "layers/onnx_maker.hpp"

#include "support/texts.hpp"

namespace testkit {
namespace {

void describe(onnx::ValueInfoProto& value, const std::string& name, const pimbb::Shape& shape) {
  value.set_name(name);
  auto& type = *value.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx::TensorProto::FLOAT);
  type.mutable_shape();
  for (const std::int64_t size : shape) {
    auto& dim = *type.mutable_shape()->add_dim();
    if (size == -1) {
      dim.set_dim_param("batch");
    } else {
      dim.set_dim_value(size);
    }
  }
}

onnx::AttributeProto& attribute(onnx::NodeProto& node, const std::string& name,
                                onnx::AttributeProto::AttributeType type) {
  auto& all = *node.mutable_attribute();
  for (int i = all.size() - 1; i >= 0; --i) {  // the last one set counts
    if (all[i].name() == name) all.DeleteSubrange(i, 1);
  }
  onnx::AttributeProto& made = *node.add_attribute();
  made.set_name(name);
  made.set_type(type);
  return made;
}

}  // namespace

OnnxMaker::OnnxMaker(std::int64_t opset) {
  proto.set_ir_version(8);
  proto.add_opset_import()->set_version(opset);
  graph().set_name("made");
}

OnnxMaker& OnnxMaker::input(const std::string& name, const pimbb::Shape& shape) {
  describe(*graph().add_input(), name, shape);
  return *this;
}

OnnxMaker& OnnxMaker::symbol(int axis, const std::string& symbol) {
  auto& type = *graph().mutable_input(graph().input_size() - 1)->mutable_type();
  auto& size = *type.mutable_tensor_type()->mutable_shape()->mutable_dim(axis);
  size.clear_dim_value();
  if (!symbol.empty()) size.set_dim_param(symbol);
  return *this;
}

OnnxMaker& OnnxMaker::output(const std::string& name) {
  graph().add_output()->set_name(name);
  return *this;
}

OnnxMaker& OnnxMaker::weight(const std::string& name, const pimbb::Shape& shape) {
  onnx::TensorProto& tensor = *graph().add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  for (const std::int64_t size : shape) tensor.add_dims(size);
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  onnx::StringStringEntryProto& where = *tensor.add_external_data();
  where.set_key("location");
  where.set_value("no/such/weights.bin");
  return *this;
}

OnnxMaker& OnnxMaker::integers(const std::string& name, const std::vector<std::int64_t>& values) {
  onnx::TensorProto& tensor = *graph().add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_dims(static_cast<std::int64_t>(values.size()));
  for (const std::int64_t value : values) tensor.add_int64_data(value);
  return *this;
}

onnx::NodeProto& OnnxMaker::node(const std::string& op, const Names& inputs, const Names& outputs) {
  onnx::NodeProto& node = *graph().add_node();
  node.set_name("the_" + op);
  node.set_op_type(op);
  for (const std::string& name : inputs) node.add_input(name);
  for (const std::string& name : outputs) node.add_output(name);
  return node;
}

OnnxMaker& OnnxMaker::declare(const std::string& name, const pimbb::Shape& shape) {
  describe(*graph().add_value_info(), name, shape);
  return *this;
}

std::string OnnxMaker::bytes() const { return proto.SerializeAsString(); }

pimbb::Network OnnxMaker::read(std::optional<std::int64_t> batch) const {
  return read(pimbb::NetworkOptions{.batch = batch});
}

pimbb::Network OnnxMaker::read(const pimbb::NetworkOptions& options) const {
  return pimbb::parse_onnx(bytes(), "dir/m.onnx", options);
}

std::string OnnxMaker::error(std::optional<std::int64_t> batch) const {
  return error(pimbb::NetworkOptions{.batch = batch});
}

std::string OnnxMaker::error(const pimbb::NetworkOptions& options) const {
  return texts::error_of([&] { static_cast<void>(read(options)); });
}

void set(onnx::NodeProto& node, const std::string& name, std::int64_t value) {
  attribute(node, name, onnx::AttributeProto::INT).set_i(value);
}

void set(onnx::NodeProto& node, const std::string& name, const std::vector<std::int64_t>& values) {
  onnx::AttributeProto& made = attribute(node, name, onnx::AttributeProto::INTS);
  for (const std::int64_t value : values) made.add_ints(value);
}

void set_text(onnx::NodeProto& node, const std::string& name, const std::string& text) {
  attribute(node, name, onnx::AttributeProto::STRING).set_s(text);
}

OnnxMaker conv_maker(const pimbb::Shape& x, const pimbb::Shape& w) {
  OnnxMaker maker;
  maker.input("X", x).weight("W", w).output("Y").node("Conv", {"X", "W"}, {"Y"});
  return maker;
}

}  // namespace testkit

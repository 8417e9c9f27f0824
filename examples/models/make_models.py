#!/usr/bin/env python3
"""Writes the ONNX models that the pages of docs/ use, beside this file; needs the package onnx.

    digits.onnx     a small convolutional network for images of 28 x 28, its batch left open
    attention.onnx  an attention block: two sentences of 128 words, 256 features, 1,024 out

Weights have a shape and no values: they are said to lie in a file that does not exist, because
pimbb reads shapes only. That keeps the models below a kilobyte.
"""
import pathlib

from onnx import TensorProto, helper, shape_inference

FLOAT = TensorProto.FLOAT


def weight(name, *shape):
    tensor = TensorProto(name=name, dims=shape, data_type=FLOAT,
                         data_location=TensorProto.EXTERNAL)
    tensor.external_data.add(key="location", value="weights.bin")
    return tensor


def write(name, nodes, inputs, outputs, weights):
    graph = helper.make_graph(nodes, name, inputs, outputs, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)],
                              ir_version=8, producer_name="pimbb")
    shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
    path = pathlib.Path(__file__).with_name(name + ".onnx")
    path.write_bytes(model.SerializeToString())


def digits():
    pool = {"kernel_shape": [2, 2], "strides": [2, 2]}
    nodes = [
        helper.make_node("Conv", ["image", "conv1.weight"], ["a"], "conv1", pads=[2, 2, 2, 2]),
        helper.make_node("Relu", ["a"], ["b"], "relu1"),
        helper.make_node("MaxPool", ["b"], ["c"], "pool1", **pool),
        helper.make_node("Conv", ["c", "conv2.weight"], ["d"], "conv2"),
        helper.make_node("Relu", ["d"], ["e"], "relu2"),
        helper.make_node("MaxPool", ["e"], ["f"], "pool2", **pool),
        helper.make_node("Flatten", ["f"], ["g"], "flatten"),
        helper.make_node("Gemm", ["g", "fc.weight"], ["digit"], "fc", transB=1),
    ]
    weights = [weight("conv1.weight", 8, 1, 5, 5), weight("conv2.weight", 16, 8, 5, 5),
               weight("fc.weight", 10, 400)]
    image = helper.make_tensor_value_info("image", FLOAT, ["batch", 1, 28, 28])
    digit = helper.make_tensor_value_info("digit", FLOAT, ["batch", 10])
    write("digits", nodes, [image], [digit], weights)


def attention():
    nodes = [
        helper.make_node("MatMul", ["words", "q.weight"], ["q"], "/q/MatMul"),
        helper.make_node("Add", ["q.bias", "q"], ["query"], "/q/Add"),
        helper.make_node("Transpose", ["query"], ["key"], "/Transpose", perm=[0, 2, 1]),
        helper.make_node("MatMul", ["query", "key"], ["scores"], "/MatMul"),
        helper.make_node("Softmax", ["scores"], ["shares"], "/Softmax", axis=-1),
        helper.make_node("MatMul", ["shares", "query"], ["heads"], "/MatMul_1"),
        helper.make_node("MatMul", ["heads", "o.weight"], ["o"], "/o/MatMul"),
        helper.make_node("Add", ["o.bias", "o"], ["out"], "/o/Add"),
    ]
    weights = [weight("q.weight", 256, 256), weight("q.bias", 256), weight("o.weight", 256, 1024),
               weight("o.bias", 1024)]
    words = helper.make_tensor_value_info("words", FLOAT, [2, 128, 256])
    out = helper.make_tensor_value_info("out", FLOAT, [2, 128, 1024])
    write("attention", nodes, [words], [out], weights)


if __name__ == "__main__":
    digits()
    attention()

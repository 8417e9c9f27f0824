"""ONNX models at the command line. The models are encoded here byte by byte, without ONNX's library."""

import json
import os
import unittest

from workbench import Workbench


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def number(field, value):
    return varint(field << 3) + varint(value)


def chunk(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def node(op, name, inputs, output, **attributes):
    made = b"".join(chunk(1, i) for i in inputs) + chunk(2, output) + chunk(3, name) + chunk(4, op)
    for key, value in attributes.items():
        if isinstance(value, int):
            body = chunk(1, key) + number(3, value) + number(20, 2)
        else:
            body = chunk(1, key) + b"".join(number(8, v) for v in value) + number(20, 7)
        made += chunk(5, body)
    return chunk(1, made)


def stored(name, *sizes):
    return chunk(5, b"".join(number(1, size) for size in sizes) + number(2, 1) + chunk(8, name))


def value(field, name, *sizes):
    shape = b"".join(chunk(1, chunk(2, s) if isinstance(s, str) else number(1, s)) for s in sizes)
    return chunk(field, chunk(1, name) + chunk(2, chunk(1, number(1, 1) + chunk(2, shape))))


def model(batch="N"):
    """X [batch, 4, 8, 8], a grouped 3 x 3 convolution of stride 2, Relu, Flatten, two products."""
    graph = (node("Conv", "conv", ["X", "W"], "a", group=2, strides=[2, 2], pads=[1, 1, 1, 1]) +
             node("Relu", "relu", ["a"], "b") + node("Flatten", "flat", ["b"], "c") +
             node("Gemm", "fc", ["c", "V"], "d") + node("Gemm", "again", ["c", "V"], "e") +
             chunk(2, "graph") + stored("W", 6, 2, 3, 3) + stored("V", 96, 10) +
             value(11, "X", batch, 4, 8, 8) + value(12, "d", batch, 10) + value(12, "e", batch, 10))
    return number(1, 8) + chunk(7, graph) + chunk(8, number(2, 13))


class Onnx(Workbench):
    def setUp(self):
        super().setUp()
        for name, data in (("open.onnx", model()), ("fixed.onnx", model(2)),
                           ("cut.onnx", model(2)[:-60])):
            with open(os.path.join(self.dir, name), "wb") as file:
                file.write(data)

    def solve(self, *arguments, **options):
        return self.run_pimbb("network", "--wide", "--arch", "arch.yaml", "--network",
                              *arguments, **options)

    def test_report(self):
        out, _ = self.solve("fixed.onnx", "--ascii")
        for part in ("fixed  3 layers, 2 distinct", "layers: 2 Gemm, 1 Conv",
                     "in groups: 1 of them", "passed through: 1 Flatten, 1 Relu",
                     "R3 S3 P4 Q4 C2 K3 N2 G2 /2", "P2 C96 K10",
                     "optimal, proven: 2 of 2 distinct layers"):
            self.assertIn(part, out)
        macs = 2 * 4 * 4 * 3 * 3 * 2 * 6 + 2 * (2 * 96 * 10)
        self.assertIn(f"{macs:,} MACs", out)

    def test_json_lists_every_node(self):
        result = json.loads(self.solve("fixed.onnx", "--json", "-")[0])
        nodes = {node["name"]: node for node in result["nodes"]}
        self.assertEqual(list(nodes), ["conv", "relu", "flat", "fc", "again"])
        conv = nodes["conv"]
        self.assertEqual(conv["operator"], "Conv")
        self.assertEqual(conv["inputs"], [{"tensor": "X", "shape": [2, 4, 8, 8]},
                                          {"tensor": "W", "shape": [6, 2, 3, 3], "constant": True}])
        self.assertEqual(conv["outputs"], [{"tensor": "a", "shape": [2, 6, 4, 4]}])
        layer = conv["layer"]
        self.assertEqual(layer["dimensions"],
                         {"R": 3, "S": 3, "P": 4, "Q": 4, "C": 2, "K": 3, "N": 2, "G": 2})
        self.assertEqual((layer["stride"], layer["dilation"]), ([2, 2], [1, 1]))
        self.assertEqual((layer["groups"], layer["products"], layer["repetitions"]), (2, 1, 1))
        self.assertEqual(layer["macs"], 2 * 4 * 4 * 3 * 3 * 2 * 6)
        self.assertEqual(nodes["again"]["layer"]["result"], "fc")
        self.assertIn("multiplies no matrices", nodes["relu"]["passed_through"])
        self.assertEqual([(l["layer"], l["repetitions"]) for l in result["layers"]],
                         [("conv", 1), ("fc", 2)])
        totals = result["totals"]
        self.assertEqual(totals["macs"], sum(n["layer"]["macs"] for n in result["nodes"]
                                             if "layer" in n))
        self.assertEqual(totals["latency"],
                         sum(l["repetitions"] * l["metrics"]["latency"]
                             for l in result["layers"]))

    def test_a_symbolic_batch_is_given_on_the_command_line(self):
        _, err = self.solve("open.onnx", expect=2)
        self.assertIn("open.onnx: inputs: found the symbol 'N' (X[0]) without a size", err)
        self.assertEqual(err.count("\n"), 1)
        self.assertIn("--batch", err)
        self.assertIn("N5", self.solve("open.onnx", "--batch", "5")[0])
        for source in ("fixed.onnx", "network.yaml"):
            _, err = self.solve(source, "--batch", "5", expect=2)
            self.assertIn("--batch: found 5", err)
        _, err = self.solve("open.onnx", "--batch", "0", expect=2)
        self.assertIn("--batch: found '0'", err)

    def test_symbols_are_given_by_name(self):
        with open(os.path.join(self.dir, "seq.onnx"), "wb") as file:
            graph = (node("MatMul", "mul", ["X", "W"], "Y") + chunk(2, "graph") +
                     stored("W", 8, 4) + value(11, "X", "batch", "seq", 8))
            file.write(number(1, 8) + chunk(7, graph) + chunk(8, number(2, 18)))
        out, _ = self.solve("seq.onnx", "--dim", "batch=2", "--dim", "seq=16")
        self.assertIn("P16 C8 K4 N2", out)
        _, err = self.solve("seq.onnx", "--batch", "2", "--dim", "sqe=16", expect=2)
        self.assertIn("the symbol 'seq' (X[1]) without a size", err)
        _, err = self.solve("seq.onnx", "--dim", "seq", expect=2)
        self.assertIn("--dim: found 'seq', allowed are NAME=N", err)
        _, err = self.solve("seq.onnx", "--dim", "seq=0", expect=2)
        self.assertIn("--dim seq: found '0', allowed are integers 1 ..", err)
        _, err = self.solve("seq.onnx", "--dim", "seq=1", "--dim", "seq=2", expect=2)
        self.assertIn("one value for 'seq'", err)
        _, err = self.solve("network.yaml", "--dim", "kv=2", expect=2)
        self.assertIn("--dim: found kv=2", err)

    def test_operators_without_a_problem_can_be_skipped(self):
        with open(os.path.join(self.dir, "rnn.onnx"), "wb") as file:
            graph = (node("LSTM", "lstm", ["X", "A", "B"], "h") +
                     node("MatMul", "mul", ["X", "W"], "Y") + chunk(2, "graph") +
                     stored("A", 1, 24, 8) + stored("B", 1, 24, 6) + stored("W", 8, 4) +
                     value(11, "X", 5, 2, 8))
            file.write(number(1, 8) + chunk(7, graph) + chunk(8, number(2, 14)))
        _, err = self.solve("rnn.onnx", expect=2)
        self.assertIn("rnn.onnx: operators: found 1 of 2 nodes that cannot be read: 1 LSTM", err)
        self.assertEqual(err.count("\n"), 1)
        out, _ = self.solve("rnn.onnx", "--skip-unsupported")
        self.assertIn("skipped, their cost is in no figure: 1 LSTM", out)
        nodes = json.loads(self.solve("rnn.onnx", "--skip-unsupported", "--json", "-")[0])["nodes"]
        self.assertIn("recurrent layers", nodes[0]["skipped"])
        self.assertNotIn("passed_through", nodes[0])

    def test_what_other_operators_move_is_counted_apart(self):
        out, _ = self.solve("fixed.onnx")
        moved = 2 * (2 * 6 * 4 * 4)  # Relu; one byte an element
        rows = moved // 32
        self.assertIn(f"counted apart, not in the total: 1 element-wise move {moved} bytes, open "
                      f"{rows} rows", out)
        result = json.loads(self.solve("fixed.onnx", "--json", "-")[0])
        self.assertEqual(result["passed_through"],
                         {"element_wise": {"nodes": 1, "unknown_shape": 0, "bytes": moved,
                                           "rows": rows}})
        self.assertEqual([node.get("moved") for node in result["nodes"]],
                         [None, {"bytes": moved, "rows": rows}, None, None, None])

    def test_one_layer(self):
        out, _ = self.run_pimbb("map", "--arch", "arch.yaml", "--layer", "open.onnx:fc",
                                "--batch", "3")
        self.assertIn("fc  P3 C96 K10  2,880 MACs", out)
        _, err = self.run_pimbb("map", "--layer", "fixed.onnx:relu", expect=2)
        self.assertIn("fixed.onnx: found that the node 'relu' (Relu) is not a layer", err)
        _, err = self.run_pimbb("map", "--layer", "fixed.onnx", expect=2)
        self.assertIn("conv, fc, again", err)

    def test_description(self):
        out, _ = self.run_pimbb("presets", "open.onnx", "--batch", "1")
        self.assertIn("open.onnx:conv", out)
        self.assertIn("passed through: 1 Flatten, 1 Relu", out)

    def test_a_model_that_is_cut_short(self):
        out, err = self.solve("cut.onnx", "--json", "out.json", expect=2)
        self.assertEqual(out, "")
        self.assertRegex(err, r"^pimbb: cut.onnx: found \d+ bytes that are no ONNX model[^\n]*\n$")
        self.assertFalse(os.path.exists(os.path.join(self.dir, "out.json")))


if __name__ == "__main__":
    unittest.main(argv=["test_onnx"])

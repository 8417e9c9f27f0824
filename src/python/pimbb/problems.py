"""What is mapped onto what: accelerators, devices, layers and networks, as plain data.

Each class reads presets and files (`load`), dictionaries with the keys of a file (`from_dict`), and gives such
a dictionary back (`to_dict`).
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any, Optional, Union

from . import _core
from ._values import Number, fraction, number_text, plain, to_text

#: Dimensions of a layer: kernel width and height, output width and height, input and output channels, batch,
#: groups.
DIMENSIONS = ("R", "S", "P", "Q", "C", "K", "N", "G")

#: Values that replace those of an accelerator's file: {"pe_array.dim_h": 16}.
Changes = Mapping[str, Number]


class ArchitectureWarning(UserWarning):
    """A warning about the file of an accelerator or device."""


def _warn(texts: Sequence[str]) -> None:
    for text in texts:
        warnings.warn(text, ArchitectureWarning, stacklevel=4)


def change_words(changes: Optional[Changes]) -> list[str]:
    return [f"{key}={number_text(value)}" for key, value in (changes or {}).items()]


@dataclass(frozen=True)
class Architecture:
    """An accelerator: processing in DRAM, SRAM compute-in-memory, or crossbars."""

    kind: str  #: "dram_pim", "cim" or "crossbar"
    name: str
    values: Mapping[str, Any]  #: all keys of its file, none left out

    @classmethod
    def load(cls, source: str, changes: Optional[Changes] = None) -> Architecture:
        """`source` is the name of a preset ("simple_pim") or a path; `changes` as in `changed`."""
        return cls._of(*_core.architecture_text(str(source), change_words(changes), {}))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Architecture:
        """From the keys of a file; keys that have defaults may be missing."""
        texts = {"<architecture>": to_text(values)}
        return cls._of(*_core.architecture_text("<architecture>", [], texts))

    def changed(self, changes: Changes) -> Architecture:
        """The same with other values: {"pe_array.dim_h": 16, "levels.GlobalBuffer.entries": 256}."""
        texts = {"<architecture>": to_text(self.values)}
        kind, text, _ = _core.architecture_text("<architecture>", change_words(changes), texts)
        return self._of(kind, text, ())

    def to_dict(self) -> dict[str, Any]:
        return plain(self.values)

    @classmethod
    def _of(cls, kind: str, text: str, about: Sequence[str]) -> Architecture:
        _warn(about)
        values = json.loads(text)
        inner = values.get("crossbar_accelerator", values)
        return cls(kind, inner.get("name", ""), values)


@dataclass(frozen=True)
class Device:
    """A whole device of many units of kind dram_pim: a stack, a chip or a rank."""

    name: str
    values: Mapping[str, Any]  #: all keys of its file, its unit included

    @classmethod
    def load(cls, source: str, changes: Optional[Changes] = None) -> Device:
        """`source` is the name of a preset ("hbm_pim_stack") or a path."""
        return cls._of(*_core.device_text(str(source), change_words(changes), {}))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Device:
        return cls._of(*_core.device_text("<device>", [], {"<device>": to_text(values)}))

    def changed(self, changes: Changes) -> Device:
        """The same with other values: {"launch": 100, "unit.pe_array.dim_h": 16}."""
        texts = {"<device>": to_text(self.values)}
        kind, text, _ = _core.device_text("<device>", change_words(changes), texts)
        return self._of(kind, text, ())

    def to_dict(self) -> dict[str, Any]:
        return plain(self.values)

    @classmethod
    def _of(cls, _kind: str, text: str, about: Sequence[str]) -> Device:
        _warn(about)
        values = json.loads(text)
        inner = values.get("device", values)
        return cls(inner.get("name", ""), values)


@dataclass(frozen=True)
class Layer:
    """A convolution or matrix product: bounds of its loops, strides and dilations.

    A matrix product of M x C by C x K has P = M. In a grouped convolution, C and K are the channels of one group.
    """

    R: int = 1  #: kernel width
    S: int = 1  #: kernel height
    P: int = 1  #: output width
    Q: int = 1  #: output height
    C: int = 1  #: input channels
    K: int = 1  #: output channels
    N: int = 1  #: batch
    G: int = 1  #: groups
    name: str = "layer"
    stride: tuple[int, int] = (1, 1)  #: width, height
    dilation: tuple[int, int] = (1, 1)  #: width, height
    input: Optional[tuple[int, int]] = None  #: width and height of the input without its padding, if known
    weight: Fraction = Fraction(1)  #: factor of the layer in a network's totals
    pad: Optional[Union[str, int, Mapping[str, Any]]] = None  #: how far bounds may grow: "12.5%", {"P": 2}
    moves: Optional[tuple[str, ...]] = None  #: on devices: the tensors that move between host and units

    @classmethod
    def load(
        cls,
        source: str,
        *,
        batch: Optional[int] = None,
        dims: Optional[Mapping[str, int]] = None,
        skip_unsupported: bool = False,
    ) -> Layer:
        """A file with one layer, or one layer of a network: "resnet18:conv2_x", "model.onnx:node"."""
        return cls._of(json.loads(_core.layer_text(str(source), batch, dims or {}, skip_unsupported, {})))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Layer:
        """From the keys of a layer's file."""
        text = _core.layer_text("<layer>", None, {}, False, {"<layer>": to_text(values)})
        return cls._of(json.loads(text))

    @property
    def macs(self) -> int:
        """Multiply-accumulates: the product of all bounds."""
        product = 1
        for dimension in DIMENSIONS:
            product *= getattr(self, dimension)
        return product

    def to_dict(self) -> dict[str, Any]:
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {key: plain(value) for key, value in values.items() if value is not None}

    @classmethod
    def _of(cls, values: Mapping[str, Any]) -> Layer:
        def tupled(value: Any) -> Any:
            return tuple(value) if isinstance(value, list) else value

        known = {each.name for each in fields(cls)}
        given = {key: tupled(value) for key, value in values.items() if key in known}
        given["weight"] = fraction(values.get("weight", 1))
        return cls(**given)


@dataclass(frozen=True)
class NetworkLayer:
    """A layer of a network, and how often the network has it."""

    layer: Layer
    repetitions: int = 1


@dataclass(frozen=True)
class Tensor:
    """An edge of a network's graph."""

    name: str
    shape: Optional[tuple[int, ...]]  #: outermost dimension first; None: not known
    constant: bool = False  #: stored in the model, or computed from such tensors alone


@dataclass(frozen=True)
class Node:
    """An operator of a network's graph."""

    name: str
    operator: str  #: its ONNX name
    inputs: tuple[Optional[Tensor], ...]
    outputs: tuple[Optional[Tensor], ...]
    layer: Optional[str]  #: the network's layer that is this node's problem; None: it multiplies no matrices
    repetitions: int = 0  #: equal problems of the node
    reason: str = ""  #: why it is not a layer

    @classmethod
    def _of(cls, values: Mapping[str, Any]) -> Node:
        def tensors(items: Iterable[Optional[Mapping[str, Any]]]) -> tuple[Optional[Tensor], ...]:
            return tuple(
                item
                and Tensor(
                    item["tensor"],
                    None if item["shape"] is None else tuple(item["shape"]),
                    item.get("constant", False),
                )
                for item in items
            )

        layer = values.get("layer")
        return cls(
            values["name"],
            values["operator"],
            tensors(values["inputs"]),
            tensors(values["outputs"]),
            layer and layer["result"],
            layer["repetitions"] if layer else 0,
            values.get("passed_through", values.get("skipped", "")),
        )


@dataclass(frozen=True)
class Network:
    """Layers with repetitions, and the graph that connects them if it is known."""

    name: str
    layers: tuple[NetworkLayer, ...]
    nodes: Optional[tuple[Node, ...]] = None  #: of the graph, each after those whose tensors it reads
    #: Words of the command line for the file with the graph; None: the layers are all there is.
    _words: Optional[tuple[str, ...]] = field(default=None, repr=False, compare=False)

    @classmethod
    def load(
        cls,
        source: str,
        *,
        batch: Optional[int] = None,
        dims: Optional[Mapping[str, int]] = None,
        skip_unsupported: bool = False,
    ) -> Network:
        """A preset ("resnet18"), a YAML or JSON file, or an ONNX model, with values for its symbolic sizes.

        The file is read again when the network is mapped: the graph is not part of the object."""
        text = _core.network_text(str(source), batch, dims or {}, skip_unsupported, {})
        words = ["--network", str(source)]
        words += [] if batch is None else ["--batch", str(batch)]
        words += [word for name, size in (dims or {}).items() for word in ("--dim", f"{name}={size}")]
        words += ["--skip-unsupported"] if skip_unsupported else []
        return cls._of(json.loads(text), tuple(words))

    @classmethod
    def from_layers(cls, name: str, layers: Sequence[Union[Layer, NetworkLayer]]) -> Network:
        """A network without a graph; the layers' names are distinct."""
        counted = (each if isinstance(each, NetworkLayer) else NetworkLayer(each) for each in layers)
        return cls(name, tuple(counted))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Network:
        """From the keys of a network's file."""
        text = to_text(values)
        read = _core.network_text("<network>", None, {}, False, {"<network>": text})
        return cls._of(json.loads(read), None if values.get("graph") is None else ("<network>", text))

    def to_dict(self) -> dict[str, Any]:
        """Name and layers; the graph is not among them."""
        layers = [each.layer.to_dict() | {"repetitions": each.repetitions} for each in self.layers]
        return {"name": self.name, "layers": layers}

    @classmethod
    def _of(cls, values: Mapping[str, Any], words: Optional[tuple[str, ...]]) -> Network:
        layers = tuple(NetworkLayer(Layer._of(each), each["repetitions"]) for each in values["layers"])
        nodes = values.get("nodes")
        return cls(values["name"], layers, nodes and tuple(Node._of(node) for node in nodes), words)


def presets() -> dict[str, list[str]]:
    """Names that `load` takes: accelerators by kind, devices, networks."""
    return _core.presets()

"""Mappings as plain data, one class for each kind of accelerator.

`to_dict` gives what pimbb's JSON documents contain; `dataclasses.replace` makes variants, which `pimbb.evaluate`
checks and costs.
"""

from __future__ import annotations

from collections.abc import Mapping as Dictionary
from dataclasses import dataclass
from typing import Any, Optional, Union

#: ("K", 8): a loop over 8 parts of the output channels.
Loop = tuple[str, int]


def _loops(items: Any) -> tuple[Loop, ...]:
    return tuple((dimension, factor) for dimension, factor in items)


def _factors(groups: Dictionary[str, Any]) -> dict[str, dict[str, int]]:
    return {name: dict(factors) for name, factors in groups.items()}


@dataclass(frozen=True)
class Level:
    """The temporal loops of one memory level."""

    level: str
    loops: tuple[Loop, ...]  #: outermost first, without factors of 1


@dataclass(frozen=True)
class DramPimMapping:
    """Loops on one unit beside the DRAM."""

    spatial: Dictionary[str, Dictionary[str, int]]  #: by direction (H, W, internal): factor of each dimension
    temporal: tuple[Level, ...]  #: innermost level first
    stores: Dictionary[str, tuple[str, ...]]  #: by level: the tensors that it stores
    layout: Dictionary[str, str]  #: by tensor: "sequential" or "row_aligned"
    input_block: Optional[Dictionary[str, int]] = None  #: h and w of a row-aligned input's blocks, elements
    input_order: Optional[str] = None  #: "nchw" or "nhwc", where the accelerator leaves it free

    @classmethod
    def from_dict(cls, values: Dictionary[str, Any]) -> DramPimMapping:
        return cls(
            _factors(values["spatial"]),
            tuple(Level(each["level"], _loops(each["loops"])) for each in values["temporal"]),
            {level: tuple(tensors) for level, tensors in values["stores"].items()},
            dict(values["layout"]),
            values.get("input_block"),
            values.get("input_order"),
        )

    def to_dict(self) -> dict[str, Any]:
        values: dict[str, Any] = {
            "spatial": _factors(self.spatial),
            "temporal": [
                {"level": each.level, "loops": [list(loop) for loop in each.loops]} for each in self.temporal
            ],
            "stores": {level: list(tensors) for level, tensors in self.stores.items()},
            "layout": dict(self.layout),
        }
        if self.input_block is not None:
            values["input_block"] = dict(self.input_block)
        if self.input_order is not None:
            values["input_order"] = self.input_order
        return values


@dataclass(frozen=True)
class DeviceMapping:
    """A layer split over the units of a device; each unit runs the same mapping of its slice."""

    split: Dictionary[str, Dictionary[str, int]]  #: by level of the device: factor of each dimension
    slice: Dictionary[str, int]  #: bounds of the layer that one unit runs
    mapping: DramPimMapping
    moves: tuple[str, ...]  #: the tensors that move between host and units

    @classmethod
    def from_dict(cls, values: Dictionary[str, Any]) -> DeviceMapping:
        inner = values["mapping"]
        return cls(
            {each["level"]: dict(each["factors"]) for each in values["split"]},
            dict(values["slice"]),
            DramPimMapping.from_dict(inner.get("mapping", inner)),
            tuple(values["moves"]),
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "split": [{"level": level, "factors": dict(factors)} for level, factors in self.split.items()],
            "slice": dict(self.slice),
            "moves": list(self.moves),
            "mapping": self.mapping.to_dict(),
        }


@dataclass(frozen=True)
class CimMapping:
    """Loops on macros of SRAM compute-in-memory."""

    spatial: Dictionary[str, Dictionary[str, int]]  #: by axis (cores, rows, columns): factor of each dimension
    loops: tuple[tuple[Any, ...], ...]  #: outermost first: dimension, factor, and the level of each operand
    double: Dictionary[str, tuple[str, ...]]  #: by level: the operands that are double-buffered

    @classmethod
    def from_dict(cls, values: Dictionary[str, Any]) -> CimMapping:
        return cls(
            _factors(values["spatial"]),
            tuple(tuple(loop) for loop in values["loops"]),
            {level: tuple(operands) for level, operands in values["double"].items()},
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "spatial": _factors(self.spatial),
            "loops": [list(loop) for loop in self.loops],
            "double": {level: list(operands) for level, operands in self.double.items()},
        }


@dataclass(frozen=True)
class CrossbarMapping:
    """A network on crossbars: how often each node is replicated, and the array groups that each core holds."""

    replication: Dictionary[str, int]  #: by node
    cores: tuple[tuple[tuple[str, int], ...], ...]  #: for each core: nodes, and the array groups of each

    @classmethod
    def from_dict(cls, values: Dictionary[str, Any]) -> CrossbarMapping:
        cores = (tuple((node, groups) for node, groups in core) for core in values["cores"])
        return cls(dict(values["replication"]), tuple(cores))

    def to_dict(self) -> dict[str, Any]:
        return {
            "replication": dict(self.replication),
            "cores": [[list(share) for share in core] for core in self.cores],
        }


Mapping = Union[DramPimMapping, DeviceMapping, CimMapping, CrossbarMapping]

"""The commands of pimbb as functions.

They differ from the command line in form only: what is mapped onto what are objects, presets or paths; an option
`--row-model trace` is `row_model="trace"`, a flag `--stay` is `stay=True`, limits on goals and changes are
dictionaries. `pimbb COMMAND --help` explains every option, and an unknown or unsuitable one is an InputError that
says what is allowed.

While a function computes, other threads of Python run. Ctrl-C stops it and raises Interrupted, which has the best
answer so far; so does an exception in `on_progress`, which is raised as it is.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping as Dictionary, Sequence
from dataclasses import dataclass
from typing import Any, Optional, TypeVar, Union

from . import _core
from ._values import Number, number_text, read, to_text
from .answers import Exploration, Explanation, Front, Sensitivity, Top
from .mappings import Mapping
from .problems import Architecture, ArchitectureWarning, Changes, Device, Layer, Network, change_words
from .results import Audit, Evaluation, NetworkSolution, Result, Solution

Path = Union[str, "os.PathLike[str]"]
Machine = Union[Architecture, Device, str]
#: A goal, or goals in order of importance.
Objective = Union[str, Sequence[str]]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a search; `result` is the best answer so far, or None."""

    def __init__(self, result: Optional[Result]) -> None:
        super().__init__("interrupted; the best answer so far is in .result")
        self.result = result


@dataclass(frozen=True)
class Progress:
    """A report while a search runs."""

    goal: str  #: that is being minimised
    incumbent: Optional[float]  #: best value so far
    bound: float  #: proven lower bound
    nodes: int
    seconds: float


@dataclass(frozen=True)
class ExploreProgress:
    """A report while an exploration runs."""

    done: int  #: points
    points: int
    best: Optional[float]  #: least objective so far
    seconds: float


class _Words:
    """A command line, and the texts that stand for its files."""

    def __init__(self, command: str) -> None:
        self.words = [command]
        self.texts: dict[str, str] = {}

    def add(self, option: str, value: Any) -> None:
        """An option as its keyword says: nothing for None and False, once for each item of a dictionary."""
        name = "--" + option.replace("_", "-")
        if value is None or value is False:
            return
        if value is True:
            self.words.append(name)
        elif isinstance(value, Dictionary):
            for key, item in value.items():
                self.words += [name, f"{key}={number_text(item)}"]
        else:
            self.words += [name, _option_text(value)]

    def add_text(self, option: str, name: str, text: str) -> None:
        """A file that is given as a text."""
        self.texts[name] = text
        self.words += [option, name]

    def add_machine(self, machine: Optional[Machine], changes: Optional[Changes]) -> None:
        if isinstance(machine, Architecture):
            self.add_text("--arch", "<architecture>", to_text(machine.values))
        elif isinstance(machine, Device):
            self.add_text("--device", "<device>", to_text(machine.values))
        elif machine is not None:
            is_device = machine in _core.presets()["device"]
            self.words += ["--device" if is_device else "--arch", str(machine)]
        for change in change_words(changes):
            self.words += ["--set", change]

    def add_layer(self, layer: Union[Layer, Path]) -> None:
        if isinstance(layer, Layer):
            self.add_text("--layer", "<layer>", to_text(layer.to_dict()))
        else:
            self.words += ["--layer", os.fspath(layer)]

    def add_network(self, network: Union[Network, Path]) -> None:
        if not isinstance(network, Network):
            self.words += ["--network", os.fspath(network)]
        elif network._words is None:
            self.add_text("--network", "<network>", to_text(network.to_dict()))
        elif network._words[0] == "<network>":
            self.add_text("--network", "<network>", network._words[1])
        else:
            self.words += network._words

    def add_problem(self, problem: Union[Layer, Network, Path]) -> None:
        """A layer, or a network where a command has no layers; a name is that of either."""
        if isinstance(problem, Network):
            self.add_network(problem)
        else:
            self.add_layer(problem)

    def add_mapping(self, mapping: Union[Mapping, Result, Evaluation, Path]) -> None:
        if isinstance(mapping, Result):
            self.add_text("--mapping", "<mapping>", mapping.to_json())
        elif isinstance(mapping, Evaluation):
            self.add_text("--mapping", "<mapping>", to_text(mapping.mapping.to_dict()))
        elif isinstance(mapping, (str, os.PathLike)):
            self.words += ["--mapping", os.fspath(mapping)]
        else:
            self.add_text("--mapping", "<mapping>", to_text(mapping.to_dict()))

    def add_options(self, options: Dictionary[str, Any]) -> None:
        """Keywords as options; constraints and paddings may be dictionaries."""
        for option, value in options.items():
            if option in _ONLY_TERMINAL:
                raise TypeError(f"found the option {option}, which is for terminals only")
            if option == "constraints" and isinstance(value, Dictionary):
                self.add_text("--constraints", "<constraints>", to_text(value))
            elif option == "pad" and isinstance(value, Dictionary):
                self.add("pad", ",".join(f"{dimension}={growth}" for dimension, growth in value.items()))
            else:
                self.add(option, value)


_ONLY_TERMINAL = ("json", "csv", "quiet", "ascii", "wide", "help")


def _option_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Sequence):
        return ",".join(_option_text(item) for item in value)
    return number_text(value)


R = TypeVar("R", bound=Result)


def _run(
    words: _Words,
    result_of: Callable[[dict[str, Any], str], R],
    on_progress: Optional[Callable[[Progress], object]] = None,
    on_explored: Optional[Callable[[ExploreProgress], object]] = None,
) -> R:
    _, text, interrupted = _core.call(
        words.words,
        words.texts,
        on_progress and (lambda *report: on_progress(Progress(*report))),
        on_explored and (lambda *report: on_explored(ExploreProgress(*report))),
    )
    result = result_of(read(text), text) if text else None
    if interrupted:
        raise Interrupted(result)
    assert result is not None
    for warning in result.warnings:
        warnings.warn(warning, ArchitectureWarning, stacklevel=3)
    return result


def solve(
    machine: Machine,
    layer: Union[Layer, Path],
    *,
    objective: Objective = "latency",
    at_most: Optional[Dictionary[str, Number]] = None,
    changes: Optional[Changes] = None,
    threads: int = 0,
    time_limit: Optional[float] = None,
    node_limit: Optional[int] = None,
    proof: Optional[Path] = None,
    on_progress: Optional[Callable[[Progress], object]] = None,
    **options: Any,
) -> Solution:
    """The best mapping of a layer on an accelerator or a device: `pimbb map`.

    `machine` and `layer` are objects, names of presets, or paths ("resnet18:conv2_x"). `at_most` are limits on
    goals ({"latency": 2e6}), `changes` other values of the accelerator ({"pe_array.dim_h": 16}), `time_limit` is in
    seconds, `proof` a file that pimbb-check verifies. Other options: row_model, method, constraints, pad, moves,
    alpha, beta, memory_limit, ...; of SRAM compute-in-memory semantics, contention, factors, schemes, double.
    """
    words = _Words("map")
    words.add_machine(machine, changes)
    words.add_layer(layer)
    words.add_options(
        dict(objective=objective, at_most=at_most, threads=threads, time_limit=time_limit, node_limit=node_limit)
        | dict(proof=proof)
        | options
    )
    return _run(words, Solution.of, on_progress)


def solve_network(
    machine: Machine,
    network: Union[Network, Path],
    *,
    objective: Optional[Objective] = None,
    changes: Optional[Changes] = None,
    threads: int = 0,
    time_limit: Optional[float] = None,
    node_limit: Optional[int] = None,
    on_progress: Optional[Callable[[Progress], object]] = None,
    **options: Any,
) -> Union[NetworkSolution, Solution]:
    """Every layer of a network mapped, the goals those of the totals: `pimbb network`.

    On crossbars the network has one mapping, and the answer is a Solution. Without an objective it is latency, on
    crossbars ht. Other options: agree_layouts, stay, fix_bypass, fix_permutation, per_layer, pad, moves, row_model,
    method, ...
    """
    words = _Words("network")
    words.add_machine(machine, changes)
    words.add_network(network)
    words.add_options(
        dict(objective=objective, threads=threads, time_limit=time_limit, node_limit=node_limit) | options
    )

    def result_of(document: dict[str, Any], text: str) -> Union[NetworkSolution, Solution]:
        return NetworkSolution.of(document, text) if "layers" in document else Solution.of(document, text)

    return _run(words, result_of, on_progress)


def _problem(words: _Words, layer: Union[Layer, Path, None], network: Union[Network, Path, None]) -> None:
    """A layer, or a network."""
    if (layer is None) == (network is None):
        raise TypeError("found " + ("neither" if layer is None else "both") + " layer and network, allowed is one of them")
    if layer is not None:
        words.add_layer(layer)
    else:
        words.add_network(network)


def evaluate(
    machine: Machine,
    layer: Union[Layer, Path, None],
    mapping: Union[Mapping, Result, Evaluation, Path],
    *,
    network: Union[Network, Path, None] = None,
    changes: Optional[Changes] = None,
    **options: Any,
) -> Evaluation:
    """What a given mapping costs: `pimbb evaluate`. A mapping that breaks a rule is an InputError.

    On crossbars `layer` is None, and `network` is the network. Other options: row_model, layout, moves; of SRAM
    compute-in-memory semantics, contention; of crossbars mode, simulate, policy.
    """
    words = _Words("evaluate")
    words.add_machine(machine, changes)
    _problem(words, layer, network)
    words.add_mapping(mapping)
    words.add_options(options)
    result = _run(words, Solution.of)
    return Evaluation.of(read(result.to_json()))


def audit(
    machine: Machine,
    layer: Union[Layer, Path, None],
    mapping: Union[Mapping, Result, Evaluation, Path],
    *,
    network: Union[Network, Path, None] = None,
    objective: Optional[Objective] = None,
    changes: Optional[Changes] = None,
    threads: int = 0,
    time_limit: Optional[float] = None,
    node_limit: Optional[int] = None,
    on_progress: Optional[Callable[[Progress], object]] = None,
    **options: Any,
) -> Audit:
    """How far a given mapping is from the best: `pimbb audit`. Arguments as in `evaluate` and `solve`."""
    words = _Words("audit")
    words.add_machine(machine, changes)
    _problem(words, layer, network)
    words.add_mapping(mapping)
    words.add_options(
        dict(objective=objective, threads=threads, time_limit=time_limit, node_limit=node_limit) | options
    )
    return _run(words, Audit.of, on_progress)


def pareto(
    machine: Machine,
    layer: Union[Layer, Path, None] = None,
    *,
    network: Union[Network, Path, None] = None,
    axes: Objective = ("latency", "energy"),
    at_most: Optional[Dictionary[str, Number]] = None,
    within: Optional[Number] = None,
    points: Optional[int] = None,
    changes: Optional[Changes] = None,
    threads: int = 0,
    time_limit: Optional[float] = None,
    on_progress: Optional[Callable[[Progress], object]] = None,
    **options: Any,
) -> Front:
    """All trade-offs of a layer, or of a network's totals: `pimbb pareto`. Of a network on crossbars `axes` are "ht"
    and "ll".

    `within` is a share (0.01 or "1%"): fewer points, which come that close to every other; `points` is their
    number.
    """
    words = _Words("pareto")
    words.add_machine(machine, changes)
    _problem(words, layer, network)
    words.add_options(dict(axes=axes, at_most=at_most, within=within, points=points, threads=threads))
    words.add_options(dict(time_limit=time_limit) | options)
    return _run(words, Front.of, on_progress)


def top(
    machine: Machine,
    layer: Union[Layer, Network, Path],
    *,
    k: Optional[int] = None,
    within: Optional[Number] = None,
    objective: Optional[Objective] = None,
    at_most: Optional[Dictionary[str, Number]] = None,
    changes: Optional[Changes] = None,
    threads: int = 0,
    time_limit: Optional[float] = None,
    on_progress: Optional[Callable[[Progress], object]] = None,
    **options: Any,
) -> Top:
    """The best `k` classes of mappings (20), or all within a share of the optimum: `pimbb top`.

    On crossbars the problem is a network, and a class a replication. Without an objective it is latency, on
    crossbars ht.
    """
    words = _Words("top")
    words.add_machine(machine, changes)
    words.add_problem(layer)
    words.add_options(dict(k=k, within=within, objective=objective, at_most=at_most, threads=threads))
    words.add_options(dict(time_limit=time_limit) | options)
    return _run(words, Top.of, on_progress)


def explain(
    machine: Machine,
    layer: Union[Layer, Network, Path],
    *,
    at_most: Optional[Dictionary[str, Number]] = None,
    changes: Optional[Changes] = None,
    threads: int = 0,
    time_limit: Optional[float] = None,
    on_progress: Optional[Callable[[Progress], object]] = None,
    **options: Any,
) -> Explanation:
    """Why a layer, or a network on crossbars, has no mapping, and which changes would help: `pimbb explain`."""
    words = _Words("explain")
    words.add_machine(machine, changes)
    words.add_problem(layer)
    words.add_options(dict(at_most=at_most, threads=threads, time_limit=time_limit) | options)
    return _run(words, Explanation.of, on_progress)


def sensitivity(
    machine: Machine,
    layer: Union[Layer, Network, Path],
    *,
    objective: Optional[Objective] = None,
    parameters: Sequence[str] = (),
    changes: Optional[Changes] = None,
    threads: int = 0,
    time_limit: Optional[float] = None,
    on_progress: Optional[Callable[[Progress], object]] = None,
    **options: Any,
) -> Sensitivity:
    """How the optimum depends on every figure of the accelerator, or on `parameters`: `pimbb sensitivity`.

    On crossbars the problem is a network. Without an objective it is latency, on crossbars ht. Other options:
    range ("8..64", with one parameter), reach, ...
    """
    words = _Words("sensitivity")
    words.add_machine(machine, changes)
    words.add_problem(layer)
    words.add_options(dict(objective=objective, threads=threads, time_limit=time_limit) | options)
    for parameter in parameters:
        words.words += ["--parameter", parameter]
    return _run(words, Sensitivity.of, on_progress)


def explore(
    space: Union[Dictionary[str, Any], Path],
    *,
    threads: int = 0,
    time_limit: Optional[float] = None,
    journal: Optional[Path] = None,
    resume: bool = False,
    prune: bool = False,
    on_progress: Optional[Callable[[ExploreProgress], object]] = None,
    **options: Any,
) -> Exploration:
    """A grid of accelerators, networks mapped onto every point: `pimbb explore`.

    `space` is a file, or a dictionary with its keys: {"arch": "simple_pim", "networks": ["resnet18"], "objective":
    "edp", "vary": {"pe_array.dim_h": [4, 8]}}; `arch` and `networks` may be objects.
    """
    words = _Words("explore")
    if isinstance(space, Dictionary):
        values = dict(space.get("explore", space))
        if isinstance(values.get("arch"), Architecture):
            words.texts["<architecture>"] = to_text(values["arch"].values)
            values["arch"] = "<architecture>"
        networks = values.get("networks", [])
        if isinstance(networks, Sequence) and not isinstance(networks, str):
            values["networks"] = [_named_network(words, each) for each in networks]
        words.texts["<space>"] = to_text({"explore": values})
        words.words.append("<space>")
    else:
        words.words.append(os.fspath(space))
    words.add_options(
        dict(threads=threads, time_limit=time_limit, journal=journal, resume=resume, prune=prune) | options
    )
    return _run(words, Exploration.of, None, on_progress)


def _named_network(words: _Words, network: Any) -> Any:
    """A name for a network of a space."""
    if not isinstance(network, Network):
        return network
    if network._words is not None and network._words[0] == "--network" and len(network._words) == 2:
        return network._words[1]
    if network._words is not None and network._words[0] != "<network>":
        raise TypeError("found a network with values for its sizes, allowed in a space are files as they are")
    name = f"<network {len(words.texts)}>"
    words.texts[name] = network._words[1] if network._words else to_text(network.to_dict())
    return name


__all__ = [
    "ExploreProgress",
    "Interrupted",
    "Progress",
    "audit",
    "evaluate",
    "explain",
    "explore",
    "pareto",
    "sensitivity",
    "solve",
    "solve_network",
    "top",
]

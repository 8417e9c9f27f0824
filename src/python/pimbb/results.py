"""What the commands answer: one dataclass for each kind of result.

Costs, bounds and other figures of a claim are `fractions.Fraction`; gaps, ratios and seconds are floats. Every
result has the whole JSON document behind it: `to_dict`, `to_json`. `frame` is a pandas DataFrame of what the
result lists.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping as Dictionary
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Optional

from ._values import exact, optional_fraction
from .mappings import CimMapping, CrossbarMapping, DeviceMapping, DramPimMapping, Mapping
from .problems import Layer

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, kw_only=True)
class Result:
    """What all results have."""

    status: str  #: "optimal", "feasible", "infeasible", "unknown"; of some results "complete", "partial"
    reason: str = ""  #: infeasible: why
    statistics: Dictionary[str, Any] = field(default_factory=dict, repr=False)  #: nodes, seconds, threads, ...
    warnings: tuple[str, ...] = ()  #: about the accelerator's file
    _document: str = field(repr=False, compare=False)

    @property
    def proven(self) -> bool:
        """Whether nothing is left open: the answer is proven, be it that there is none."""
        return self.status in ("optimal", "complete", "infeasible")

    def to_json(self) -> str:
        """The document, as `--json` writes it: for files, `pimbb report` and `pimbb evaluate`."""
        return self._document

    def to_dict(self) -> dict[str, Any]:
        """The document; numbers are floats, and their fractions texts under `exact`."""
        return json.loads(self._document)

    def rows(self) -> list[dict[str, Any]]:
        """What the result lists, a dictionary each, with exact values."""
        return []

    def frame(self) -> pandas.DataFrame:
        """`rows` as a DataFrame, fractions as floats. Needs pandas."""
        import pandas

        return pandas.DataFrame([{key: _float(value) for key, value in row.items()} for row in self.rows()])


def _float(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value


def common(document: Dictionary[str, Any], text: str) -> dict[str, Any]:
    """The fields of `Result`."""
    return {
        "status": document.get("status", "feasible"),
        "reason": document.get("reason", ""),
        "statistics": exact(document.get("stats", {})),
        # Objects state every key of a file, those without effect too; their own files were looked at before.
        "warnings": tuple(each for each in document.get("warnings", ()) if not each.startswith("<")),
        "_document": text,
    }


@dataclass(frozen=True)
class Goal:
    """A goal with what is proven of it; in a list of goals, given the optima of the earlier ones."""

    name: str
    value: Optional[Fraction]  #: of the mapping; None: there is none
    bound: Optional[Fraction]  #: no mapping is below it
    gap: Optional[float]  #: (value - bound) / value; 0: optimal

    @classmethod
    def of(cls, values: Dictionary[str, Any]) -> Goal:
        stated = exact(values)
        gap = stated.get("gap")
        return cls(values["name"], stated.get("value"), stated.get("bound"), None if gap is None else float(gap))

    @classmethod
    def list_of(cls, objective: Any) -> tuple[Goal, ...]:
        """From a document's objective: the first goal, and those after it; none where nothing is claimed."""
        if not isinstance(objective, dict) or "bound" not in objective:
            return ()
        return tuple(cls.of(each) for each in (objective, *objective.get("then", ())))


@dataclass(frozen=True)
class Metrics:
    """Every term of the cost of a mapping."""

    latency: Optional[Fraction]  #: cycles; None: has none (crossbars, whose estimates are in `terms`)
    energy: Fraction  #: nJ; of crossbars pJ
    activations: Optional[Fraction]  #: of DRAM rows; None: there are none
    terms: Dictionary[str, Any] = field(repr=False)  #: all terms, by the keys of the JSON document

    @property
    def edp(self) -> Optional[Fraction]:
        """Latency times energy, nJ * cycles."""
        return None if self.latency is None else self.latency * self.energy

    @classmethod
    def of(cls, values: Dictionary[str, Any]) -> Metrics:
        stated = values["exact"]
        terms = exact(values)
        rows = terms.get("row_activations")
        return cls(
            optional_fraction(stated.get("latency")),
            Fraction(stated["energy"]["total"] if "estimates" in values else stated["energy"]),
            sum(rows.values(), Fraction(0)) if rows else optional_fraction(stated.get("activations")),
            terms,
        )


def mapping_of(part: Dictionary[str, Any]) -> Optional[Mapping]:
    """The mapping of a document or of a part of one; None if it has none."""
    if "replication" in part:
        return CrossbarMapping.from_dict(part)
    if "mapping" not in part:
        return None
    if "split" in part:
        return DeviceMapping.from_dict(part)
    values = part["mapping"]
    if "replication" in values:
        return CrossbarMapping.from_dict(values)
    return CimMapping.from_dict(values) if "loops" in values else DramPimMapping.from_dict(values)


def metrics_of(part: Dictionary[str, Any]) -> Optional[Metrics]:
    if "estimates" in part:
        stated = dict(part["exact"])
        energy = stated.pop("energy")
        terms = {key: part[key] for key in ("estimates", "energy", "memory", "simulation") if key in part}
        return Metrics.of(terms | {"exact": {"estimates": stated, "energy": energy}})
    return Metrics.of(part["metrics"]) if "metrics" in part else None


@dataclass(frozen=True)
class Evaluation:
    """A mapping and what it costs."""

    mapping: Mapping
    metrics: Metrics

    @classmethod
    def of(cls, part: Dictionary[str, Any]) -> Evaluation:
        mapping, metrics = mapping_of(part), metrics_of(part)
        assert mapping is not None and metrics is not None
        return cls(mapping, metrics)


@dataclass(frozen=True, kw_only=True)
class Solution(Result):
    """The best mapping of a layer, or of a network on crossbars, and the claim about it."""

    goals: tuple[Goal, ...]
    mapping: Optional[Mapping] = field(repr=False)
    metrics: Optional[Metrics] = field(repr=False)
    padded: Dictionary[str, int] = field(default_factory=dict)  #: bounds that are larger than the layer's

    @property
    def value(self) -> Optional[Fraction]:
        """Of the first goal."""
        return self.goals[0].value if self.goals else None

    @property
    def bound(self) -> Optional[Fraction]:
        """Proven lower bound of the first goal."""
        return self.goals[0].bound if self.goals else None

    @property
    def gap(self) -> Optional[float]:
        return self.goals[0].gap if self.goals else None

    @classmethod
    def of(cls, document: Dictionary[str, Any], text: str) -> Solution:
        return cls(
            **common(document, text),
            goals=Goal.list_of(document.get("objective")),
            mapping=mapping_of(document),
            metrics=metrics_of(document),
            padded=document.get("padded", {}),
        )

    def rows(self) -> list[dict[str, Any]]:
        return [{"goal": each.name, "value": each.value, "bound": each.bound, "gap": each.gap} for each in self.goals]


@dataclass(frozen=True)
class LayerSolution:
    """A distinct layer of a network: its part of the network's answer."""

    layer: Layer
    repetitions: int
    solution: Solution


@dataclass(frozen=True, kw_only=True)
class NetworkSolution(Result):
    """Every distinct layer of a network mapped, and the claim about the totals."""

    goals: tuple[Goal, ...]  #: of the totals; empty if the claim is about layers only
    totals: Dictionary[str, Fraction]  #: latency (cycles), energy (nJ), edp, activations, macs
    layers: tuple[LayerSolution, ...]

    @classmethod
    def of(cls, document: Dictionary[str, Any], text: str) -> NetworkSolution:
        totals = document.get("totals", {})
        stated = totals.get("exact", {})
        plan = isinstance(document.get("objective"), list)
        return cls(
            **common(document, text),
            goals=tuple(Goal.of(each) for each in (document["objective"] if plan else totals.get("goals", ()))),
            totals={name: Fraction(value) for name, value in stated.items()},
            layers=tuple(_layer_of(each) for each in document["layers"]),
        )

    def rows(self) -> list[dict[str, Any]]:
        return [_network_row(each) for each in self.layers]


def _layer_of(part: Dictionary[str, Any]) -> LayerSolution:
    result = part.get("result", part)  # of a plan, each node has one
    solution = Solution.of(result, json.dumps(result, default=float))
    return LayerSolution(Layer._of(result["workload"]), part["repetitions"], solution)


def _network_row(each: LayerSolution) -> dict[str, Any]:
    row: dict[str, Any] = {"layer": each.layer.name, "repetitions": each.repetitions, "status": each.solution.status}
    for goal in each.solution.goals[:1]:
        row |= {"goal": goal.name, "value": goal.value, "bound": goal.bound, "gap": goal.gap}
    if each.solution.metrics is not None:
        metrics = each.solution.metrics
        row |= {"latency": metrics.latency, "energy": metrics.energy, "activations": metrics.activations}
    return row


@dataclass(frozen=True)
class AuditGoal:
    """How far a given mapping is from the best in one goal."""

    name: str
    given: Fraction
    best: Optional[Fraction]  #: of the best mapping found
    bound: Fraction  #: no mapping is below it; the optimum if that is proven
    ratio: Optional[float]  #: given / bound; None if the bound is 0

    @classmethod
    def of(cls, values: Dictionary[str, Any]) -> AuditGoal:
        stated = exact(values)
        # DRAM-PIM calls the given mapping's cost `value`, the other kinds call it `given`.
        given, best = ("given", "value") if "given" in stated else ("value", "best")
        ratio = stated.get("ratio")
        return cls(
            values["name"],
            Fraction(stated[given]),
            optional_fraction(stated.get(best)),
            Fraction(stated["bound"]),
            None if ratio is None else float(ratio),
        )


@dataclass(frozen=True, kw_only=True)
class Audit(Result):
    """A given mapping beside the best there is; `status` is its standing: "optimal", "not_optimal", "unknown"."""

    certified: bool  #: whether the distance is exact
    goals: tuple[AuditGoal, ...]
    given: Evaluation = field(repr=False)
    best: Optional[Evaluation] = field(repr=False)

    @property
    def proven(self) -> bool:
        return self.certified

    @classmethod
    def of(cls, document: Dictionary[str, Any], text: str) -> Audit:
        return cls(
            **common({**document, "status": document["standing"]}, text),
            certified=document["certified"],
            goals=tuple(AuditGoal.of(each) for each in document["goals"]),
            given=Evaluation.of(document["given"]),
            best=Evaluation.of(document["best"]) if "best" in document else None,
        )

    def rows(self) -> list[dict[str, Any]]:
        return [_fields(each) for each in self.goals]


def _fields(each: Any, names: Optional[Iterable[str]] = None) -> dict[str, Any]:
    return {name: getattr(each, name) for name in names or each.__dataclass_fields__}

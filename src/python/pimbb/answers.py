"""Answers that are more than one mapping: fronts, the best k, why not, what if, and explorations."""

from __future__ import annotations

from collections.abc import Mapping as Dictionary
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, Optional

from ._values import exact, optional_fraction
from .mappings import Mapping
from .results import Metrics, Result, common, mapping_of, metrics_of


@dataclass(frozen=True)
class FrontPoint:
    """A trade-off that no mapping beats on every axis."""

    costs: Dictionary[str, Fraction]  #: by axis
    mapping: Optional[Mapping] = field(repr=False)  #: of a layer or on crossbars; None in a front of totals
    metrics: Optional[Metrics] = field(repr=False)
    chosen: tuple[int, ...] = ()  #: of a network: for each layer the number of its own front's point


def _points(items: list[dict[str, Any]]) -> tuple[FrontPoint, ...]:
    return tuple(
        FrontPoint(
            {axis: Fraction(cost) for axis, cost in each["exact"].items()},
            mapping_of(each),
            metrics_of(each),
            tuple(each.get("chosen", ())),
        )
        for each in items
    )


@dataclass(frozen=True, kw_only=True)
class Front(Result):
    """All trade-offs of a layer or a network; `status` is "complete", "partial", "infeasible" or "unknown"."""

    axes: tuple[str, ...]
    points: tuple[FrontPoint, ...]  #: by ascending costs on the first axis
    found: int  #: how many points were found, listed or not
    covered: Fraction  #: the share of the plane that is settled; 1: all of it
    layers: Dictionary[str, tuple[FrontPoint, ...]] = field(default_factory=dict, repr=False)  #: of a network

    @classmethod
    def of(cls, document: Dictionary[str, Any], text: str) -> Front:
        return cls(
            **common(document, text),
            axes=tuple(document["axes"]),
            points=_points(document["points"]),
            found=document["found"],
            covered=Fraction(document["covered"]),
            layers={each["layer"]: _points(each["points"]) for each in document.get("layers", ())},
        )

    def rows(self) -> list[dict[str, Any]]:
        return [dict(each.costs) for each in self.points]


@dataclass(frozen=True)
class MappingClass:
    """Mappings that differ only in what changes no cost."""

    values: Dictionary[str, Fraction]  #: by goal
    mappings: Optional[int]  #: in the class; None: not counted
    text: str  #: what they have in common
    mapping: Optional[Mapping] = field(repr=False)  #: one of them
    metrics: Optional[Metrics] = field(repr=False)


@dataclass(frozen=True)
class Count:
    """Classes of mappings, and mappings in them."""

    classes: int
    mappings: Optional[int]  #: None: not counted
    all: bool = True  #: otherwise at least so many, on crossbars

    @classmethod
    def of(cls, values: Optional[Dictionary[str, Any]]) -> Optional[Count]:
        return values and cls(values["classes"], _whole(values.get("mappings")), values.get("all", True))


def _whole(value: Any) -> Optional[int]:
    return None if value is None else int(Fraction(value))


@dataclass(frozen=True, kw_only=True)
class Top(Result):
    """The best classes of mappings; `status` is "complete", "partial" or "infeasible"."""

    classes: tuple[MappingClass, ...]  #: by cost
    optimal: Optional[Count]  #: all that attain the optimum
    within: Optional[Count]  #: all within the percentage, if that was asked for
    tied: Optional[Count] = None  #: not listed, at the cost of the last one listed; mappings are not counted

    @classmethod
    def of(cls, document: Dictionary[str, Any], text: str) -> Top:
        tied = document.get("tied")
        return cls(
            **common(document, text),
            classes=tuple(
                MappingClass(
                    {goal: Fraction(value) for goal, value in each["exact"].items()},
                    _whole(each.get("mappings")),
                    each["text"],
                    mapping_of(each),
                    metrics_of(each),
                )
                for each in document["classes"]
            ),
            optimal=Count.of(document.get("optimal")),
            within=Count.of(document.get("within")),
            tied=Count(tied, None) if isinstance(tied, int) else Count.of(tied),
        )

    def rows(self) -> list[dict[str, Any]]:
        return [{**each.values, "mappings": each.mappings, "text": each.text} for each in self.classes]


@dataclass(frozen=True)
class Change:
    """What becomes of a figure of a constraint: a verified value, or that none is enough."""

    status: str  #: "enough", "none" (no value is enough) or "open" (a limit was reached)
    value: Optional[Fraction]  #: the least that is enough
    not_enough: Optional[Fraction]  #: proven not to be enough

    @classmethod
    def of(cls, values: Optional[Dictionary[str, Any]]) -> Optional[Change]:
        if values is None:
            return None
        return cls(
            values["status"], optional_fraction(values.get("value")), optional_fraction(values.get("not_enough"))
        )


@dataclass(frozen=True)
class Constraint:
    """A constraint of a problem in words."""

    #: array, unit, capacity, storage, layout, dataflow, given, limit, time, precision, doubling or space
    kind: str
    words: str
    parameter: Optional[str]  #: the key of its figure, as in `changes`; None: it has none
    unit: str
    today: Optional[Fraction]


@dataclass(frozen=True)
class Finding:
    """A constraint of a conflict or a repair, and what its figure would have to be."""

    constraint: Constraint
    change: Optional[Change]


@dataclass(frozen=True, kw_only=True)
class Explanation(Result):
    """Why there is no mapping, and what would help; `status` is "complete", "partial" or "feasible"."""

    constraints: tuple[Constraint, ...] = field(repr=False)  #: all of the problem
    conflict: tuple[Finding, ...]  #: together infeasible; feasible without any one of them if `minimal`
    minimal: bool
    repairs: tuple[Finding, ...]  #: each alone would help

    @classmethod
    def of(cls, document: Dictionary[str, Any], text: str) -> Explanation:
        constraints = tuple(
            Constraint(
                each["kind"],
                each["words"],
                each.get("parameter"),
                each.get("unit", ""),
                optional_fraction(each.get("today")),
            )
            for each in document["constraints"]
        )

        def findings(key: str, change: str) -> tuple[Finding, ...]:
            return tuple(
                Finding(constraints[each["constraint"]], Change.of(each.get(change)))
                for each in document.get(key, ())
            )

        return cls(
            **common(document, text),
            constraints=constraints,
            conflict=findings("conflict", "need"),
            minimal=document.get("minimal", False),
            repairs=findings("repairs", "change"),
        )

    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                "part": part,
                "words": each.constraint.words,
                "parameter": each.constraint.parameter,
                "today": each.constraint.today,
                "value": each.change and each.change.value,
            }
            for part, findings in (("conflict", self.conflict), ("repair", self.repairs))
            for each in findings
        ]


@dataclass(frozen=True)
class Parameter:
    """How the optimum depends on one figure of the accelerator."""

    parameter: str  #: its key, as in `changes`
    kind: str  #: energy, time, rate, size or shape
    unit: str
    today: Fraction
    proven: bool
    matters: bool  #: whether it enters today's optimum
    elasticity: Optional[Fraction]  #: relative change of the optimum for a small relative change of the figure
    details: Dictionary[str, Any] = field(repr=False)  #: intervals, next steps and pieces, as in the JSON document


@dataclass(frozen=True, kw_only=True)
class Sensitivity(Result):
    """What every figure of the accelerator does to the optimum; `status` is "complete", "partial" or "infeasible"."""

    value: Optional[Fraction]  #: of the first goal today
    parameters: tuple[Parameter, ...]
    mappings: tuple[Mapping, ...] = field(repr=False)  #: by number; number 0 is today's

    @classmethod
    def of(cls, document: Dictionary[str, Any], text: str) -> Sensitivity:
        return cls(
            **common(document, text),
            value=optional_fraction(document.get("value")),
            parameters=tuple(
                Parameter(
                    each["parameter"],
                    each["kind"],
                    each["unit"],
                    Fraction(each["today"]),
                    each["status"] == "complete",
                    each["matters"],
                    optional_fraction(each.get("elasticity")),
                    _decimals(each),
                )
                for each in document["parameters"]
            ),
            mappings=tuple(mapping for each in document["mappings"] if (mapping := mapping_of(each))),
        )

    def rows(self) -> list[dict[str, Any]]:
        names = ("parameter", "kind", "unit", "today", "proven", "matters", "elasticity")
        return [{name: getattr(each, name) for name in names} for each in self.parameters]


def _decimals(value: Any) -> Any:
    """Numbers that documents state exactly as they are written."""
    if isinstance(value, dict):
        return {key: _decimals(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_decimals(item) for item in value]
    return Fraction(value) if isinstance(value, Decimal) else value


@dataclass(frozen=True)
class ExploredPoint:
    """One accelerator of a grid, with the networks mapped onto it."""

    number: int  #: in the grid
    values: Dictionary[str, Any]  #: by varied key
    cost: Optional[Fraction]
    status: str
    objective: Optional[Fraction]  #: sum over the networks
    bound: Optional[Fraction]  #: proven: the sum is not below it
    on_front: bool  #: no other point is better in cost and objective
    best: bool


@dataclass(frozen=True, kw_only=True)
class Exploration(Result):
    """A grid of accelerators, every point with its claim."""

    points: tuple[ExploredPoint, ...]
    front: tuple[ExploredPoint, ...] = field(repr=False)
    best: Optional[ExploredPoint]

    @classmethod
    def of(cls, document: Dictionary[str, Any], text: str) -> Exploration:
        points = tuple(
            ExploredPoint(
                each["number"],
                exact(each["values"]),
                optional_fraction(each.get("cost")),
                each["status"],
                optional_fraction(each.get("objective")),
                optional_fraction(each.get("bound")),
                each["on_front"],
                each["best"],
            )
            for each in document["points"]
        )
        return cls(
            **common(document, text),
            points=points,
            front=tuple(each for each in points if each.on_front),
            best=next((each for each in points if each.best), None),
        )

    def rows(self) -> list[dict[str, Any]]:
        return [
            {
                **each.values,
                "cost": each.cost,
                "status": each.status,
                "objective": each.objective,
                "bound": each.bound,
                "on_front": each.on_front,
                "best": each.best,
            }
            for each in self.points
        ]

"""Provably optimal mappings of neural networks onto accelerators that compute in memory.

    >>> import pimbb
    >>> best = pimbb.solve("simple_pim", "resnet18:fc", objective="energy")
    >>> best.status, best.value
    ('optimal', Fraction(32765119, 500))

`solve`, `solve_network`, `evaluate`, `audit`, `pareto`, `top`, `explain`, `sensitivity` and `explore` are the
commands of the program pimbb; `Architecture`, `Device`, `Layer` and `Network` are what they take, as plain data.
Results are plain data too, with exact values as fractions; docs/python.md is a tutorial.
"""

from ._core import InputError, LimitError
from ._core import version as _version
from .answers import (
    Change,
    Constraint,
    Count,
    Exploration,
    Explanation,
    ExploredPoint,
    Finding,
    Front,
    FrontPoint,
    MappingClass,
    Parameter,
    Sensitivity,
    Top,
)
from .commands import (
    ExploreProgress,
    Interrupted,
    Progress,
    audit,
    evaluate,
    explain,
    explore,
    pareto,
    sensitivity,
    solve,
    solve_network,
    top,
)
from .mappings import CimMapping, CrossbarMapping, DeviceMapping, DramPimMapping, Level, Mapping
from .problems import DIMENSIONS, Architecture, ArchitectureWarning, Device, Layer, Network, NetworkLayer, Node, Tensor, presets
from .results import (
    Audit,
    AuditGoal,
    Evaluation,
    Goal,
    LayerSolution,
    Metrics,
    NetworkSolution,
    Result,
    Solution,
)

__version__ = _version
InputError.__module__ = LimitError.__module__ = __name__
__all__ = [name for name in dir() if not name.startswith("_")]

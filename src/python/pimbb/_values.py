"""Numbers of documents as exact fractions, and values of Python as texts that pimbb reads exactly."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Optional, Union

#: A number that is taken as it is written: a float stands for its shortest decimal, 0.1 for one tenth.
Number = Union[int, float, Decimal, Fraction, str]


def fraction(value: Number) -> Fraction:
    """The number as a fraction; a float is its shortest decimal."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def optional_fraction(value: Optional[Number]) -> Optional[Fraction]:
    return None if value is None else fraction(value)


def number_text(value: Number) -> str:
    """ "3", "7/3": what an option of pimbb reads."""
    return value if isinstance(value, str) else str(fraction(value))


def plain(value: Any) -> Any:
    """The value for JSON: fractions as numbers where these are the same decimal, else as "p/q"."""
    if isinstance(value, (Fraction, Decimal)):
        value = Fraction(value)
        if value.denominator == 1:
            return int(value)
        return float(value) if Fraction(repr(float(value))) == value else str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(item) for item in value]
    return value


def to_text(value: Any) -> str:
    return json.dumps(plain(value))


def read(text: str) -> dict[str, Any]:
    """A document with its decimals as they are written."""
    return json.loads(text, parse_float=Decimal)


def exact(value: Any) -> Any:
    """The value with fractions for all numbers whose exact value the document states in `exact`, floats for
    other decimals, and without `exact`."""
    if isinstance(value, dict):
        fractions = value.get("exact")
        fractions = fractions if isinstance(fractions, dict) else {}
        return {
            key: _stated(item, fractions[key]) if key in fractions else exact(item)
            for key, item in (fractions | value).items()
            if key != "exact"
        }
    if isinstance(value, list):
        return [exact(item) for item in value]
    return float(value) if isinstance(value, Decimal) else value


def _stated(value: Any, stated: Any) -> Any:
    """The value, with what is stated of it; a sum that is stated of parts is left to who knows the parts."""
    if isinstance(stated, str):
        return exact(value) if isinstance(value, dict) else Fraction(stated)
    if isinstance(stated, dict):
        rest = value if isinstance(value, dict) else {}
        return {
            key: _stated(rest.get(key), stated[key]) if key in stated else exact(rest[key])
            for key in stated | rest
            if key != "exact"
        }
    return exact(value)

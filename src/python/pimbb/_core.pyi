"""Commands of pimbb, and its problems, as texts; use the package pimbb."""

from typing import Callable, Mapping, Optional, Sequence

version: str

class InputError(ValueError): ...
class LimitError(InputError): ...

def call(
    words: Sequence[str],
    texts: Mapping[str, str],
    on_progress: Optional[Callable[..., object]] = None,
    on_explored: Optional[Callable[..., object]] = None,
) -> tuple[int, str, bool]: ...
def architecture_text(
    source: str, changes: Sequence[str], texts: Mapping[str, str]
) -> tuple[str, str, list[str]]: ...
def device_text(
    source: str, changes: Sequence[str], texts: Mapping[str, str]
) -> tuple[str, str, list[str]]: ...
def layer_text(
    source: str,
    batch: Optional[int],
    dims: Mapping[str, int],
    skip_unsupported: bool,
    texts: Mapping[str, str],
) -> str: ...
def network_text(
    source: str,
    batch: Optional[int],
    dims: Mapping[str, int],
    skip_unsupported: bool,
    texts: Mapping[str, str],
) -> str: ...
def presets() -> dict[str, list[str]]: ...

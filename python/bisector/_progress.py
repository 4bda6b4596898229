"""Progress bars, if tqdm is installed and the output is a terminal or a notebook."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Union

Callback = Callable[[int, int], object]
Progress = Union[bool, Callback, None]


@contextmanager
def shown(progress: Progress, title: str, total: int) -> Iterator[Callback | None]:
    """A callback for (done, total). With None, a bar appears after one second."""
    if callable(progress):
        yield progress
        return
    if progress is False or total == 0 or (progress is None and not _is_interactive()):
        yield None
        return
    bar = _bar(title, total, 1.0 if progress is None else 0.0)
    if bar is None:
        yield None
        return

    def update(done: int, of: int) -> None:
        bar.total = of
        bar.update(done - bar.n)

    try:
        yield update
    finally:
        bar.close()


def _is_interactive() -> bool:
    return sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)


def _bar(title: str, total: int, delay: float) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=total, desc=title, unit="row", delay=delay, leave=False)

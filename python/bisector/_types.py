"""What options may be called, for editors and type checkers; the library checks the same."""

from __future__ import annotations

from typing import Literal

MethodName = Literal["auto", "measured", "lrp", "lrp-path", "lrp-expected", "neighborhood", "gi", "ig",
                     "sensitivity", "occlusion", "shapley", "shapley-exact"]
ViewName = Literal["model", "data"]
UnitName = Literal["g", "decision", "share"]
SideName = Literal["all", "other", "both"]
OutputName = Literal["f", "g", "votes"]
PrecisionName = Literal["double", "float"]

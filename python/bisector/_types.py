"""Names of options for editors and type checkers; the library checks them."""

from __future__ import annotations

from typing import Literal

ClassesName = Literal["all"]
OutputName = Literal["decision", "probability", "logit"]
UnitName = Literal["g", "decision", "share"]
PrecisionName = Literal["double", "float"]

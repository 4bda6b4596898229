"""The study paper/defaults.py: its measures by hand, and a kind of model."""

import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("shap")
PAPER = Path(__file__).resolve().parents[2] / "paper"
if not PAPER.exists():
    pytest.skip("the paper's studies are not here", allow_module_level=True)
sys.path.insert(0, str(PAPER))
import defaults  # noqa: E402


def test_measures_of_known_effects_equal_those_by_hand():
    effects = np.array([[1.0, -2.0, 0.0], [0.4, 3.0, 0.0]])
    assert defaults.against_effects(effects, effects) == ["1.000", "0.000", "1.000"]
    # Of three effects above 0.5 one has the wrong sign; 0.4 does not count.
    wrong = np.array([[-1.0, -1.0, 2.0], [-1.0, 1.0, 0.0]])
    assert defaults.against_effects(wrong, effects)[:2] == ["0.667", "0.333"]
    assert defaults.within_rows(effects, -3.0 * effects) == pytest.approx(-1.0)


def test_a_line_for_each_method_of_a_kind(monkeypatch):
    monkeypatch.setattr(defaults, "TRAINING", 60)
    kind = defaults.KINDS["kernel ridge"]
    lines = list(defaults.measure("kernel ridge", kind, defaults.additive, 6))
    assert [line[2] for line in lines] == [*defaults.METHODS, "KernelSHAP"]
    found = {line[2]: dict(zip(defaults.COLUMNS, line)) for line in lines}
    assert found["auto"]["taken"] == "shapley-exact"
    assert float(found["shapley-exact"]["shapley"]) > 0.99
    assert float(found["shapley-exact"]["microseconds"]) < float(found["KernelSHAP"]["microseconds"])
    assert "| kernel ridge | `shapley-exact` |" in defaults.summary(lines)

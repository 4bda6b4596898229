#!/usr/bin/env python3
"""Install the package into an empty virtual environment and explain a row: check_wheel.py PACKAGE

PACKAGE is a wheel, or a source package or tree, which pip then builds. The environment has what the
package requires (NumPy) and nothing else. The model is a LIBSVM file. If the package has the command,
the command must give the same numbers.
"""

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

MODEL = """svm_type c_svc
kernel_type rbf
gamma 0.5
nr_class 2
total_sv 3
rho 0.1
label 1 -1
nr_sv 1 2
SV
1 1:1 2:0.5
-0.5 1:-1 2:0.25
-0.5 1:0.5 2:-2
"""

CODE = """
import sys
from importlib.metadata import distributions
import numpy
import bisector

installed = {one.metadata["Name"].lower() for one in distributions()} - {"pip", "setuptools"}
assert installed == {"bisector", "numpy"}, installed
rows = numpy.array([[0.3, -0.2]])
explanation = bisector.Explainer("small.model")(rows)
points = numpy.array([[1, 0.5], [-1, 0.25], [0.5, -2]])
kernel = numpy.exp(-0.5 * ((rows - points) ** 2).sum(axis=1))
decision = kernel @ [1, -0.5, -0.5] - 0.1
total = explanation.base_values + explanation.values.sum(axis=1) + explanation.remainder
assert numpy.allclose(explanation.output, abs(decision)), (explanation.output, decision)
assert numpy.allclose(total, explanation.output)
print(bisector.__version__, explanation.values[0].tolist())
"""


def main(package):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "environment", with_pip=True)
        programs = folder / "environment" / ("Scripts" if sys.platform == "win32" else "bin")
        subprocess.run([programs / "python", "-m", "pip", "install", "-q",
                        "--disable-pip-version-check", package], check=True)
        (folder / "small.model").write_text(MODEL)
        (folder / "rows.csv").write_text("a,b\n0.3,-0.2\n")
        done = subprocess.run([programs / "python", "-c", CODE], cwd=folder, check=True,
                              capture_output=True, text=True)
        version, _, values = done.stdout.strip().partition(" ")
        print(f"bisector {version} in an empty environment: the row has the values {values}")
        command = next(programs.glob("bisector*"))
        if subprocess.run([command, "--version"], capture_output=True).returncode == 0:
            text = subprocess.run([command, "explain", "small.model", "rows.csv"], cwd=folder,
                                  check=True, capture_output=True, text=True).stdout
            cells = dict(zip(*(line.split(",") for line in text.splitlines())))
            assert [float(cells["a"]), float(cells["b"])] == json.loads(values), text
            print("the command gives the same values")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("error: expected PACKAGE")
    main(str(Path(sys.argv[1]).resolve()))

"""python -m bisector convert MODEL.onnx MODEL.npz: a model that skl2onnx wrote, as a bundle.

The values of a graph become expressions: constants are arrays, linear functions of the inputs are
`Affine`, all others are `Op`. Models are patterns of expressions. No operator of a file is run.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Iterator, Mapping, NoReturn, Sequence

import numpy as np

from . import _core
from ._adapted import two_class, values_of
from ._affine import Affine
from ._columns import Cells
from ._kernels import svm_kernel
from ._tables import Floats

_EXPECTED = ("expected an SVM, nearest neighbors or a Gaussian process with a Gaussian kernel after "
             "linear steps, as skl2onnx writes them: save others with "
             'bisector.Explainer(model).save("model.npz")')
_REAL, _WHOLE = (1, 10, 11), (6, 7)  # ONNX's types of numbers.
_MOST_COLUMNS = 10_000
_ORIGIN = Cells(())  # The columns of a file have no transformers.
_NAMES = {"ArrayFeatureExtractor": "Pick", "FeatureVectorizer": "Concat"}

# Patterns: X matches columns, names with _ match any value, other names match constants. A name that
# occurs twice is the same value twice.
_FOUND = "Pick(targets, TopK_1(_far, k))"
_WEIGHTS = "Reciprocal(Max(TopK_0(_far, k), least))"
_WRONG_WEIGHTS = "Reciprocal(Max(Neg(TopK_0(_far, k)), least))"
_VOTES: dict[str | None, str] = {None: f"ReduceSum_1(Equal({_FOUND}, label))"}
_MEANS: dict[str | None, str] = {None: f"ReduceMean_1({_FOUND})"}
for _each in (_WEIGHTS, _WRONG_WEIGHTS):
    _VOTES[_each] = f"ReduceSum_1(Mul(Equal({_FOUND}, label), {_each}))"
    _MEANS[_each] = f"Div(ReduceSum_1(Mul({_FOUND}, {_each})), ReduceSum_1({_each}))"
_COSINE = ("Sub(one, Div(MatMul(X, Transpose(points)), MatMul(Sqrt(ReduceSumSquare_1(X)), "
           "Sqrt(ReduceSumSquare_0(Transpose(points))))))")
_SCAN = "Transpose(Scan(X, points, power))"
_DIFFERENCE = "Sub(Rows(), Point())"
_POWERS = (f"ReduceSumSquare_1({_DIFFERENCE})", f"ReduceSum_1(Abs({_DIFFERENCE}))",
           f"ReduceSum_1(Pow(Abs({_DIFFERENCE}), power))")
_EXPONENTIAL = "Exp(Neg(Mul(_squares, half)))"
_PROCESSES = [mean.format(kernel) for mean, kernel in product(
    ("Add(MatMul({}, weights), mean)", "Add(Mul(MatMul({}, weights), deviation), mean)"),
    (_EXPONENTIAL, f"Mul({_EXPONENTIAL}, factor)"))]


@dataclass(eq=False)
class Op:
    """A value that is neither constant nor linear."""

    name: str
    inputs: tuple[Any, ...]
    node: Any
    attributes: Mapping[str, Any]


class _Attributes(dict[str, Any]):
    def __missing__(self, name: str) -> Any:
        raise ValueError(f"the attribute {name} is missing")


def read(path: Any) -> _core.Model:
    """The model in an ONNX file."""
    try:
        import onnx
        from google.protobuf.message import DecodeError
    except ImportError:
        raise ImportError("reading ONNX needs the package onnx: pip install onnx") from None
    try:
        graph = onnx.load(path, load_external_data=False).graph
    except DecodeError:
        raise ValueError("this is no ONNX model") from None
    taken = {name for node in graph.node for name in node.input}
    constants = {tensor.name for tensor in graph.initializer}
    used = [one for one in graph.input if one.name in taken - constants]
    widths = [_width(one) for one in used]
    if not 0 < sum(widths) <= _MOST_COLUMNS:
        raise ValueError(f"the inputs have {sum(widths)} columns, expected 1 to {_MOST_COLUMNS}")
    parts = np.split(np.arange(sum(widths)), np.cumsum(widths)[:-1])
    outputs = _outputs(graph, {one.name: Affine.of(part, _ORIGIN) for one, part in zip(used, parts)})
    predictor, rows = _model_of(outputs[0] if outputs else None)
    names = [one.name for one in used] if len(used) > 1 and set(widths) == {1} else []
    features = _core.Model(predictor).features
    if features != rows.outputs:
        raise ValueError(f"{rows.outputs} columns reach a model of {features}, expected as many")
    return _core.Model(predictor, rows.map_of(sum(widths)), names)


def _width(value: Any) -> int:
    kind = value.type.tensor_type
    dimensions = kind.shape.dim
    if kind.elem_type not in (*_REAL, *_WHOLE):
        raise ValueError(f'the input "{value.name}" is not of numbers, expected numbers')
    if len(dimensions) != 2 or dimensions[1].dim_value < 1:
        raise ValueError(f'the input "{value.name}" has no fixed number of columns, expected '
                         "initial_types=[('X', FloatTensorType([None, columns]))] in its export")
    return int(dimensions[1].dim_value)


def _outputs(graph: Any, values: Mapping[str, Any]) -> list[Any]:
    """The outputs of a graph as expressions. `values`: its inputs, and those of outer graphs."""
    from onnx import helper, numpy_helper

    known = {"": None, **values}
    known.update((tensor.name, numpy_helper.to_array(tensor)) for tensor in graph.initializer)
    for node in graph.node:
        pairs = ((one.name, helper.get_attribute_value(one)) for one in node.attribute)
        attributes = _Attributes((name, numpy_helper.to_array(value) if hasattr(value, "raw_data")
                                  else value) for name, value in pairs)
        try:
            inputs = tuple(known[name] for name in node.input)
            if node.op_type == "Scan":
                inputs = (*inputs, _power(attributes, known))
            known.update(zip(node.output, _values(node, inputs, attributes)))
        except (ArithmeticError, IndexError, LookupError, TypeError, ValueError) as error:
            raise ValueError(f"{_title(node)}: {error}, {_EXPECTED}") from None
    return [known.get(output.name) for output in graph.output]


def _title(node: Any) -> str:
    return f'node "{node.name}" ({node.op_type})'


def _values(node: Any, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> tuple[Any, ...]:
    """The outputs of a node, in one form for all that mean the same."""
    op = Op(_NAMES.get(node.op_type, node.op_type), inputs, node, attributes)
    simple = _constant(op)
    simple = _linear(op) if simple is None else simple
    if simple is not None:
        return (simple,)
    first = inputs[0] if inputs else None
    zero = next((one for one in inputs if isinstance(one, Op) and one.name == "Zero"), None)
    if op.name in ("Add", "Mul", "Equal", "Max") and isinstance(first, np.ndarray):
        op = replace(op, inputs=inputs[::-1])
    if op.name.startswith("Reduce"):
        axes = inputs[1].tolist() if len(inputs) > 1 else list(attributes.get("axes", ()))
        return (replace(op, name=f"{op.name}_{'_'.join(map(str, axes))}", inputs=inputs[:1]),)
    match op.name:
        case "Identity" | "Reshape" | "Flatten" | "Squeeze" if isinstance(first, Op):
            return (first,)
        case "Cast" if isinstance(first, Op) and attributes["to"] in (*_REAL, *_WHOLE):
            return (first,)
        case "ConstantOfShape" if not np.any(attributes.get("value", 0.0)):
            return (replace(op, name="Zero"),)  # skl2onnx makes matrices of a shape from zeros.
        case "MatMul" | "Transpose" if zero is not None:
            return (zero,)
        case "Add" if zero is not None:
            return (inputs[0] if zero is inputs[1] else inputs[1],)
        case "Neg":
            return (_negated(op, first),)
        case "Mul" if isinstance(op.inputs[1], np.ndarray) and np.all(op.inputs[1] == -1.0):
            return (_negated(op, op.inputs[0]),)
        case "CDist":
            return (replace(op, name=f"CDist_{attributes['metric'].decode()}"),)
        case "SVMClassifier":
            return op, replace(op, name="Scores")
        case "Scan":
            return None, op
        case "TopK":
            near = replace(op, inputs=(_negated(op, first) if attributes.get("largest", 1) else first,
                                       *(inputs[1:] or (np.array(attributes["k"]),))), name="TopK_0")
            values = _negated(op, near) if attributes.get("largest", 1) else near
            return values, replace(near, name="TopK_1")
    return (op,) * len(node.output)


def _negated(op: Op, value: Any) -> Op:
    is_negative = isinstance(value, Op) and value.name == "Neg"
    return value.inputs[0] if is_negative else replace(op, name="Neg", inputs=(value,))


def _power(attributes: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
    """p of a Scan over points, whose body has the sums of |x - u|**p for all rows and a point."""
    body = attributes["body"]
    state, point = (Op(name, (), body, {}) for name in ("Rows", "Point"))
    kept, summed = _outputs(body, {**values, body.input[0].name: state, body.input[1].name: point})
    for pattern, power in zip(_POWERS, (2.0, 1.0, None)):
        found = _match(pattern, summed)
        if found is not None and kept is state and set(attributes) <= {"body", "num_scan_inputs"}:
            return found["power"] if power is None else np.array(power)
    raise ValueError("not the sum of a power of differences")


def _constant(op: Op) -> Any:
    """The result of an operator on constants; None for others."""
    if op.name == "Constant":
        return op.attributes["value"]
    if not op.inputs or not all(isinstance(one, np.ndarray) for one in op.inputs):
        return None
    match op.name:
        case "Identity" | "Cast":
            return op.inputs[0]
        case "Div":
            return op.inputs[0] / op.inputs[1].astype(np.float64)
        case "Sqrt":
            return np.sqrt(op.inputs[0].astype(np.float64))
    return None


def _linear(op: Op) -> Affine | None:
    """The result of a linear operator on columns; None for others."""
    attributes = op.attributes
    match op.name, op.inputs:
        case "Scaler", (Affine() as x,):
            return _scaled(_scaled(x, 1.0, -np.array(attributes["offset"])), attributes["scale"])
        case "Add", (Affine() as x, np.ndarray() as c) | (np.ndarray() as c, Affine() as x):
            return _scaled(x, 1.0, c)
        case "Sub", (Affine() as x, np.ndarray() as c):
            return _scaled(x, 1.0, -c)
        case "Sub", (np.ndarray() as c, Affine() as x):
            return _scaled(x, -1.0, c)
        case "Mul", (Affine() as x, np.ndarray() as c) | (np.ndarray() as c, Affine() as x):
            return _scaled(x, c)
        case "Div", (Affine() as x, np.ndarray() as c):
            return _scaled(x, 1.0 / c.astype(np.float64))
        case "MatMul", (Affine() as x, np.ndarray() as matrix):
            return x.mapped(matrix.astype(np.float64).T, np.zeros(matrix.shape[1]), _ORIGIN)
        case "Gemm", (Affine() as x, np.ndarray() as matrix, *offset) if not attributes.get("transA"):
            matrix = attributes.get("alpha", 1.0) * (matrix if attributes.get("transB") else matrix.T)
            shift = attributes.get("beta", 1.0) * offset[0] if offset else 0.0
            return _scaled(x.mapped(matrix, np.zeros(len(matrix)), _ORIGIN), 1.0, shift)
        case "Concat", xs if attributes.get("axis", 1) in (1, -1) and all(
                isinstance(x, Affine) for x in xs):
            return Affine.joined(xs)
        case "Pick", (Affine() as x, np.ndarray() as places):
            return x.taken(places.ravel().tolist())
        case "Gather", (Affine() as x, np.ndarray() as places) if attributes.get("axis") == 1:
            return x.taken(places.ravel().tolist())
        case "Cast", (Affine() as x,) if attributes["to"] in _REAL:
            return x
        case "Identity", (Affine() as x,):
            return x
    return None


def _scaled(x: Affine, scale: Any, shift: Any = 0.0) -> Affine:
    """x * scale + shift, with one number for each column or for all."""
    scale, shift = (np.asarray(one, dtype=np.float64) for one in (scale, shift))
    return x.scaled(scale.reshape(scale.shape[-1:]), shift.reshape(shift.shape[-1:]), _ORIGIN)


def _match(pattern: str, value: Any, found: Mapping[str, Any] | None = None
           ) -> dict[str, Any] | None:
    """The values of the names in a pattern, and the operators; None if the value is another one."""
    bound = dict(found or {})

    def matches(part: Any, value: Any) -> bool:
        if isinstance(part, ast.Name):
            kind = Affine if part.id == "X" else object if part.id[0] == "_" else np.ndarray
            return isinstance(value, kind) and bound.setdefault(part.id, value) is value
        if not isinstance(value, Op) or value.name != part.func.id:
            return False
        bound[value.name] = value
        return len(value.inputs) == len(part.args) and all(map(matches, part.args, value.inputs))

    return bound if matches(ast.parse(pattern, mode="eval").body, value) else None


def _first(patterns: Any, value: Any) -> tuple[Any, dict[str, Any]]:
    """The key of the first pattern that the value has, and its names."""
    for key, pattern in patterns:
        found = _match(pattern, value)
        if found is not None:
            return key, found
    _refuse(value)


def _refuse(value: Any, problem: str = "") -> NoReturn:
    """Names the first operator that no pattern has."""
    known = " ".join((*_VOTES.values(), *_MEANS.values(), _COSINE, *_PROCESSES, "SVMClassifier",
                      "SVMRegressor", "Sign", "Scan", "ArgMax", "Concat", "CDist_"))
    unknown = (one.node for one in _operators(value) if one.name.rstrip("_01") not in known)
    node = next(unknown, None)
    shown = problem or (f"{_title(node)} is not read" if node is not None else
                        f"{_title(value.node)} makes another prediction" if isinstance(value, Op)
                        else "the prediction is a linear function")
    raise ValueError(f"{shown}, {_EXPECTED}")


def _operators(value: Any, seen: set[int] | None = None) -> Iterator[Op]:
    """The operators of an expression, inputs first."""
    seen = set() if seen is None else seen
    if isinstance(value, Op) and id(value) not in seen:
        seen.add(id(value))
        for one in value.inputs:
            yield from _operators(one, seen)
        yield value


def _model_of(value: Any) -> tuple[Any, Affine]:
    """The predictor, and the columns that it takes."""
    if found := _match("SVMClassifier(X)", value):
        return _classifier(found["SVMClassifier"].attributes), found["X"]
    if found := _match("Sign(SVMRegressor(X))", value) or _match("SVMRegressor(X)", value):
        attributes = found["SVMRegressor"].attributes
        machine = _core.KernelMachine(*_svm(attributes, len(attributes["coefficients"])))
        is_detector = "Sign" in found or attributes.get("one_class", 0)
        return _core.OneClassMachine(machine) if is_detector else _regressor(machine), found["X"]
    if found := _match("Pick(_labels, ArgMax(_sums))", value):
        return _neighbor_classifier(found["_labels"], found["_sums"])
    if _match("ReduceMean_1(_)", value) or _match("Div(_a, _b)", value):
        weights, found = _first(_MEANS.items(), value)
        points, k, vote, rows = _neighbors(found, weights)
        targets = found["targets"].ravel().astype(np.float64)
        return _core.NeighborRegressor(points, targets, k, vote), rows
    _, found = _first(((None, pattern) for pattern in _PROCESSES), value)
    rows, points, _ = _distances(found["_squares"], 1.0)
    factor = np.prod([found[name].item() for name in ("deviation", "factor") if name in found])
    coefficients = factor * found["weights"].ravel()
    return _regressor(_core.KernelMachine(points, coefficients, _core.Kernel(found["half"].item()),
                                          found["mean"].item())), rows


def _svm(attributes: Mapping[str, Any], points: int) -> tuple[Floats, Any, _core.Kernel, Any]:
    """The points, coefficients, kernel and intercepts; one number where one machine has one."""
    name = attributes.get("kernel_type", b"LINEAR").decode()
    gamma, offset, degree = [*attributes.get("kernel_params", ()), 0.0, 0.0, 3.0][:3]
    if name not in ("RBF", "LINEAR", "POLY", "SIGMOID") or points == 0:
        raise ValueError(f"the SVM has the kernel {name} and {points} support vectors, {_EXPECTED}")
    kernel = svm_kernel(SimpleNamespace(kernel=name.lower(), gamma=gamma, coef0=offset, degree=degree))
    vectors, coefficients, rho = (np.array(attributes[name], dtype=np.float64)
                                  for name in ("support_vectors", "coefficients", "rho"))
    single = len(rho) == 1 and len(coefficients) == points
    return (vectors.reshape(points, -1), coefficients if single else coefficients.reshape(-1, points),
            kernel, float(rho[0]) if single else rho)


def _classifier(attributes: Mapping[str, Any]) -> _core.KernelClassifier:
    labels = [one.decode() for one in attributes.get("classlabels_strings", ())] or [
        str(label) for label in attributes["classlabels_ints"]]
    counts = np.array(attributes["vectors_per_class"], dtype=np.int64)
    points, coefficients, kernel, intercept = _svm(attributes, int(counts.sum()))
    if len(labels) == 2:  # skl2onnx negates the values of two classes.
        adapted = two_class(points, -coefficients, kernel, -intercept, labels, None)
        return adapted.predictor  # type: ignore[no-any-return]
    return _core.KernelClassifier(points, coefficients, intercept, kernel, labels,
                                  points_per_class=counts)


def _regressor(machine: _core.KernelMachine) -> _core.KernelRegressor:
    """The mean prediction at the points replaces the mean of the target, which no file has."""
    return _core.KernelRegressor(machine, float(values_of(machine, machine.points).mean()))


def _neighbor_classifier(labels: Any, sums: Any) -> tuple[_core.NeighborModel, Affine]:
    if not isinstance(sums, Op) or sums.name != "Concat" or len(sums.inputs) != len(labels):
        _refuse(sums)
    weights, found = _first(_VOTES.items(), sums.inputs[0])
    for label, one in enumerate(sums.inputs):  # Of the same neighbors with the same weights.
        found.pop("label", None)
        found = _match(_VOTES[weights], one, found) or _refuse(one)
        if found["label"].item() != label:
            _refuse(one, f"{_title(one.node)} counts another class than {label}")
    points, k, vote, rows = _neighbors(found, weights)
    names = [one.decode() if isinstance(one, bytes) else str(one) for one in labels.tolist()]
    return _core.NeighborModel(points, found["targets"].ravel().astype(np.int64), k=k, vote=vote,
                               labels=names), rows


def _neighbors(found: Mapping[str, Any], weights: str | None) -> tuple[Floats, int, Any, Affine]:
    if weights == _WRONG_WEIGHTS:
        _refuse(found["_far"], "distances are negated here, so that every neighbor weighs the same, "
                "which weights='distance' does not mean (a known fault of skl2onnx)")
    rows, points, distance = _distances(found["_far"], None)
    if weights is not None and not 0.0 < found["least"].item() <= 1e-6:
        _refuse(found["_far"], f"distances below {found['least'].item():g} weigh the same")
    if found["targets"].size != len(points):
        _refuse(found["_far"], f"{len(points)} rows have {found['targets'].size} targets")
    kind = _core.VoteWeights.uniform if weights is None else _core.VoteWeights.distance
    return points, int(found["k"].item()), _core.NeighborVote(kind, distance=distance), rows


def _distances(value: Any, root: float | None) -> tuple[Affine, Floats, _core.Distance]:
    """The rows, the points and the distance. `root`: 1 for squared Euclidean distances."""
    kinds = {"euclidean": "CDist_euclidean(X, points)", "cosine": _COSINE, "sqrt": f"Sqrt({_SCAN})",
             "root": f"Pow({_SCAN}, root)", "sum": _SCAN, "squares": "CDist_sqeuclidean(X, points)"}
    kind, found = _first(kinds.items(), value)
    exponent = {"euclidean": 0.5, "squares": 1.0, "sqrt": 0.5, "sum": 1.0, "cosine": 0.5}.get(kind)
    exponent = found["root"].item() if exponent is None else exponent
    power = found["power"].item() if "power" in found else 2.0
    if abs(power * exponent - (1.0 if root is None else 2.0 * root)) > 1e-6:
        _refuse(value, f"the power {exponent:g} of sums of the power {power:g} is no distance")
    distance = _core.Distance.cosine() if kind == "cosine" else _core.Distance(power)
    return found["X"], np.ascontiguousarray(found["points"], dtype=np.float64), distance


def convert(arguments: Sequence[str]) -> int:
    """Writes the bundle of an ONNX model and returns the exit code."""
    try:
        source, target = arguments if len(arguments) == 2 else ("", "")
        if Path(target).suffix != ".npz":
            raise ValueError("expected a model and a bundle: type python -m bisector convert "
                             "model.onnx model.npz")
        try:
            model = read(source)
        except ValueError as error:
            raise ValueError(f"{source}: {error}") from None
        _core.write_bundle(target, model)
    except (ArithmeticError, ImportError, LookupError, MemoryError, OSError, RuntimeError, TypeError,
            ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0

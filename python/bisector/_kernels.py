"""Kernels of scikit-learn as kernels of the library."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable

import numpy as np

from . import _core
from ._adapted import name_of, precomputed
from ._tables import Floats
from .errors import UnsupportedModelError

_Form = _core.KernelForm


def dot_product(gamma: float = 1.0, degree: float = 1.0, offset: float = 0.0) -> _core.Kernel:
    return _core.Kernel([_core.KernelTerm(_Form.polynomial, gamma, degree, offset=offset)])


def svm_kernel(estimator: Any) -> _core.Kernel:
    """The kernel of an SVM with the parameters of LIBSVM."""
    name = estimator.kernel
    has_gamma = isinstance(name, str) and name in ("rbf", "poly", "polynomial", "sigmoid")
    gamma = float(getattr(estimator, "_gamma", estimator.gamma)) if has_gamma else 0.0
    # Some libraries have no degree and no coef0, which a Gaussian kernel does not need.
    degree, offset = float(getattr(estimator, "degree", 3)), float(getattr(estimator, "coef0", 0))
    return _kernel_by_name(estimator, ("rbf", "linear", "poly", "sigmoid"), gamma, degree, offset)


def pairwise_kernel(estimator: Any, features: int) -> _core.Kernel:
    """The kernel of KernelRidge and Nystroem: a name of sklearn.metrics.pairwise, parameters."""
    given = ((estimator.gamma, 1.0 / features), (estimator.degree, 3.0), (estimator.coef0, 1.0))
    return _kernel_by_name(estimator, ("rbf", "laplacian", "linear", "poly", "sigmoid"),
                           *(default if value is None else float(value) for value, default in given))


def _kernel_by_name(estimator: Any, names: tuple[str, ...], gamma: float, degree: float,
                    offset: float) -> _core.Kernel:
    kernel = estimator.kernel
    name = "poly" if isinstance(kernel, str) and kernel == "polynomial" else kernel
    if isinstance(name, str) and name == "precomputed":
        raise precomputed(estimator, "kernel", "similarities", "rbf")
    if not isinstance(name, str) or name not in names:
        expected = ", ".join(repr(known) for known in names[:-1])
        raise UnsupportedModelError(f"{name_of(estimator)} has {_named(kernel)}, expected {expected} "
                                    f"or {names[-1]!r}")
    kernels: dict[str, Callable[[], _core.Kernel]] = {
        "rbf": lambda: _core.Kernel(gamma),
        "laplacian": lambda: _core.Kernel([_core.KernelTerm(_Form.exponential, gamma)],
                                          _core.Distance.manhattan()),
        "linear": dot_product,
        "poly": lambda: dot_product(gamma, degree, offset),
        "sigmoid": lambda: _core.Kernel([_core.KernelTerm(_Form.sigmoid, gamma, offset=offset)])}
    return kernels[name]()


def _named(kernel: Any) -> str:
    return f"the kernel {kernel!r}" if isinstance(kernel, str) else "a function as its kernel"


@dataclass
class _Part:
    """factor * phi of a distance. `precision` is the inverse squared length scale: a number, or one
    number for each feature."""

    form: Any
    factor: float
    precision: Any
    shape: float = 1.0
    offset: float = 0.0


@dataclass
class ProcessKernel:
    """A kernel of a Gaussian process: factor * kernel(x * scale, u * scale) + constant."""

    source: Any
    constant: float = 0.0
    parts: list[_Part] = field(default_factory=list)
    kernel: Any = None
    factor: float = 1.0
    scale: Floats | None = None

    def __post_init__(self) -> None:
        self._add(self.source, 1.0)
        self._finish()

    def _add(self, kernel: Any, factor: float) -> None:
        from sklearn.gaussian_process import kernels

        if isinstance(kernel, kernels.Sum):
            self._add(kernel.k1, factor)
            self._add(kernel.k2, factor)
        elif isinstance(kernel, kernels.Product):
            self._add_product(kernel, factor)
        elif isinstance(kernel, kernels.ConstantKernel):
            self.constant += factor * kernel.constant_value
        elif isinstance(kernel, kernels.WhiteKernel):
            pass  # Noise has no effect on the prediction.
        elif type(kernel) is kernels.DotProduct:
            self.parts.append(_Part(_Form.polynomial, factor, 1.0))
            self.constant += factor * float(kernel.sigma_0) ** 2
        else:
            self.parts.append(self._stationary(kernel, factor))

    def _add_product(self, kernel: Any, factor: float) -> None:
        from sklearn.gaussian_process import kernels

        for one, other in ((kernel.k1, kernel.k2), (kernel.k2, kernel.k1)):
            if isinstance(one, kernels.ConstantKernel):
                return self._add(other, factor * one.constant_value)
        if type(kernel.k1) is kernels.RBF and type(kernel.k2) is kernels.RBF:
            precision = _precision(kernel.k1) + _precision(kernel.k2)
            self.parts.append(_Part(_Form.exponential, factor, precision))
            return None
        raise self._unsupported()

    def _stationary(self, kernel: Any, factor: float) -> _Part:
        from sklearn.gaussian_process import kernels

        if type(kernel) is kernels.Exponentiation:
            return self._power(kernel, factor)
        if type(kernel) is kernels.RBF:
            return _Part(_Form.exponential, factor, _precision(kernel))
        if type(kernel) is kernels.Matern:
            forms = {0.5: _Form.matern12, 1.5: _Form.matern32, 2.5: _Form.matern52,
                     np.inf: _Form.exponential}
            if kernel.nu in forms:
                return _Part(forms[kernel.nu], factor, _precision(kernel))
        if type(kernel) is kernels.RationalQuadratic:
            return _Part(_Form.power, factor, _precision(kernel), float(kernel.alpha))
        raise self._unsupported()

    def _power(self, kernel: Any, factor: float) -> _Part:
        from sklearn.gaussian_process import kernels

        inside, exponent = kernel.kernel, float(kernel.exponent)
        if type(inside) is kernels.RBF:
            return _Part(_Form.exponential, factor, exponent * _precision(inside))
        if type(inside) is kernels.DotProduct:
            return _Part(_Form.polynomial, factor, 1.0, exponent, float(inside.sigma_0) ** 2)
        raise self._unsupported()

    def _finish(self) -> None:
        if not self.parts or min(part.factor for part in self.parts) <= 0.0:
            raise self._unsupported()
        base = next((part.precision for part in self.parts if np.ndim(part.precision) > 0), None)
        if base is not None:
            self.scale = np.sqrt(base)
        self.factor = float(sum(part.factor for part in self.parts))
        terms = [_core.KernelTerm(part.form, self._gamma(part, base), part.shape,
                                  part.factor / self.factor, part.offset) for part in self.parts]
        if len(terms) > 1 and any(part.form == _Form.polynomial for part in self.parts):
            raise self._unsupported()
        self.kernel = _core.Kernel(terms)

    def _gamma(self, part: _Part, base: Any) -> float:
        precision = part.precision
        if base is not None and part.form != _Form.polynomial:
            ratio = np.broadcast_to(precision, np.shape(base)) / base
            if not np.allclose(ratio, ratio[0], rtol=1e-12):
                raise UnsupportedModelError(
                    f"the Gaussian process has the kernel {self.source}, whose parts have "
                    "different length scales, expected the same length scales up to a factor")
            precision = ratio[0]
        root = {_Form.matern12: 1.0, _Form.matern32: 3.0, _Form.matern52: 5.0}
        if part.form in root:
            return float(np.sqrt(root[part.form] * precision))
        if part.form == _Form.power:
            return float(precision / (2.0 * part.shape))
        return float(precision) if part.form == _Form.polynomial else float(precision / 2.0)

    def _unsupported(self) -> UnsupportedModelError:
        return UnsupportedModelError(
            f"the Gaussian process has the kernel {self.source}, expected RBF, Matern (nu 0.5, "
            "1.5, 2.5 or inf), RationalQuadratic, sums of these or one DotProduct, times constants "
            "and plus constants or white noise")


def _precision(kernel: Any) -> Any:
    lengths = np.asarray(kernel.length_scale, dtype=np.float64)
    return 1.0 / lengths**2 if lengths.size > 1 else float(1.0 / lengths.ravel()[0] ** 2)

"""Explainer: a model that is prepared to explain many rows."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable, Iterable, Literal, Mapping, Sequence

import numpy as np

from . import _core
from ._adapt import Averaged, Subject, adapt
from ._averaged import Average
from ._composed import Composed, prepare
from ._evidence import Evidence, Network
from ._interactions import Interactions
from ._links import both_classes, require_link, require_output
from ._notes import notes_of_settings
from ._options import (PARAMETERS, ClassesName, OutputName, PrecisionName, UnitName, documented,
                       parameter_arguments)
from ._prepared import Prepared
from ._progress import Progress
from ._tables import Floats, opened_background
from .errors import UnsupportedModelError
from .explanation import Explanation

if TYPE_CHECKING:
    from .flips import Flips


@documented
class Explainer:
    """Explain the predictions of a fitted distance-based or linear model.

    Options that are not given are chosen for the model; `settings` has their values.

    Parameters
    ----------
    model : estimator, path-like or Explainer
        A fitted estimator of scikit-learn that predicts by distance or by a linear function, also
        in a Pipeline or in GridSearchCV (docs/guide/estimators.md); or the path of a LIBSVM model
        or an .npz bundle.
    background : table, optional
        Rows that represent the data, best the training rows. By default the model's own points;
        those of an SVM are support vectors, which are not typical rows.
    method : str, optional
        One of the following. The default is "auto", or "lrp" if one of eta, beta, kappa and
        ignore_intercept is given. "measured" tries the methods on the background and takes the
        most faithful one; `measured` has the figures, and `save` stores the choice.

        %(methods)s
    unit : {"decision", "share", "g"}, default="decision"
        The unit of the relevance: "decision" (the model's own output: decision value, votes or the
        unit of the target), "share" (percent) or "g" (the output of the neuralized model).
    output : {"decision", "probability", "logit"}, default="decision"
        The output that is explained in the unit "decision". A probability and its logit need a
        model with calibrated probabilities.
    positive_class, versus : label, optional
        The classes that positive and negative relevance push toward. With two classes, the default
        is classes_[1] and classes_[0]; with more, the predicted class and its strongest rival.
    groups : dict of str to list or "columns", optional
        Groups of columns, by name or position, that are explained together, such as the columns of
        one sensor. A group has one relevance: the sum over its columns, or its own exact Shapley
        value. Columns in no group stay alone. "columns" makes a group of each column of vectors,
        whose features have names such as "embedding[0]".
    level : float, optional
        Regressors: the relevance explains the difference from this level; the default is the mean
        of the training target. KernelDensity and NearestNeighbors: the threshold of outliers.
    feature_names : sequence of str, optional
        Names of the columns, if the model has none.
    n_jobs : int, default=-1
        Threads, as in scikit-learn; -1 for all.
    progress : bool or callable, optional
        True, False, a function of (done, total), or None for a bar in a terminal or notebook.
    precision : {"double", "float"}, default="double"
        "float" is faster and has the same decisions.
    reference : {"origin", "mean"} or row, optional
        The point that represents absent features, for rules with eta < 1 and for baselines.

    Other Parameters
    ----------------
    %(parameters)s

    Attributes
    ----------
    settings : Mapping
        The resolved options.
    reason : str
        Why the method was chosen, and a faster one if it is slow.
    method : str
        The method that computes the relevance.

    Raises
    ------
    UnsupportedModelError
        If the model cannot be explained exactly. Its `advice` explains the same prediction.

    Examples
    --------
    >>> import bisector
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> X, y = load_iris(return_X_y=True)
    >>> explainer = bisector.Explainer(SVC().fit(X, y), X)
    >>> explainer(X[:3]).values.shape
    (3, 4)
    >>> petals = bisector.Explainer(SVC().fit(X, y), X, groups={"petal": [2, 3]})
    >>> petals(X[:3]).feature_names
    ['x1', 'x2', 'petal']
    """

    def __init__(self, model: Any, background: Any = None, *, method: str | None = None,
                 unit: UnitName | None = None, output: OutputName = "decision",
                 positive_class: Any = None, versus: Any = None, level: float | None = None,
                 feature_names: Sequence[str] | None = None, n_jobs: int | None = -1,
                 progress: Progress = None, precision: PrecisionName = "double",
                 reference: Any = None,
                 groups: Mapping[str, Sequence[Any]] | Literal["columns"] | None = None,
                 **parameters: Any):
        require_output(output, unit)
        self._given: dict[str, Any] = {
            "background": opened_background(background), "method": method, "unit": unit,
            "output": output, "positive_class": positive_class, "versus": versus, "level": level,
            "feature_names": feature_names, "n_jobs": n_jobs, "progress": progress,
            "precision": precision, "reference": reference, "groups": groups,
            **parameter_arguments(parameters, Explainer)}
        is_explainer = isinstance(model, Explainer)
        self._model: Any = model._model if is_explainer else model
        subject = model._subject if is_explainer else adapt(model, level)
        if isinstance(subject, Averaged):
            self._prepared: Prepared | Composed | Average = Average(subject, self._given)
            self._subject: Subject | Averaged = subject
        else:
            require_link(subject.link, output, self._model)
            self._prepared = prepare(subject, self._given)
            self._subject = self._prepared.subject
        self.settings: Mapping[str, Any] = self._prepared.settings
        self.method: str = self._prepared.method

    @property
    def progress(self) -> Progress:
        """How progress is shown; can be set."""
        shown: Progress = self._given["progress"]
        return shown

    @progress.setter
    def progress(self, progress: Progress) -> None:
        self._given["progress"] = self._prepared.arguments["progress"] = progress

    def __call__(self, X: Any, *, classes: ClassesName | None = None, per_level: bool = False
                 ) -> Explanation:
        """Explain every row of X.

        Parameters
        ----------
        X : table
            Rows like those that the model was fitted on: an array, a data frame, one row of a data
            frame, a sparse matrix, an Arrow table.
        classes : {"all"}, optional
            Explain each class against the rest, in the unit "decision". The values have the shape
            (rows, features, classes), as in SHAP.
        per_level : bool, default=False
            One relevance for each level of a one-hot column, instead of their sum.

        Returns
        -------
        Explanation
        """
        if classes is None:
            return self._prepared.explain(X, per_level)
        if classes != "all":
            raise ValueError(f'classes is "{classes}", expected "all" or None')
        if self._given["positive_class"] is not None:
            raise ValueError('classes is "all" with positive_class, expected one of the two')
        one = self._prepared
        if isinstance(one, Average) or self._given["output"] != "decision":
            return both_classes(one.explain(X, per_level))
        return one.explain(X, per_level, all_classes=True)

    def interactions(self, X: Any, top: int | None = None) -> Interactions:
        """How much pairs of features act together, for every row of X.

        Kernel machines whose kernel is a product over the features (Gaussian, Laplacian) have exact
        Shapley interaction values in the unit of the output. Other kernel machines of a distance
        have integrated Hessians in the unit of g. Both are the mean over the references of the
        explainer's method, or over 60 rows.

        Parameters
        ----------
        X : table
            Rows like those that the model was fitted on.
        top : int, optional
            Only this many of the strongest pairs of each row, in blocks that do not hold all pairs
            in memory.

        Returns
        -------
        Interactions

        Raises
        ------
        ValueError
            If the model has no interactions: neighbors, centroids and detectors have outputs with
            steps. Explain a kernel machine of the same data instead.

        Examples
        --------
        >>> import bisector
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.svm import SVC
        >>> X, y = load_iris(return_X_y=True)
        >>> bisector.Explainer(SVC().fit(X, y), X).interactions(X[:3])
        <bisector.Interactions of 3 x 4 x 4 by shapley, unit decision>
        """
        return prepared(self, "{behind}.interactions({rows})").interactions(X, top)

    def shap_values(self, X: Any) -> Floats:
        """The relevance alone, for code that was written for SHAP.

        The shape is (rows, features); for three or more classes (rows, features, classes), and each
        class adds up to its output: what the features do not explain is spread over them by their
        size. `explainer(X)` keeps it apart, as the remainder.
        """
        if isinstance(self._prepared, Average) or not self._prepared.is_by_class:
            return self(X).values
        explanation = self(X, classes="all")
        sizes = np.abs(explanation.values)
        total = sizes.sum(axis=1, keepdims=True)
        shares = np.divide(sizes, total, out=np.full_like(sizes, 1.0 / sizes.shape[1]),
                           where=total > 0.0)
        return np.asarray(explanation.values + shares * explanation.remainder[:, None])

    @property
    def expected_value(self) -> Any:
        """The base value of the relevance; for three or more classes an array with one for each."""
        return self._prepared.expected_value

    @property
    def measured(self) -> dict[str, tuple[float, float]] | None:
        """The AUFC (lower is better) and its standard error of every rule that was measured for
        the model, the best first; None if nothing was measured."""
        measured = None if isinstance(self._subject, Averaged) else self._subject.model.measured
        if measured is None:
            return None
        return {name: (aufc, error) for name, aufc, error in measured.figures}

    @property
    def reason(self) -> str:
        """Why the method was chosen, and a faster one if it is slow."""
        return str(self.settings["reason"])

    @property
    def notes(self) -> list[str]:
        """What the user should know before explaining rows: whether a background is missing."""
        return notes_of_settings(self.settings)

    @property
    def cost(self) -> float:
        """The estimated number of kernel evaluations per row."""
        return float(self.settings["cost"])

    @property
    def classes(self) -> Any:
        """The labels of a classifier; None for a regressor."""
        return self._prepared.labels

    @property
    def feature_names(self) -> list[str]:
        """The names of the columns."""
        return self._prepared.feature_names

    def predict(self, X: Any) -> Any:
        """The model's own prediction, computed by the library."""
        return self._prepared.predict(X)

    def flip(self, X: Any, fix: Iterable[Any] = (), only: Iterable[Any] | None = None,
             count: int = 1, *, increase: Iterable[Any] = (), decrease: Iterable[Any] = (),
             changes: int | None = None, to: Any = None, radius: bool = True) -> Flips:
        """The smallest change of every row that makes the model decide otherwise.

        Numbers stay in the range of the data (the background, or else X and the model's points)
        and are rounded as their column is. Encoded columns take levels that occur in the data, and
        the columns of a one-hot group (`groups`) change together.
        The original model predicts every changed row again, and changes that are not needed are
        removed. A flip describes the model, not the world: see docs/guide/flips.md.
        Behind a step that mixes the columns, such as a Normalizer, flips are refused: a change of
        the step's results need not be the result of any row.

        Parameters
        ----------
        X : table
            Rows like those that the model was fitted on.
        fix : sequence of str
            Columns that must not change, by name or position.
        only : sequence of str, optional
            The only columns that may change.
        count : int, default=1
            The number of answers per row. Answers change different sets of columns.
        increase, decrease : sequence of str
            Columns that may only increase or only decrease.
        changes : int, optional
            The largest number of changed columns; by default any number.
        to : label or float, optional
            The class to reach, by default any other one. Regressors: the value to reach.
        radius : bool, default=True
            Whether to find a radius within which nothing flips. Without it, the search of neighbor
            models takes less than half of the time.

        Returns
        -------
        Flips

        Examples
        --------
        >>> import bisector
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.svm import SVC
        >>> X, y = load_iris(return_X_y=True)
        >>> explainer = bisector.Explainer(SVC().fit(X, y), X)
        >>> flips = explainer.flip(X[:3])
        >>> bool((flips.prediction != y[:3]).all() and (flips.radius <= flips.distance).all())
        True
        """
        from .flips import find_flips

        predict = getattr(self._model, "predict", None)
        one = prepared(self, "{behind}.flip({rows})")
        return find_flips(one, predict, X, fix=fix, only=only, increase=increase,
                          decrease=decrease, count=count, changes=changes, to=to,
                          radius=radius)

    def evidence(self, x: Any, count: int = 5) -> list[Evidence]:
        """The most influential pairs of training rows for one row.

        Parameters
        ----------
        x : row
            One row like those of X.
        count : int, default=5
            The number of pairs.
        """
        one = prepared(self, "{behind}.evidence({rows}[:1])")
        return one.evidence(one.one_row(x), count)

    def network(self, x: Any) -> Network:
        """The neuralized model at one row, for inspection."""
        one = prepared(self, "{behind}.network({rows}[:1])")
        core = one.core.network(one.one_row(x))
        return Network([one.training_row(point) for point in core.positive],
                       [one.training_row(point) for point in core.negative],
                       np.asarray(core.detection), np.asarray(core.hidden), core.g,
                       np.asarray(core.positive_weights), np.asarray(core.negative_weights))

    def save(self, path: str | os.PathLike[str], *, background: bool = True) -> None:
        """Writes the model, with its preprocessing and names, as an .npz bundle for the command
        line and for ``Explainer(path)``, which gives the same values by the default method.

        Parameters
        ----------
        path : path-like
            The file to write.
        background : bool, default=True
            Also write the rows of the background that methods use, at most 1,000. Without them,
            values refer to the model's own points, as `notes` of the copy say.

        Notes
        -----
        Options such as the method are not stored.
        """
        one = prepared(self, "{behind}.save('model.npz')")
        _core.write_bundle(os.fspath(path), one.stored_model(background))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The model and all options, as in scikit-learn."""
        return {"model": self._model, **self._given}

    def set_params(self, **params: Any) -> Explainer:
        """Changes options of this explainer."""
        unknown = set(params) - set(self.get_params())
        if unknown:
            raise ValueError(f"no parameter {sorted(unknown)[0]!r}, expected some of "
                             f"{', '.join(self.get_params())}")
        model = params.pop("model", self)
        Explainer.__init__(self, model, **{**self._given, **params})
        return self

    def __sklearn_clone__(self) -> Explainer:
        """sklearn.base.clone(explainer): the same options and the same fitted model."""
        return Explainer(self, **self._given)

    def __reduce__(self) -> Any:
        return _restored, (self._subject, self._prepared.arguments)

    def __repr__(self) -> str:
        advice = (", without a background: see .notes" if self.settings.get("averages_points") else
                  ", see .notes" if self.notes else "")
        return (f"<bisector.Explainer of {self._prepared.kind}, "
                f"{self._prepared.columns.count} features, by {self.method}{advice}>")


def prepared(explainer: Explainer, instead: str | None = None) -> Prepared:
    """The prepared model of an explainer, which must be a single model of the columns.

    `instead` is the advice for a model behind a step that mixes the columns. {behind} is an
    explainer of the part behind the step, {rows} are the rows that this part takes."""
    found = explainer._prepared
    if isinstance(found, Composed):
        from ._smooth import behind_smooth_steps

        problem = (f"the {found.steps} mixes the columns, which is not supported here, expected a "
                   "model without that step, or the part of the pipeline behind it")
        number = behind_smooth_steps(explainer._model)
        if instead is None or number is None:
            raise UnsupportedModelError(problem)
        before = f"model[:{number}].transform"
        raise UnsupportedModelError(problem, instead.format(
            behind=f"bisector.Explainer(model[{number}:], {before}(X_train))", rows=f"{before}(X)"))
    if isinstance(found, Average):
        raise ValueError(f"the model averages {len(found.members)} machines, which is not "
                         "supported here, expected a single machine, for example with ensemble=False")
    return found


def shown_model(explainer: Explainer) -> tuple[Prepared, Callable[[Any], Floats]]:
    """The model that a report shows, and the function from a table to its features."""
    found = explainer._prepared
    if isinstance(found, Composed):
        return found.model_behind(), found.features_behind
    one = prepared(explainer)
    return one, one.features


def given_options(explainer: Explainer) -> dict[str, Any]:
    """The options of an explainer as they were given."""
    return dict(explainer._given)


def options_for(explainer: Explainer, method: str | None) -> dict[str, Any]:
    """The options of an explainer for a method. Its own method (or None) keeps its parameters;
    another method has its default parameters."""
    arguments = explainer._prepared.arguments
    if method in (None, explainer._prepared.asked):
        return dict(arguments)
    return {name: value for name, value in {**arguments, "method": method}.items()
            if name not in PARAMETERS}


def known_names(explainer: Explainer) -> list[str] | None:
    """The names of the features, if the user or the model gave some."""
    return explainer._prepared.known_names


def _restored(subject: Subject | Averaged, arguments: dict[str, Any]) -> Explainer:
    return Explainer(subject, **arguments)

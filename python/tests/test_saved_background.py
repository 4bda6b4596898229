"""A saved explainer gives the values of the explainer that was saved."""

import os
import pickle
import subprocess

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, OneClassSVM

import bisector

COMMAND = os.environ.get("BISECTOR_COMMAND", "")
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(1.0, [0.5, 1.0, 3.0, 1.0], size=(1700, 4))
SIZE = np.tanh(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * RANDOM.normal(size=len(X))
KIND = np.digitize(SIZE, [0.0, 4.0])
MODELS = {
    "SVC": lambda: SVC().fit(X[:300], KIND[:300]),
    "SVC behind a scaler": lambda: make_pipeline(StandardScaler(), SVC()).fit(X[:300], SIZE[:300] > 1),
    "SVR": lambda: SVR(C=10.0).fit(X[:300], SIZE[:300]),
    "KRR": lambda: KernelRidge(kernel="rbf", gamma=0.1).fit(X[:300], SIZE[:300]),
    "KNN": lambda: KNeighborsClassifier(7).fit(X[:300], KIND[:300]),
    "KNN behind a scaler": lambda: make_pipeline(StandardScaler(), KNeighborsRegressor(7)).fit(
        X[:300], SIZE[:300]),
    "one-class": lambda: OneClassSVM(nu=0.1).fit(X[:300]),
    "GP": lambda: GaussianProcessRegressor(alpha=0.1).fit(X[:100], SIZE[:100]),
}
FIELDS = ("values", "base_values", "output", "remainder", "outside", "standard_errors")


def assert_same(one, other):
    assert one.method == other.method
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


@pytest.mark.parametrize("rows", [1, 250, 1700])  # Of more than 1,000 rows, 1,000 are drawn.
@pytest.mark.parametrize("name", MODELS)
def test_copies_give_the_values_of_the_explainer(tmp_path, name, rows):
    explainer = bisector.Explainer(MODELS[name](), X[:rows])
    explained = explainer(X[-20:])
    explainer.save(tmp_path / "model.npz")
    loaded = bisector.Explainer(tmp_path / "model.npz")
    assert_same(loaded(X[-20:]), explained)
    assert loaded.notes == explainer.notes
    loaded.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "model.npz").read_bytes()
    assert_same(pickle.loads(pickle.dumps(loaded))(X[-20:]), explained)
    if COMMAND:
        np.save(tmp_path / "rows.npy", X[-20:])
        subprocess.run([COMMAND, "explain", tmp_path / "model.npz", tmp_path / "rows.npy", "-o",
                        tmp_path / "values.npy", "-q"], check=True)
        np.testing.assert_array_equal(np.load(tmp_path / "values.npy"), explained.values)


@pytest.mark.parametrize("name", ["SVC", "SVR", "one-class"])
def test_without_the_background_values_refer_to_the_points(tmp_path, name):
    model = MODELS[name]()
    explainer = bisector.Explainer(model, X[:300])
    explainer.save(tmp_path / "model.npz", background=False)
    with np.load(tmp_path / "model.npz") as file:
        assert not [array for array in file.files if array.startswith("background")]
    loaded = bisector.Explainer(tmp_path / "model.npz")
    assert len(loaded.notes) == 1 and "the model's own points" in loaded.notes[0]
    points = bisector.Explainer(model)(X[-20:])
    np.testing.assert_allclose(loaded(X[-20:]).values, points.values, rtol=0, atol=1e-12)


def test_another_background_replaces_that_of_the_file(tmp_path):
    model = MODELS["SVR"]()
    bisector.Explainer(model, X[:300]).save(tmp_path / "model.npz")
    other = bisector.Explainer(tmp_path / "model.npz", X[300:600])
    assert_same(other(X[-20:]), bisector.Explainer(model, X[300:600])(X[-20:]))
    other.save(tmp_path / "other.npz")
    assert_same(bisector.Explainer(tmp_path / "other.npz")(X[-20:]), other(X[-20:]))


def test_names_of_features_keep_what_the_file_knows(tmp_path):
    bisector.Explainer(MODELS["SVR"](), X[:300]).save(tmp_path / "model.npz")
    named = bisector.Explainer(tmp_path / "model.npz", feature_names=["a", "b", "c", "d"])
    named.save(tmp_path / "named.npz")
    loaded = bisector.Explainer(tmp_path / "named.npz")
    assert loaded.feature_names == ["a", "b", "c", "d"]
    assert_same(loaded(X[-5:]), named(X[-5:]))


@pytest.mark.skipif(not COMMAND, reason="BISECTOR_COMMAND does not name the command")
def test_train_stores_the_rows_that_explanations_refer_to(tmp_path):
    np.savetxt(tmp_path / "t.csv", np.column_stack([X[:300], SIZE[:300]]), delimiter=",",
               header="a,b,c,d,size", comments="")
    train = [COMMAND, "train", tmp_path / "t.csv", "--target", "size", "--model", "svr", "-o"]
    subprocess.run([*train, tmp_path / "m.npz", "-q"], check=True)
    run = subprocess.run([*train, tmp_path / "n.npz", "--without-background"], check=True,
                         capture_output=True, text=True)
    assert "note: the model file has no background rows" in run.stderr
    stored, without = (bisector.Explainer(tmp_path / name) for name in ("m.npz", "n.npz"))
    assert stored.notes == [] and "the model's own points" in without.notes[0]
    given = bisector.Explainer(tmp_path / "n.npz", X[:300])
    np.testing.assert_allclose(stored(X[-20:]).values, given(X[-20:]).values, atol=1e-9)


@pytest.mark.parametrize("labels", [[0, 1, 2], [1.0, 2.0, 3.0], ["a", "b", "1"], [False, True]])
def test_labels_keep_their_type(labels, tmp_path):
    y = np.array(labels)[KIND[:300] % len(labels)]
    explainer = bisector.Explainer(SVC().fit(X[:300], y), X[:300])
    explainer.save(tmp_path / "model.npz")
    again = bisector.Explainer(tmp_path / "model.npz")
    assert again.predict(X[300:320]).dtype.kind == y.dtype.kind
    np.testing.assert_array_equal(again.predict(X[300:320]), explainer.predict(X[300:320]))
    np.testing.assert_array_equal(again(X[300:320]).positive_class,
                                  explainer(X[300:320]).positive_class)

"""bisector.arrow.explainer maps over record batches of every framework, with the same numbers."""

import pickle
from importlib.util import find_spec

import duckdb
import numpy as np
import polars
import pyarrow as pa
import pytest
from sklearn.datasets import load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import bisector
import bisector.arrow

WINES, KIND = load_wine(return_X_y=True, as_frame=True)
MODEL = make_pipeline(StandardScaler(), SVC()).fit(WINES, KIND)
EXPLAIN = bisector.arrow.explainer(MODEL, keep=[])
WANTED = bisector.Explainer(MODEL)(WINES)


def require_same(table):
    found = np.column_stack([table.column(name).to_numpy() for name in WINES.columns])
    np.testing.assert_array_equal(found, WANTED.values)
    np.testing.assert_array_equal(table.column("prediction").to_numpy(), WANTED.prediction)


def test_batches_and_tables_have_the_schema_that_was_announced():
    table = pa.Table.from_pandas(WINES)
    for given in (table, table.to_batches()[0]):
        result = EXPLAIN(given)
        assert type(result) is type(given) and result.schema == EXPLAIN.schema(table.schema)
        require_same(result)
    assert EXPLAIN(table.slice(0, 0)).num_rows == 0


def test_the_function_can_be_pickled():
    require_same(pickle.loads(pickle.dumps(EXPLAIN))(pa.Table.from_pandas(WINES)))


def test_polars_maps_over_batches():
    frame = polars.from_pandas(WINES).lazy()
    schema = polars.from_arrow(EXPLAIN.schema(pa.Schema.from_pandas(WINES)).empty_table()).schema
    result = frame.map_batches(lambda part: polars.from_arrow(EXPLAIN(part.to_arrow())),
                               schema=schema).collect()
    require_same(result.to_arrow())


def test_duckdb_streams_batches():
    connection = duckdb.connect()
    connection.register("wines", WINES)
    relation = connection.sql("select * from wines")
    reader = (relation.to_arrow_reader(50) if hasattr(relation, "to_arrow_reader") else
              relation.fetch_record_batch(50))
    explained = pa.RecordBatchReader.from_batches(EXPLAIN.schema(reader.schema),
                                                  (EXPLAIN(batch) for batch in reader))
    result = connection.cursor().from_arrow(explained).arrow()
    require_same(result if isinstance(result, pa.Table) else result.read_all())


@pytest.mark.skipif(find_spec("daft") is None, reason="daft is too large for every run")
def test_daft_streams_batches():
    import daft

    frame = daft.from_arrow(pa.Table.from_pandas(WINES))
    batches = (EXPLAIN(batch) for batch in frame.to_arrow_iter())
    require_same(daft.from_arrow(pa.Table.from_batches(batches)).to_arrow())


@pytest.mark.skipif(find_spec("ray") is None, reason="ray is too large for every run")
def test_ray_maps_over_batches():
    import ray

    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        dataset = ray.data.from_arrow(pa.Table.from_pandas(WINES))
        mapped = dataset.map_batches(EXPLAIN, batch_format="pyarrow")
        require_same(pa.concat_tables(ray.get(mapped.to_arrow_refs())))
    finally:
        ray.shutdown()


def test_pandas_columns_with_arrow_types():
    frame = WINES.convert_dtypes(dtype_backend="pyarrow")
    require_same(EXPLAIN(pa.Table.from_pandas(frame)))


def test_a_missing_column_is_named():
    with pytest.raises(ValueError, match='no column "alcohol"'):
        EXPLAIN(pa.table({"x": [1.0]}))


def test_vectors_of_arrow_go_in_and_come_out(tmp_path):
    import pyarrow.parquet

    model = SVC().fit(WINES.to_numpy(), KIND)
    wanted = bisector.Explainer(model)(WINES.to_numpy()).values
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(WINES.to_numpy().ravel()), 13)
    table = pa.table({"id": np.arange(len(WINES)), "embedding": vectors})
    explain = bisector.arrow.explainer(model, ["embedding"], keep=["id"])
    result = explain(table)
    assert result.schema == explain.schema(table.schema)
    column = result.column("embedding").combine_chunks()
    np.testing.assert_array_equal(column.flatten().to_numpy().reshape(-1, 13), wanted)
    sliced = explain(table.slice(5, 20)).column("embedding").combine_chunks()
    np.testing.assert_array_equal(sliced.flatten().to_numpy().reshape(-1, 13), wanted[5:25])
    pyarrow.parquet.write_table(table, tmp_path / "in.parquet")
    bisector.explain_parquet(tmp_path / "in.parquet", model, tmp_path / "out.parquet",
                             ["embedding"])
    stored = pyarrow.parquet.read_table(tmp_path / "out.parquet").column("embedding")
    np.testing.assert_array_equal(stored.combine_chunks().flatten().to_numpy(), wanted.ravel())
    np.testing.assert_array_equal(bisector.Explainer(model)(table.select(["embedding"])).values,
                                  wanted)


def test_groups_have_their_own_names():
    groups = {"color": ["hue", "color_intensity"]}
    table = bisector.arrow.explainer(MODEL, keep=[], groups=groups)(pa.Table.from_pandas(WINES))
    wanted = bisector.Explainer(MODEL, groups=groups)(WINES)
    np.testing.assert_array_equal(table.column("color").to_numpy(),
                                  wanted.values[:, wanted.feature_names.index("color")])
    assert "hue" not in table.column_names

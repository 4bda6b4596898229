"""Dask DataFrames on a real scheduler with several worker processes."""

import dask.dataframe as dd
import distributed
import pytest
from big_tables import (COLUMNS, classifier, regressor, require_same, result_columns, table,
                        with_text)

import bisector


@pytest.fixture(scope="module", autouse=True)
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                  dashboard_address=None) as cluster:
        with distributed.Client(cluster) as connected:
            yield connected


@pytest.mark.parametrize("model", [classifier, regressor])
def test_results_equal_those_of_one_process(model):
    frame = table()
    explained = bisector.dask.explain(dd.from_pandas(frame, npartitions=5), model(), COLUMNS)
    assert explained.npartitions == 5
    result = explained.compute()
    assert list(result.index) == list(frame.index)
    assert list(result.columns) == ["key", "note", "count", *result_columns(model())]
    assert list(result.columns) == list(explained.columns)
    assert list(result.dtypes) == list(explained.dtypes)
    require_same(result, model(), frame)


def test_several_workers_take_part(client):
    frame = dd.from_pandas(table(), npartitions=8)
    explained = bisector.dask.explain(frame, classifier(), keep=["key"])
    where = explained.map_partitions(
        lambda part: part.assign(pid=__import__("os").getpid())[["pid"]],
        meta={"pid": "int64"}).compute()
    assert where.pid.nunique() == 2


def test_text_columns_and_empty_partitions_are_explained():
    frame = table(40)
    parts = dd.from_pandas(frame, npartitions=4)
    parts = parts.map_partitions(lambda part: part[part.index >= 15])  # leaves one empty
    result = bisector.dask.explain(parts, with_text(), keep=["key"]).compute()
    require_same(result, with_text(), frame[15:], ["note", *COLUMNS])


def test_wrong_columns_are_named_before_anything_is_computed():
    with pytest.raises(ValueError, match='no column "x1" to be explained'):
        bisector.dask.explain(dd.from_pandas(table(10), npartitions=2), regressor())

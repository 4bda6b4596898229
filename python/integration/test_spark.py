"""Spark DataFrames on a real local Spark with two worker processes."""

import os
import sys

import pytest
from big_tables import (COLUMNS, classifier, regressor, require_same, result_columns, table,
                        with_text)
from pyspark import sql

import bisector

# Spark's own, with the newest pandas.
pytestmark = pytest.mark.filterwarnings("ignore:The copy keyword is deprecated")


@pytest.fixture(scope="module")
def spark():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (sql.SparkSession.builder.master("local[2]").appName("bisector")
               .config("spark.ui.enabled", "false")
               .config("spark.driver.host", "127.0.0.1")
               .config("spark.driver.bindAddress", "127.0.0.1")
               .config("spark.sql.shuffle.partitions", "2")
               .config("spark.sql.execution.arrow.maxRecordsPerBatch", "64")
               .getOrCreate())
    yield session
    session.stop()


@pytest.mark.parametrize("model", [classifier, regressor])
def test_results_equal_those_of_one_process(spark, model):
    frame = table()
    df = spark.createDataFrame(frame).repartition(5, "key")
    result = bisector.spark.explain(df, model(), COLUMNS)
    assert result.columns == ["key", "note", "count", *result_columns(model())]
    require_same(result.toPandas(), model(), frame)


def test_rows_keep_their_order_and_the_types_of_what_is_kept(spark):
    frame = table(300)
    df = spark.createDataFrame(frame).coalesce(1)
    result = bisector.spark.explain(df, classifier(), keep=["key", "note"])
    assert result.schema["key"] == df.schema["key"]
    assert result.schema["note"] == df.schema["note"]
    assert [row.key for row in result.collect()] == list(frame.key)


def test_text_columns_and_a_file_as_the_model(spark, tmp_path):
    frame = table(40)
    df = spark.createDataFrame(frame)
    result = bisector.spark.explain(df, with_text(), keep=["key"]).toPandas()
    require_same(result, with_text(), frame, ["note", *COLUMNS])
    bisector.Explainer(classifier()).save(tmp_path / "model.npz")
    result = bisector.spark.explain(df, tmp_path / "model.npz").toPandas()
    require_same(result, classifier(), frame)


def test_results_can_be_queried_by_sql(spark):
    frame = table(200)
    explained = bisector.spark.explain(spark.createDataFrame(frame), classifier())
    explained.createOrReplaceTempView("why")
    counted = spark.sql("select prediction, count(*) n, avg(width) r from why "
                        "group by prediction").collect()
    assert sum(row.n for row in counted) == len(frame)


def test_wrong_columns_are_named_before_anything_is_computed(spark):
    with pytest.raises(ValueError, match='no column "x1" to be explained'):
        bisector.spark.explain(spark.createDataFrame(table(10)), regressor())

"""Games as a data source of Apache Spark; see docs/cluster.md.

    spark.dataSource.register(pgn2epd.spark.Games)
    spark.read.format("pgn2epd").option("where", "WhiteElo >= 2400").option("columns", "file,offset,ply,fen").load("/data/*.pgn.zst")
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition  # type: ignore[import-not-found]
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema  # type: ignore[import-not-found]

from pgn2epd._dataset import Dataset

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql.types import StructType  # type: ignore[import-not-found]


class Games(DataSource):
    """The data source `pgn2epd`: `pgn2epd.dataset` with its options, one thread for each task unless `jobs` says otherwise."""

    @classmethod
    def name(cls) -> str:
        return "pgn2epd"

    def _dataset(self) -> Dataset:
        options: dict[str, Any] = {name.replace("-", "_"): value for name, value in self.options.items()}
        paths = json.loads(options.pop("paths", "[]"))
        paths += [options.pop("path")] if "path" in options else []
        if not paths:
            raise ValueError("no files: name some in load()")
        if "size" in options:
            options["size"] = None if options["size"] == "none" else int(options["size"])
        return Dataset(paths, **{"jobs": "1", **options})

    def schema(self) -> StructType:
        return from_arrow_schema(self._dataset().schema)

    def reader(self, schema: StructType) -> _Reader:
        return _Reader(self._dataset(), schema)


class _Reader(DataSourceReader):
    def __init__(self, dataset: Dataset, schema: StructType) -> None:
        self.dataset, self.schema = dataset, schema

    def partitions(self) -> Sequence[InputPartition]:
        return [InputPartition(part) for part in self.dataset.parts()]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        types = to_arrow_schema(self.schema)
        for batch in self.dataset.read(partition.value):
            yield batch.cast(types)

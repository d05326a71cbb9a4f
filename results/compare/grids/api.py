"""The comparison of grids in the API, and the remarks of an article on a grid without figures."""

from datetime import date
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError

from results.api.errors import form_problem
from results.api.lists import RecordList
from results.api.records import page_of_object, rounded
from results.api.views import ReadEndpoint
from results.compare.grids.query import MAX_GRIDS, GridsForm
from results.compare.grids.remarks import PUBLISHED_ON, SOURCE_URL, TITLE, read_remarks
from results.core.record import Record, Row, Url, field
from results.kinds.grid.operations import OPERATIONS


class ComparedGridRecord(Record):
    """One of the grids."""

    letter: str = field("A to F, in the order of the request")
    id: str = field("of the result", "result.public_id")
    url: Url = field("its page for people", lambda grid: page_of_object(grid.result))
    pool: str = field("the pool's id", "result.pool.public_id", to=lambda public_id: public_id or "")
    name: str = field("its layout as sentences name it", "phrase")
    is_baseline: bool = field("whether the ratios are to this one")
    conditions: dict[str, str | None] = field(
        "by label; null if not stated",
        to=lambda stated: {label: value or None for label, value in stated.items()},
    )
    partial_records: list[str] = field("how much slower writes of part of a record are")


class ComparedGridRowRecord(Record):
    """The rates at one record size or number of processes, in the order of the grids."""

    at: int = field("record size in bytes, or processes")
    mib_s: list[float | None] = field(
        "MiB/s; null if not measured", lambda row: [cell.mib_s for cell in row.cells]
    )
    ratios: list[float | None] = field(
        "to the baseline's rate", lambda row: [rounded(cell.ratio) for cell in row.cells]
    )
    needs_retest: list[bool] = field(
        "a dip or spike, or doubted", lambda row: [cell.needs_retest for cell in row.cells]
    )


class ComparedOperationRecord(Record):
    """An operation, at the largest file of each grid."""

    operation: str = field("of iozone", choices=list(OPERATIONS.items()))
    axis: str = field("what `at` is", choices=[("record_bytes", "record size"), ("processes", "processes")])
    file_bytes: list[int | None] = field(
        "of each grid's file, in bytes", lambda row: [line and line.file_bytes for line in row.lines]
    )
    fits_in_memory: list[bool] = field(
        "whether that file fits into memory, as stated",
        lambda row: [bool(line and line.is_in_memory) for line in row.lines],
    )
    rows: list[ComparedGridRowRecord] = field("by ascending `at`")
    sentences: list[str] = field("each grid beside the baseline")


class GridComparisonRecord(Record):
    """Up to six grids."""

    grids: list[ComparedGridRecord] = field("in the order of the request")
    operations: list[ComparedOperationRecord] = field("that at least one grid measured")


class GridRemarkRecord(Record):
    """What an article says in words about a grid whose charts are gone."""

    operation: str = field("of iozone", choices=list(OPERATIONS.items()))
    record_size: str = field("empty if it is about all of them")
    layout: str = field("empty if it is about all of them")
    figure: str = field("as its text gives it; empty without one")
    remark: str = field("in our words")
    is_doubted: bool = field("whether its author doubts it")
    article: str = field("its title")
    source_url: Url = field("where it is")
    published_on: date = field("its day")


class CompareGrids(ReadEndpoint):
    """Up to six grids of iozone: rates, ratios to a baseline, and sentences."""

    operation_id = "compare_grids"
    query = (
        OpenApiParameter(
            "results",
            str,
            required=True,
            description=f"ids of up to {MAX_GRIDS} results, separated by commas; 404 for an unknown one",
        ),
        OpenApiParameter("baseline", str, description="the id that ratios are to; the first one by default"),
        OpenApiParameter("operation", str, enum=list(OPERATIONS), description="only this operation"),
    )
    record = GridComparisonRecord

    def find(self) -> Row:
        form = GridsForm(self.request.query_params)
        if not form.is_valid():
            raise form_problem(form)
        found = form.cleaned_data["found"]
        if not found.grids:
            raise ValidationError({"results": ["Give the ids of results: results=…,…."]})
        return GridComparisonRecord.of(found)


class GridRemarks(RecordList):
    """What an article says in words about a grid whose charts are gone."""

    record = GridRemarkRecord
    ordering_fields = {name: name for name in ("operation", "record_size", "layout")}

    def get_queryset(self) -> Any:
        source = {"article": TITLE, "source_url": SOURCE_URL, "published_on": PUBLISHED_ON}
        return [GridRemarkRecord.of(remark, **source) for remark in read_remarks()]

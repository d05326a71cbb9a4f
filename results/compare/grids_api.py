"""The comparison of grids in the API, and the remarks of an article on a grid without figures."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from results.api.errors import form_problem
from results.api.lists import RecordList
from results.api.rows import Row, rounded
from results.api.serializers import TextListField
from results.api.views import ReadEndpoint
from results.compare.grids import GridsForm, find_grids
from results.compare.pairs import DifferentKindsError
from results.core.addresses import full_url
from results.kinds.file_grid.comparison import MOST_GRIDS, ComparedOperation
from results.kinds.file_grid.operations import OPERATIONS
from results.kinds.file_grid.remarks import PUBLISHED_ON, SOURCE_URL, TITLE, read_remarks
from results.kinds.file_grid.words import partial_records


class ComparedGridSerializer(serializers.Serializer):
    """One of the grids."""

    letter = serializers.CharField(help_text="A to F, in the order of the request")
    id = serializers.CharField(help_text="of the result")
    url = serializers.URLField(help_text="its page for people")
    pool = serializers.CharField(help_text="the pool's id")
    name = serializers.CharField(help_text="its layout as sentences name it")
    is_baseline = serializers.BooleanField(help_text="whether the ratios are to this one")
    conditions = serializers.DictField(
        child=serializers.CharField(allow_null=True), help_text="by label; null if not stated"
    )
    partial_records = TextListField(help_text="how much slower writes of part of a record are")


class ComparedGridRowSerializer(serializers.Serializer):
    """The rates at one record size or number of processes, in the order of the grids."""

    at = serializers.IntegerField(help_text="record size in bytes, or processes")
    mib_s = serializers.ListField(
        child=serializers.FloatField(allow_null=True), help_text="MiB/s; null if not measured"
    )
    ratios = serializers.ListField(
        child=serializers.FloatField(allow_null=True), help_text="to the baseline's rate"
    )
    needs_retest = serializers.ListField(
        child=serializers.BooleanField(), help_text="a dip or spike, or doubted"
    )


class ComparedOperationSerializer(serializers.Serializer):
    """An operation, at the largest file of each grid."""

    operation = serializers.ChoiceField(choices=list(OPERATIONS.items()), help_text="of iozone")
    axis = serializers.ChoiceField(
        choices=[("record_bytes", "record size"), ("processes", "processes")], help_text="what `at` is"
    )
    file_bytes = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), help_text="of each grid's file, in bytes"
    )
    fits_in_memory = serializers.ListField(
        child=serializers.BooleanField(), help_text="whether that file fits into memory, as stated"
    )
    rows = ComparedGridRowSerializer(many=True, help_text="by ascending `at`")
    sentences = TextListField(help_text="each grid beside the baseline")


class GridComparisonSerializer(serializers.Serializer):
    """Up to six grids."""

    grids = ComparedGridSerializer(many=True, help_text="in the order of the request")
    operations = ComparedOperationSerializer(many=True, help_text="that at least one grid measured")


class GridRemarkSerializer(serializers.Serializer):
    """What an article says in words about a grid whose charts are gone."""

    operation = serializers.ChoiceField(choices=list(OPERATIONS.items()), help_text="of iozone")
    record_size = serializers.CharField(allow_blank=True, help_text="empty if it is about all of them")
    layout = serializers.CharField(allow_blank=True, help_text="empty if it is about all of them")
    figure = serializers.CharField(allow_blank=True, help_text="as its text gives it; empty without one")
    remark = serializers.CharField(help_text="in our words")
    is_doubted = serializers.BooleanField(help_text="whether its author doubts it")
    article = serializers.CharField(help_text="its title")
    source_url = serializers.URLField(help_text="where it is")
    published_on = serializers.DateField(help_text="its day")


class CompareGrids(ReadEndpoint):
    """Up to six grids of iozone: rates, ratios to a baseline, and sentences."""

    operation_id = "compare_grids"
    query = (
        OpenApiParameter(
            "results",
            str,
            required=True,
            description=f"ids of up to {MOST_GRIDS} results, separated by commas; 404 for an unknown one",
        ),
        OpenApiParameter("baseline", str, description="the id that ratios are to; the first one by default"),
        OpenApiParameter("operation", str, enum=list(OPERATIONS), description="only this operation"),
    )
    record = GridComparisonSerializer

    def find(self) -> Row:
        form = GridsForm(self.request.query_params)
        if not form.is_valid():
            raise form_problem(form)
        given = form.cleaned_data
        if not given["results"]:
            raise ValidationError({"results": ["Give the ids of results: results=…,…."]})
        try:
            found = find_grids(given["results"], baseline=given["baseline"], operation=given["operation"])
        except DifferentKindsError as error:
            raise ValidationError({"results": ["Only iozone grids can be compared here."]}) from error
        return {
            "grids": [
                {
                    "letter": grid.letter,
                    "id": one.public_id,
                    "url": full_url(one.get_absolute_url()),
                    "pool": one.pool.public_id if one.pool else "",
                    "name": grid.name,
                    "is_baseline": at == found.baseline,
                    "conditions": {row["label"]: row["values"][at] or None for row in found.conditions},
                    "partial_records": list(partial_records(grid.payload)),
                }
                for at, (grid, one) in enumerate(zip(found.grids, found.results, strict=True))
            ],
            "operations": [_operation(one) for one in found.operations],
        }


class GridRemarks(RecordList):
    """What an article says in words about a grid whose charts are gone."""

    record = GridRemarkSerializer
    ordering_fields = {name: name for name in ("operation", "record_size", "layout")}

    def get_queryset(self) -> Any:
        source = {"article": TITLE, "source_url": SOURCE_URL, "published_on": PUBLISHED_ON}
        return [{**asdict(one), **source} for one in read_remarks()]


def _operation(one: ComparedOperation) -> Row:
    return {
        "operation": one.operation,
        "axis": one.axis,
        "file_bytes": [line.file_bytes if line else None for line in one.lines],
        "fits_in_memory": [bool(line and line.is_in_memory) for line in one.lines],
        "rows": [{**asdict(row), "ratios": list(map(rounded, row.ratios))} for row in one.rows],
        "sentences": one.sentences,
    }

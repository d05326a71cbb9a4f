"""The preview: what a text says and would be published as, without storing anything."""

from dataclasses import asdict

from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from results.api.authentication import MaySubmitOrIsNobody
from results.api.endpoint import Endpoint
from results.api.parsing import OrjsonParser, PlainTextParser
from results.api.pastes import read_sent
from results.api.problems import RefusedProblem, TooLongProblem
from results.api.result_serializers import ParsedSerializer
from results.api.rows import Row, metric_record, point_records, rank_record
from results.api.schema import PASTE_BODIES
from results.ingest.match import class_with
from results.ingest.receive import PasteTooLongError, preview_text
from results.ingest.runs import Run
from results.models import Device
from results.models.result import CONDITION_FIELDS
from results.ranking.estimate import estimate_place
from results.ranking.places import Board
from results.ranking.ranks import Rank
from results.ranking.score import ranked_latency_us


class Parse(Endpoint):
    """What would be published of a text, and where it would rank. Nothing of it is stored."""

    parser_classes = [PlainTextParser, OrjsonParser, MultiPartParser]
    permission_classes = [MaySubmitOrIsNobody]

    @extend_schema(operation_id="parse", request=PASTE_BODIES, responses={200: ParsedSerializer})
    def post(self, request: Request) -> Response:
        try:
            sent = read_sent(request)
            preview = preview_text(sent.raw, owner=sent.sender.owner, sender_digest=sent.sender.sender_digest)
        except PasteTooLongError as error:
            raise TooLongProblem from error
        paste, found = preview.paste, preview.found
        notices = (*paste.warnings, *found.notices)
        if not found.runs:
            raise RefusedProblem(notices)
        return Response(
            {
                "run_count": found.count,
                "left_out": [asdict(one) for one in found.left_out],
                "parser_version": paste.parser_version,
                "runs": [
                    _record(run, device) for run, device in zip(found.runs, preview.devices, strict=True)
                ],
                "notices": [asdict(notice) for notice in notices],
                "text": paste.text,
            }
        )


def _record(run: Run, device: Device) -> Row:
    curve = [None if latency is None else float(latency) for latency in run.curve]
    return {
        "model_name": run.model_name,
        "vendor": run.vendor,
        "capacity_bytes": run.capacity_bytes,
        "device_class": class_with(device, run),
        "firmware_version": run.firmware_version or None,
        "method": run.method.value,
        "is_complete": run.is_complete,
        "is_ranked": run.is_ranked,
        "not_ranked_reason": run.not_ranked_reason,
        "flags": [flag.stored for flag in run.flags],
        "conditions": {name: getattr(run, name) for name in CONDITION_FIELDS},
        "first_line": run.first_line,
        "last_line": run.last_line,
        **metric_record(curve),
        "points": point_records(curve),
        "rank": _rank(run, device, ranked_latency_us(run.method, curve)) if run.is_ranked else None,
    }


def _rank(run: Run, device: Device, score_us: float | None) -> Row | None:
    """Where this run alone would stand."""
    if score_us is None:
        return None
    board = Board(class_with(device, run), run.method.value)
    found = estimate_place(board, device_id=device.pk, score_us=score_us)
    place = found.place
    return rank_record(
        Rank(*board, found.device_count, place.rank, place.first_possible, place.last_possible)
    )

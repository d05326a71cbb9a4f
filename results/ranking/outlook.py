"""How a device compares with all others right after a result, and what one more unit like it would change."""

from typing import NamedTuple

from django.utils.text import capfirst

from results.kinds.curve.metrics import Curve
from results.models import DeviceRanking
from results.models.choices import DEVICE_CLASSES
from results.ranking.boards import ALL_CLASSES, ClassBoard, ends_of, find_ends
from results.ranking.intervals import GUESSED_SPREAD, blended_spread, half_width, interval, own_spread
from results.ranking.standing import estimated_span, main_rows, span_of
from results.ranking.ties import Place, Span, count_behind, find_place, replace_span, sureness

MAX_CURVES = 60


class Outlook(NamedTuple):
    """A device among the others of its board, by results.ranking.ties; `with_another` as if one more unit agreed."""

    other_count: int
    behind_count: int  # of the others, clearly slower, or probably if a spread is assumed
    behind_with_another: int
    is_assumed: bool
    class_count: int  # devices of its class, including this one
    place: Place  # in its class
    place_with_another: Place

    @property
    def faster(self) -> str:
        """As in "clearly faster than 33 of the 57 other drives here"."""
        sure = sureness(is_assumed=self.is_assumed) if self.behind_count else "not clearly"
        if self.other_count == 1:
            return f"{sure} faster than the only other drive here"
        count = f"{self.behind_count:,}" if self.behind_count else "any"
        return f"{sure} faster than {count} of the {self.other_count:,} other drives here"

    def headline(self, device_class: str) -> str:
        """The same as sentences, without the last period; "" if there is no other drive."""
        if not self.other_count:
            return ""
        first = f"{only_of_class(device_class)}. " if self.class_count == 1 else ""
        return f"{first}{capfirst(self.faster)}"


def only_of_class(device_class: str) -> str:
    return f"The only drive in the class {DEVICE_CLASSES[device_class]} so far"


def find_outlook(ranking: DeviceRanking) -> Outlook:
    """The outlook of a ranked device. Three queries."""
    board = ClassBoard(ranking.board, ranking.device_class)
    return _outlook(board, span_of(ranking), _with_another(ranking), device_id=ranking.device_id)


def find_outlook_of_run(board: ClassBoard, *, method: str, score: float, device_id: int = 0) -> Outlook:
    """The outlook of a device by one run alone, whether it has a place or not. Four queries."""
    alone = estimated_span(board, method=method, score=score)
    return _outlook(board, alone, alone, device_id=device_id)


def _with_another(ranking: DeviceRanking) -> Span:
    """The interval if another unit measured the same as the ones so far."""
    count, deviation = ranking.unit_count, ranking.unit_deviation
    pooled = ranking.board_spread or GUESSED_SPREAD
    own = 0.0 if deviation is None or count < 2 else own_spread(deviation, count)
    half = half_width(blended_spread(pooled, own, count + 1), count + 1)
    return Span(ranking.method, *interval(ranking.score, half))


def _outlook(board: ClassBoard, span: Span, another: Span, *, device_id: int) -> Outlook:
    """The outlook among the others as they are now: the last pass may have had another interval of this device."""
    passed = ends_of(board._replace(device_class=ALL_CLASSES))
    everywhere, in_class = (
        find_ends(board._replace(device_class=name), passed.factor, but=device_id)
        for name in (ALL_CLASSES, board.device_class)
    )
    now, then = (replace_span(in_class, None, other) for other in (span, another))
    return Outlook(
        other_count=len(everywhere),
        behind_count=count_behind(everywhere, span),
        behind_with_another=count_behind(everywhere, another),
        is_assumed=passed.is_assumed,
        class_count=len(now),
        place=find_place(now, span),
        place_with_another=find_place(then, another),
    )


def curves_of_class(board: ClassBoard, *, but: int) -> list[Curve]:
    """The median curves of the class's devices: all, or of many a selection from the first to the last place.

    `but` is a device to leave out. Two queries, of which the first reads an index alone.
    """
    rows = main_rows(board.board)
    if board.device_class != ALL_CLASSES:
        rows = rows.filter(device_class=board.device_class)
    places = rows.order_by("high", "device_id").values_list("device_id", flat=True)
    others = [device_id for device_id in places if device_id != but]
    step = max(1, -(-len(others) // MAX_CURVES))
    return list(rows.filter(device__in=others[::step]).values_list("median_us", flat=True))

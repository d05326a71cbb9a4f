import pytest

from tests.factories import make_device, make_result, make_submission

pytestmark = pytest.mark.django_db


def test_a_result_is_shown_with_all_its_points(client, django_assert_max_num_queries):
    result = make_result(firmware__version="1.0")
    with django_assert_max_num_queries(2):
        response = client.get(result.get_absolute_url())
    points = response.context["points"]
    assert len(points) == 15
    assert points[3] == {
        "block_size": "4 KiB",
        "latency": "21.0",
        "throughput": "186",
        "iops": "47,619",
        "is_ranked": True,
    }
    assert response.context["result"]["firmware"] == "1.0"


def test_the_conditions_are_those_that_were_stated(client):
    result = make_result(
        path="/dev/nvd0",
        write_cache_enabled=False,
        power_on_hours=0,
        percentage_used=0,
        sector_size=4096,
        host_bytes_written=1_500_000_000_000,
    )
    conditions = client.get(result.get_absolute_url()).context["conditions"]
    assert {one["label"]: one["value"] for one in conditions} == {
        "Path": "/dev/nvd0",
        "Sector size": "4096 B",
        "Write cache": "disabled",
        "Power-on time": "0 h",
        "Endurance used": "0 %",
        "Written by hosts": "1.50 TB",
    }


def test_the_lines_that_were_read_are_marked_in_the_text(client):
    submission = make_submission(text="prompt\nfirst\x0cstill first\nsecond\n\nafter\n")
    result = make_result(submission=submission, first_line=2, last_line=3)
    lines = client.get(result.get_absolute_url()).context["text_lines"]
    assert [(line["number"], line["text"], line["is_read"]) for line in lines] == [
        (1, "prompt", False),
        (2, "first\x0cstill first", True),
        (3, "second", True),
        (4, "", False),
        (5, "after", False),
    ]


def test_the_other_runs_of_a_paste_are_linked(client):
    submission = make_submission(public_id="sample")
    for position, name in enumerate(("first", "second", "third"), start=1):
        make_result(
            submission=submission,
            position=position,
            public_id="sample" if position == 1 else f"sample-{position}",
            device=make_device(model_name=name),
        )
    siblings = client.get("/results/sample-2/").context["siblings"]
    assert [(one["device"], one["url"]) for one in siblings] == [
        ("first", "/results/sample/"),
        ("third", "/results/sample-3/"),
    ]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"not_ranked_reason": "The table is cut short."}, "Kept, but not ranked"),
        (
            {
                "not_ranked_reason": "Too soon.",
                "flags": [{"code": "cached_disk", "effect": "held", "message": "Too soon."}],
            },
            "Held: shown, but not ranked",
        ),
        ({"submission__state": "held"}, "Held: shown, but not ranked"),
        ({"submission__state": "withdrawn"}, "Withdrawn"),
    ],
)
def test_a_result_that_does_not_count_says_so_and_why(client, values, said):
    reason = values.get("not_ranked_reason") or "A reason of its own."
    if "submission__state" in values:
        values = {**values, "submission__state_reason": reason}
    page = client.get(make_result(**values).get_absolute_url()).text
    assert said in page
    assert reason in page


def test_a_published_result_has_no_such_notice(client):
    page = client.get(make_result().get_absolute_url()).text
    assert "notice" not in page.replace('id="notices"', "").replace('"notices"', "")


def test_figures_published_elsewhere_have_a_source_and_no_text(client):
    result = make_result(submission__source_url="https://forum.example/t/1", measured_on=None)
    response = client.get(result.get_absolute_url())
    assert response.context["source"] == {"url": "https://forum.example/t/1", "label": "forum.example"}
    assert response.context["text_lines"] == []


def test_an_unknown_result_is_not_found(client):
    assert client.get("/results/nobody/").status_code == 404


def test_flags_are_shown_with_what_they_do(client):
    flags = [{"code": "timer_tick", "effect": "noted", "message": "Whole ticks."}]
    result = make_result(flags=flags)
    response = client.get(result.get_absolute_url())
    assert [(one["label"], one["message"]) for one in response.context["flags"]] == [
        ("Noted", "Whole ticks.")
    ]
    assert "What speaks against this result" in response.text


def test_a_result_without_flags_does_not_speak_of_them(client):
    assert "What speaks against" not in client.get(make_result().get_absolute_url()).text

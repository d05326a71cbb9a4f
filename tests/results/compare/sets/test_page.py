import pytest

from results.advice.comparison import REPEATS, Comparable, Reading, find_ratios
from results.compare.sets.words import describe_speedup
from results.kinds.pool.sets import RunSet
from results.kinds.pool_sets import FoundSet
from results.models import Pool, Result, Submission
from tests.factories import make_member, make_result
from tests.page import Page, text_of
from tests.results.compare.sets import afternoon as afternoon_texts
from tests.results.compare.sets.afternoon import afternoon, fio
from tests.results.kinds.pool_io import texts
from tests.results.publishing import publish_text

pytestmark = pytest.mark.django_db


def api(client, key, **parameters):
    response = client.get(f"/api/v1/compare/sets/{key}/", parameters)
    assert response.status_code == 200, response.content
    return response.json()


def test_publishing_an_afternoon_leads_to_its_set(client, django_assert_max_num_queries):
    page = client.post("/submit/", {"text": afternoon(), "action": "publish"})
    submission = Submission.objects.get()
    set_url = f"/compare/sets/{submission.public_id}/"
    assert Page(page).links["See all runs side by side"] == set_url
    assert f"{set_url}chart.png[/img]" in Page(page).section("share").text
    assert "5.6× at 1 thread" in Page(page).section("set").text
    runs = Page(page).section("runs").links
    assert len(runs) == 12
    assert list(runs)[3:5] == [
        "Random 4 KiB writes, no log device, sync=always",
        "Random 4 KiB writes, no log device, sync=always, 4 threads",
    ]
    urls = [*runs.values()]
    with django_assert_max_num_queries(12):
        result = client.get(urls[4])
    assert "In the same paste" not in result.text  # the set has them
    assert set_url in result.text
    assert "<h1>One run of a pool: 2 mirrors of 2</h1>" in result.text
    assert "<h1>One run of a pool: 2 mirrors of 2, with a log device</h1>" in client.get(urls[6]).text
    assert result.text.count('href="/compare/results/') == 5
    share = Page(result).part("share").text
    assert "Operations per second 300, " in share
    assert "by fio on a pool: random 4 KiB writes, no log device, sync=always, 4 threads " in share
    listed = Page(client.get(f"/results/?submission={submission.public_id}")).text.casefold()
    assert [what for what in runs if f"{what}, with ".casefold() not in listed] == []
    pool = Page(client.get(Pool.objects.get().get_absolute_url()))
    assert pool.links["All runs of this submission side by side"] == set_url
    conditions = [row["Conditions"] for row in pool.rows()]
    assert len(set(conditions)) == len(conditions)


def test_runs_of_something_else_are_named_and_left_out(client):
    run = publish_text(client, afternoon({("", "always"): {1: 100}}))["id"]
    others = [make_result(20).public_id for _ in range(2)]
    for ids, verb in ((others[:1], "measures"), (others, "measure")):
        (problem, *_) = api(client, "chosen", results=",".join([run, *ids]))["problems"]
        left_out = f"{', '.join(ids)} {verb} something other than a workload on a pool. We left that out."
        assert problem == left_out


def test_runs_beyond_those_of_a_set_are_counted():
    for count, said in (
        (1, "1 more run of this submission isn’t"),
        (2, "2 more runs of this submission aren’t"),
    ):
        (problem, *_) = FoundSet("sample", [], RunSet((), (), None), left_out=count).problems
        assert problem.startswith(f"{said} shown: ")


def test_the_owner_of_an_afternoon_sees_it_once_and_its_runs_by_name(client):
    client.force_login(make_member())
    client.post("/submit/", {"text": afternoon(), "action": "publish"})
    page = client.get("/account/results/").text
    assert page.count("Pool: 2 mirrors of 2, with a log device") == 1
    assert "Pool: 2 mirrors of 2, with a log device (12 runs)" in page
    sent = Submission.objects.get().public_id
    own = client.get(f"/account/results/{sent}/").text
    assert "Random 4 KiB writes, no log device, sync=always, 4 threads</a>" in own
    assert f'muted">{sent}-5</span>' in own
    assert own.count("<summary>Notes</summary>") == 12


def test_an_afternoon_says_what_the_log_device_brings(client, django_assert_max_num_queries):
    sent = publish_text(client, afternoon())
    with django_assert_max_num_queries(3):
        page = client.get(f"/compare/sets/{sent['id']}/")
    shown = Page(page).text
    assert "<h1>Pool: 2 mirrors of 2, with and without a log device, by sync mode, 1 to 16 threads</h1>" in (
        page.content.decode()
    )
    assert (
        f"Random 4 KiB writes (sync=always), speedup from {texts.LOG_MODEL}: "
        "5.6× at 1 thread, 3× at 4 and no gain at 16."
    ) in shown
    assert (
        "ceiling (sync=standard, not synced) vs. no log device (sync=always): "
        "90× at 1 thread, 70× at 4 and 30× at 16."
    ) in shown

    found = api(client, sent["id"])
    assert [(arm["log"], arm["log_name"], arm["sync_mode"], arm["is_synced"]) for arm in found["arms"]] == [
        ("none", "", "always", True),
        ("device", texts.LOG_MODEL, "always", True),
        ("none", "", "standard", False),
        ("device", texts.LOG_MODEL, "disabled", False),
    ]
    (workload,) = found["workloads"]
    of_log = [ratio for ratio in workload["ratios"] if ratio["is_of_log_device"]]
    assert [(ratio["threads"], ratio["ratio"], ratio["exceeds_noise"]) for ratio in of_log] == [
        (1, 5.6, None),
        (4, 3.0, None),
        (16, 1.01, None),
    ]
    assert [figure["latency_us"] for figure in workload["figures"] if figure["arm"] == 1] == [
        10000.0,
        13333.33,
        16000.0,
    ]


def test_the_list_says_in_short_what_a_log_device_brought_and_begins_with_it(client):
    (logs, sync), by_threads = list(afternoon_texts.FIGURES.items())[2]
    helped = publish_text(client, afternoon())["id"]
    publish_text(client, afternoon({(logs, sync): by_threads, (logs, "disabled"): by_threads}))
    first, second = Page(client.get("/compare/sets/")).root.xpath(".//ul[@class='set-list']/li")
    assert first.find("h2/a").get("href") == f"/compare/sets/{helped}/"
    assert "Writes were up to 5.6× as fast with the log device." in text_of(first)
    assert "No comparison of a SLOG with none." in text_of(second)
    assert client.get("/compare/sets/?page=9").status_code == 404


@pytest.mark.parametrize(
    ("gains", "sentence"),
    [
        ([0.3, 0.5], "Writes were slower with the log device."),
        ([0.5, 1.0], "The log device didn’t help."),
        ([0.95, 1.05], "The log device made no difference."),
        ([0.5, 3], "Writes were up to 3× as fast with the log device, but some were slower."),
    ],
)
def test_speedups_are_described_plainly(gains, sentence):
    base, *others = (
        Comparable("", None, {"": Reading(gain, gain, gain, noise=REPEATS)}) for gain in (1, *gains)
    )
    ratios = [ratio for other in others for ratio in find_ratios(base, other)]
    assert describe_speedup(ratios).sentence == sentence


def test_repeated_runs_show_the_noise(client):
    found = api(client, publish_text(client, afternoon(repeats=3))["id"])
    assert 1.01 < found["noise_factor"] < 1.05
    ratios = [ratio for ratio in found["workloads"][0]["ratios"] if ratio["is_of_log_device"]]
    assert [ratio["exceeds_noise"] for ratio in ratios] == [True, True, False]
    assert not any("single run" in problem for problem in found["problems"])


def test_a_set_of_one_run_says_that_it_is_no_comparison(client):
    sent = publish_text(client, texts.status() + texts.fio())
    assert "One run is no comparison." in Page(client.get(f"/compare/sets/{sent['id']}/")).text
    assert client.get("/compare/sets/").content.decode().count(sent["id"]) == 0


def test_chosen_runs_of_two_pools_are_shown_but_not_divided(client):
    first = publish_text(
        client, texts.status(logs="") + texts.properties(compression="off") + fio(100, writers=1)
    )
    second = publish_text(client, texts.status() + texts.properties(compression="off") + fio(500, writers=1))
    found = api(client, "chosen", results=f"{first['id']},{second['id']}")
    assert found["problems"][0].startswith("As far as we know, these runs are on different pools")
    assert found["workloads"][0]["ratios"] == []
    page = Page(client.get("/compare/sets/chosen/", {"results": f"{first['id']} {second['id']}"})).text
    assert "Pool 1: No log device" in page
    assert "Pool 2: A log device" in page


def test_runs_that_differ_in_five_things_conclude_nothing(client):
    first = texts.status(logs="") + texts.properties() + fio(100, writers=1)
    other = texts.properties(compression="off").replace("128K", "16K ")
    second = texts.status() + other + fio(500, writers=1, options="--direct=0")
    found = api(client, publish_text(client, first + second)["id"])
    mixed = next(problem for problem in found["problems"] if problem.startswith("Other conditions differ"))
    assert "recordsize (128 KiB, 16 KiB)" in mixed
    assert "compression (lz4, off)" in mixed
    assert "isn’t down to the log device alone" in found["sentences"][0]


def test_a_withdrawn_or_unknown_member_is_named_and_the_rest_shown(client):
    first, second = (
        publish_text(client, afternoon({key: {1: 100 + number}}))
        for number, key in enumerate([("", "always"), (texts.LOGS, "always")])
    )
    Submission.objects.filter(public_id=second["id"]).update(state="withdrawn")
    found = api(client, "chosen", results=f"{first['id']},{second['id']}")
    assert found["problems"][:2] == [
        f"{second['id']} isn’t published, or no longer. We show the rest.",
        "One run is no comparison. Add another: without the log device, or with another sync mode.",
    ]
    assert client.get(f"/compare/sets/{second['id']}/").status_code == 404


def test_chosen_ids_are_checked(client, subtests):
    for query, status in [
        ("", 200),
        ("results=", 200),
        ("results=Not+An+Id", 400),
        ("results=bcdfghjkmn", 404),
        (f"results={'b,' * 9000}", 400),
    ]:
        with subtests.test(query=query):
            assert client.get(f"/compare/sets/chosen/?{query}", follow=True).status_code == status
            if status != 200:
                assert client.get(f"/api/v1/compare/sets/chosen/?{query}").status_code == status


def test_the_talks_arrangement_has_a_picture(client):
    assert client.get("/compare/sets/sdc-2018/preview.png")["Content-Type"] == "image/png"


def test_sixty_runs_render_in_as_many_queries_as_few(client, django_assert_max_num_queries):
    many = {key: {threads: 100 * threads for threads in range(1, 16)} for key in afternoon_texts.FIGURES}
    sent = publish_text(client, afternoon(many))
    assert Result.objects.count() == 60
    with django_assert_max_num_queries(3):
        assert client.get(f"/compare/sets/{sent['id']}/").status_code == 200
    for name in ("chart", "preview"):
        with django_assert_max_num_queries(3):
            assert client.get(f"/compare/sets/{sent['id']}/{name}.png")["Content-Type"] == "image/png"

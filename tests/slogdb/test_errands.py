from contextvars import ContextVar
from queue import SimpleQueue

from slogdb.errands import Errands, run_errand

PATIENCE_S = 10
asked_by: ContextVar[str] = ContextVar("asked_by", default="nobody")


def a_request_that(does):
    """What was done when the answer was ready."""
    done = SimpleQueue()

    def application(environ, start_response):
        does(done)
        return [b"answered"]

    Errands(application)({}, None)
    return done


def test_outside_a_request_an_errand_is_done_at_once():
    done = []
    run_errand("greet", lambda: done.append("done"))
    assert done == ["done"]


def test_an_errand_of_a_request_is_done_after_its_answer():
    done = a_request_that(lambda done: (run_errand("greet", lambda: done.put("errand")), done.put("answer")))
    assert [done.get(timeout=PATIENCE_S) for _ in range(2)] == ["answer", "errand"]


def test_what_has_the_same_name_is_done_once():
    def leave_three(done):
        for name, text in [("rank", "first"), ("rank", "second"), ("other", "last")]:
            run_errand(name, lambda text=text: done.put(text))

    done = a_request_that(leave_three)
    assert [done.get(timeout=PATIENCE_S) for _ in range(2)] == ["first", "last"]


def test_an_errand_knows_the_request_that_left_it():
    def leave(done):
        token = asked_by.set("request 1")
        run_errand("greet", lambda: done.put(asked_by.get()))
        asked_by.reset(token)

    assert a_request_that(leave).get(timeout=PATIENCE_S) == "request 1"


def test_an_errand_that_fails_keeps_no_other_from_being_done(caplog):
    def leave(done):
        run_errand("fail", lambda: 1 / 0)
        run_errand("greet", lambda: done.put("done"))

    assert a_request_that(leave).get(timeout=PATIENCE_S) == "done"
    assert "an errand failed: fail" in caplog.text

"""Threads without number, interpreters that end, processes that fork, children without end: an answer, an exception, and nobody waits for ever."""

import itertools
import os
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import meetjoin
from meetjoin import Chain, MeetjoinError, solve_game

SMALL = [("top", "or", ["a", "b"])]
LEAVES = {"a": 3, "b": 7}


def run(script: str, seconds: float = 60) -> subprocess.CompletedProcess:
    """A process of its own, which must end by itself."""
    return subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=seconds)


@pytest.mark.parametrize("threads", [0, -1, 1025, 2**32, 2**63, 2**64, 2**70])
def test_threads_have_a_bound_and_the_problem_stays_usable(threads: int) -> None:
    problem = meetjoin.Problem.from_gates(SMALL, LEAVES)
    with pytest.raises(MeetjoinError, match=r"threads is -?\d+, and a search takes from 1 to 1024"):
        problem.solve(threads=threads)
    # The compiled part has the same bound.
    with pytest.raises((MeetjoinError, OverflowError, ValueError)):
        problem._core.solve(None, threads, None, None, None, False, False, None)
    assert problem.solve().value == 7


#: A search that takes minutes, on a thread that does not keep the process.
SEARCH = """
    import threading, time, meetjoin
    problem = meetjoin.random(depth=15, branching=6, variables=20, alternating=True, seed=1)
    def work():
        while True:
            problem.solve("minimax")
    threading.Thread(target=work, daemon=True).start()
    time.sleep(0.3)
"""


def test_the_interpreter_may_end_while_a_daemon_thread_searches() -> None:
    for _ in range(3):
        ended = run(SEARCH + "    print('end')\n")
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, "end\n", "")


def test_the_interpreter_may_end_while_a_daemon_thread_searches_a_game_of_its_own() -> None:
    ended = run(
        """
        import threading, time, meetjoin
        class Deep:
            def root(self): return 1
            def kind(self, node): return "or" if node < 2**40 else "leaf"
            def children(self, node): return [2 * node, 2 * node + 1]
            def leaf(self, node): return node
        def work():
            while True:
                meetjoin.solve_game(Deep(), meetjoin.Chain(), "minimax")
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.3)
        print("end")
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "end\n", "")


def test_what_is_called_at_the_end_still_works() -> None:
    ended = run(
        """
        import atexit
        # Registered before the package is imported, so called after what it has registered.
        def last():
            import meetjoin
            print(meetjoin.Problem.from_gates([("top", "or", ["a", "b"])], {"a": 3, "b": 7}).solve().value)
        atexit.register(last)
        import meetjoin
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "7\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_child_does_not_wait_for_a_thread_of_its_parent() -> None:
    ended = run(
        SEARCH
        + """
    import os, warnings
    warnings.simplefilter("ignore")
    child = os.fork()
    if child == 0:
        try:
            problem.solve(time_limit=1)
            os._exit(3)
        except meetjoin.MeetjoinError as error:
            text = str(error)
        other = meetjoin.Problem.from_gates([("top", "or", ["a", "b"])], {"a": 3, "b": 7}).solve().value
        os._exit(0 if "forked" in text and other == 7 else 4)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "0\n", "")


class Endless:
    """A root whose children never end."""

    def __init__(self, children) -> None:
        self.make = children

    def root(self) -> int:
        return 0

    def kind(self, node: int) -> str:
        return "or" if node == 0 else "leaf"

    def children(self, node: int):
        return self.make()

    def leaf(self, node: int) -> int:
        return 5


@pytest.mark.parametrize("algorithm", [None, "minimax", "alpha-beta-duo", "mtd-f", "sss-2"])
@pytest.mark.parametrize("children", [lambda: itertools.repeat(1), lambda: (1 for _ in itertools.count()), lambda: itertools.count(1)])
def test_a_limit_of_time_ends_endless_children(algorithm, children) -> None:
    began = time.monotonic()
    answer = solve_game(Endless(children), Chain(lo=0, hi=9), algorithm, time_limit=0.3)
    assert time.monotonic() - began < 5
    # Nothing is known that rests on a part of the children.
    assert (answer.exact, answer.lower, answer.upper, answer.stop) == (False, 0, 9, "time")


def test_a_long_list_of_children_is_heard_to_its_end() -> None:
    game = Endless(lambda: range(1, 50_000))
    assert solve_game(game, Chain(lo=0, hi=9)).value == 5


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
def test_ctrl_c_ends_endless_children() -> None:
    import signal

    # Whoever starts tests in the background may have them ignore it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    try:
        answer = solve_game(Endless(lambda: itertools.repeat(1)), Chain(lo=0, hi=9))
        assert (answer.exact, answer.stop) == (False, "cancelled")
    except KeyboardInterrupt:
        pass
    timer.join()
    signal.signal(signal.SIGINT, before)
    assert time.monotonic() - began < 5

import os
from typing import Any, Callable, final

__all__ = [
    "AttackTree",
    "FaultTree",
    "Lattice",
    "MAGIC",
    "MOST_THREADS",
    "MOST_TRIALS",
    "MeetjoinError",
    "Problem",
    "__version__",
    "algorithms",
    "arrays_of_text",
    "closing",
    "graph_picture",
    "hasse",
    "hidden_game",
    "meant",
    "packets",
    "solve_game",
    "suit",
    "write_rows",
    "write_text",
]

__version__: str
MAGIC: bytes
MOST_THREADS: int
MOST_TRIALS: int

def closing() -> None: ...

class MeetjoinError(ValueError): ...

@final
class Lattice:
    def __new__(cls, json: str) -> Lattice: ...
    def json(self) -> str: ...
    def decimals(self) -> Lattice: ...
    def bottom(self) -> Any: ...
    def top(self) -> Any: ...
    def join(self, a: str, b: str) -> Any: ...
    def meet(self, a: str, b: str) -> Any: ...
    def leq(self, a: str, b: str) -> bool: ...
    def is_distributive(self) -> bool: ...
    def is_total(self) -> bool: ...

@final
class Problem:
    @staticmethod
    def read(text: bytes) -> Problem: ...
    @staticmethod
    def open(path: str | os.PathLike[str], trust: bool) -> Problem: ...
    @staticmethod
    def rows(kinds: bytes, offsets: bytes, children: bytes, root: int, lattice: Lattice, values: bytes | list[str]) -> Problem: ...
    def write(self, what: str, path: str | os.PathLike[str] | None) -> bytes | None: ...
    def arrays(self) -> tuple[bytes, bytes, bytes, int, list[Any]] | None: ...
    def drawn(self, most: int) -> tuple[list[tuple[str, str, str | None]], list[tuple[int, int]], int]: ...
    @property
    def size(self) -> tuple[int, int, int] | None: ...
    def solve(
        self,
        algorithm: str | None,
        threads: int,
        time_limit: float | None,
        max_visits: int | None,
        max_memory: int | None,
        moves: bool,
        count_nodes: bool,
        progress: Callable[[int, int, str, str], Any] | None,
    ) -> dict[str, Any]: ...
    def prove(
        self,
        at_least: str,
        algorithm: str,
        time_limit: float | None,
        max_visits: int | None,
        max_memory: int | None,
        proof: str | None,
        progress: Callable[[int, int, str, str], Any] | None,
    ) -> dict[str, Any]: ...
    def heaviest(
        self,
        top: int | None,
        weights: list[int] | None,
        strategy: bool,
        time_limit: float | None,
        max_visits: int | None,
        max_memory: int | None,
    ) -> dict[str, Any]: ...

    def strategy(
        self, of: str | None, min: bool, time_limit: float | None, max_visits: int | None, max_memory: int | None
    ) -> tuple[str, str]: ...
    def certificate(
        self, digest: str, stated: bool, time_limit: float | None, max_visits: int | None, max_memory: int | None
    ) -> str: ...
    def verify(
        self, text: str, time_limit: float | None, max_visits: int | None, max_memory: int | None
    ) -> str: ...
    def trace(
        self, title: str, algorithms: list[str], time_limit: float | None, max_visits: int | None, max_memory: int | None
    ) -> str: ...

@final
class FaultTree:
    def __new__(cls, texts: list[bytes], top: str | None) -> FaultTree: ...
    def problem(self) -> bytes: ...
    @property
    def size(self) -> tuple[int, int]: ...
    def cuts(
        self,
        sets: str,
        limit_order: int | None,
        cut_off: float | None,
        list: int | None,
        importance: bool,
        time_limit: float | None,
        max_memory: int | None,
        mission_time: float | None,
        ccf: bool,
        time_step: float | None,
        sil: bool,
        uncertainty: int | None,
        seed: int,
    ) -> str: ...
    def sequences(
        self,
        mission_time: float | None,
        ccf: bool,
        list: bool,
        time_limit: float | None,
        max_memory: int | None,
    ) -> str: ...

@final
class AttackTree:
    def __new__(cls, text: bytes, top: str | None, attributes: list[tuple[str, str]]) -> AttackTree: ...
    @property
    def size(self) -> int: ...
    @property
    def attributes(self) -> list[tuple[str, str]]: ...
    def adtool(self) -> str: ...
    def ask(
        self,
        pareto: list[str],
        best: list[str],
        defences: bool,
        budget: float | None,
        stopping: float | None,
        list: int | None,
        time_limit: float | None,
        max_memory: int | None,
    ) -> str: ...

def write_text(text: bytes, what: str, path: str | os.PathLike[str] | None) -> bytes | None: ...
def write_rows(
    kinds: bytes,
    offsets: bytes,
    children: bytes,
    root: int,
    lattice: Lattice,
    values: bytes | list[str],
    names: list[int | str] | None,
    what: str,
    path: str | os.PathLike[str] | None,
) -> bytes | None: ...
def arrays_of_text(text: bytes) -> tuple[bytes, bytes, bytes, int, list[Any]] | None: ...
def hasse(lattice: Any, given: list[Any] | None, most: int) -> tuple[str, str | None]: ...
def graph_picture(nodes: list[tuple[str, str, str | None]], edges: list[tuple[int, int]], hidden: int) -> tuple[str, str | None]: ...
def meant(typed: str, known: list[str]) -> str: ...
def algorithms() -> list[tuple[str, str, str, str]]: ...
def packets(
    text: bytes, algorithm: str, time_limit: float | None, max_visits: int | None, max_memory: int | None
) -> dict[str, Any]: ...
def suit(
    options: str,
    page: bool,
    picture: bool,
    time_limit: float | None,
    max_visits: int | None,
    max_memory: int | None,
) -> tuple[str, str, str | None, str | None]: ...
def hidden_game(
    worlds: list[str],
    weights: list[int],
    most: int,
    names: list[str],
    turns: str,
    moves: list[list[int]],
    possible: list[list[int]],
    points: list[list[int]],
    goal: int | None,
    depths: list[int] | None,
    time_limit: float | None,
    max_visits: int | None,
    max_memory: int | None,
) -> dict[str, Any]: ...
def solve_game(
    game: Any,
    lattice: Any,
    needs: str,
    write: Callable[[Any], Any],
    algorithm: str | None,
    time_limit: float | None,
    max_visits: int | None,
    max_memory: int | None,
    moves: bool,
    progress: Callable[[int, int, str, str], Any] | None,
) -> dict[str, Any]: ...

"""Problems: graphs with all their nodes, and the games of problem files."""

from __future__ import annotations

import hashlib
import json
import math
import os
from array import array
from typing import Any, Hashable, Iterable, Mapping, NamedTuple, Sequence

from . import _meetjoin, drawing, result
from ._json import dumps
from ._meetjoin import MeetjoinError
from .game import Game, solve_game
from .lattice import BuiltIn, Lattice
from .lattice import of as lattice_of
from .progress import Progress, told

_KINDS = {"leaf": 0, "and": 1, "or": 2}


class AlgorithmRow(NamedTuple):
    """A row of the table of algorithms."""

    id: str
    name: str
    needs: str
    source: str


def algorithms() -> list[AlgorithmRow]:
    """The algorithms: id, name, what the lattice must be, source."""
    return [AlgorithmRow(*row) for row in _meetjoin.algorithms()]


class Problem:
    """A graph with values, ready to be searched any number of times. Make one by a ``from_`` method."""

    def __init__(self, core: _meetjoin.Problem, made: tuple[str, tuple[Any, ...]], graph: drawing.Graph | None = None) -> None:
        self._core = core
        self._made = made
        self._graph = graph

    @classmethod
    def from_json(cls, text: str | bytes) -> Problem:
        """The text of a problem file."""
        data = text.encode() if isinstance(text, str) else bytes(text)
        return cls(_meetjoin.Problem.read(data), ("from_json", (data,)))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Problem:
        """A problem file."""
        with open(path, "rb") as file:
            data = file.read()
        try:
            return cls.from_json(data)
        except MeetjoinError as error:
            raise MeetjoinError(f"{os.fspath(path)}: {error}") from None

    @classmethod
    def from_dict(cls, problem: Mapping[str, Any]) -> Problem:
        """A problem file as a dictionary; ``"format"`` may be left out."""
        return cls.from_json(json.dumps({"format": "meetjoin-problem/1", **problem}))

    @classmethod
    def from_gates(
        cls,
        gates: Iterable[tuple[Hashable, str, Sequence[Hashable]]],
        values: Mapping[Any, Any],
        lattice: Lattice | dict[str, Any] | str = "chain",
        root: Hashable | None = None,
    ) -> Problem | PythonProblem:
        """Gates as people write them, ``("TOP", "or", ["E1", "E2"])``, and the values of the leaves; the first gate is the root."""
        gates = list(gates)
        if root is None:
            if not gates:
                raise MeetjoinError("there are no gates; a root that is a leaf is given as root")
            root = gates[0][0]
        rows: dict[Hashable, tuple[str, Sequence[Hashable]]] = {}
        for name, kind, children in gates:
            kind = kind.lower()
            if kind not in ("and", "or"):
                raise MeetjoinError(f"gate {name!r} is of kind {kind!r}; it must be \"and\" or \"or\"")
            if name in rows:
                raise MeetjoinError(f"gate {name!r} is defined twice")
            if name in values:
                raise MeetjoinError(f"{name!r} is a gate and has a value")
            rows[name] = (kind, children)
        lattice = lattice_of(lattice)
        if not isinstance(lattice, BuiltIn):
            return PythonProblem(_Rows(rows, values, root), lattice)
        numbers: dict[Hashable, int] = {}
        names: list[Hashable] = []

        def number(name: Hashable) -> int:
            if name not in numbers:
                numbers[name] = len(names)
                names.append(name)
            return numbers[name]

        number(root)
        kinds, offsets, children_of, leaves = bytearray(), array("q", [0]), array("q"), []
        place = 0
        while place < len(names):
            name = names[place]
            place += 1
            if name in rows:
                kind, children = rows[name]
                if not children:
                    raise MeetjoinError(f"gate {name!r} has no children")
                kinds.append(_KINDS[kind])
                children_of.extend([number(child) for child in children])
            elif name in values:
                kinds.append(0)
                leaves.append(values[name])
            else:
                raise MeetjoinError(f"{name!r} is no gate and has no value")
            offsets.append(len(children_of))
        return cls._of_rows(bytes(kinds), offsets, children_of, 0, lattice, leaves, names)

    @classmethod
    def from_networkx(
        cls,
        graph: Any,
        lattice: Lattice | dict[str, Any] | str = "chain",
        *,
        root: Hashable | None = None,
        kind: str = "kind",
        value: str = "value",
    ) -> Problem:
        """A directed graph of networkx whose edges go from a node to its children. Inner nodes have ``"and"`` or ``"or"`` as attribute ``kind``, leaves a
        ``value``. The root is the only node without a parent, unless it is given."""
        if root is None:
            roots = [node for node, degree in graph.in_degree() if degree == 0]
            if len(roots) != 1:
                raise MeetjoinError(f"{len(roots)} nodes have no parent; say which one is the root")
            root = roots[0]
        if root not in graph:
            raise MeetjoinError(f"the root {root!r} is no node of the graph")
        lattice = _built_in(lattice)
        names = list(graph)
        numbers = {name: place for place, name in enumerate(names)}
        kinds, offsets, children, leaves = bytearray(len(names)), array("q", [0]), array("q"), []
        attributes = graph.nodes
        for place, (name, below) in enumerate(graph.adjacency()):
            if below:
                children.extend([numbers[child] for child in below])
                of = attributes[name].get(kind)
                if of not in ("and", "or"):
                    raise MeetjoinError(f"node {name!r} has children, and its {kind!r} is {of!r}; it must be \"and\" or \"or\"")
                kinds[place] = _KINDS[of]
            else:
                if value not in attributes[name]:
                    raise MeetjoinError(f"node {name!r} has no children and no {value!r}")
                leaves.append(attributes[name][value])
            offsets.append(len(children))
        return cls._of_rows(bytes(kinds), offsets, children, numbers[root], lattice, leaves, names)

    @classmethod
    def from_arrays(
        cls,
        kinds: Any,
        offsets: Any,
        children: Any,
        values: Any,
        lattice: Lattice | dict[str, Any] | str = "chain",
        root: int = 0,
    ) -> Problem:
        """An explicit graph as rows of children (CSR), by NumPy arrays or anything that NumPy reads.

        Args:
            kinds: n numbers: 0 is a leaf, 1 AND, 2 OR.
            offsets: n + 1 numbers; the children of node i are ``children[offsets[i]:offsets[i + 1]]``.
            children: node numbers.
            values: one for each leaf, in the order of the nodes: an array for ``bool``, ``chain`` (64-bit integers, or floats where an end of the chain is a
                float or values are floats) and ``powerset`` of at most 64 worlds (unsigned integers, world i being bit i - 1); a list for other lattices.
            lattice: where the values live.
            root: a node number.
        """
        import numpy

        def words(array: Any, what: str) -> bytes:
            array = numpy.asarray(array)
            if array.ndim != 1 or (array.size and array.dtype.kind not in "iub"):
                raise MeetjoinError(f"{what} must be a list of integers, not an array of shape {array.shape} and type {array.dtype}")
            return numpy.ascontiguousarray(array, dtype=numpy.int64).tobytes()

        lattice = _built_in(lattice)
        if isinstance(values, numpy.ndarray) and values.ndim != 1:
            raise MeetjoinError(f"values must be a list, not an array of shape {values.shape}")
        kind, floats = lattice.spec["type"], False
        data: bytes | list[Any]
        if isinstance(values, numpy.ndarray) and kind == "bool":
            data = numpy.ascontiguousarray(values, dtype=bool).tobytes()
        elif isinstance(values, numpy.ndarray) and kind == "chain" and values.dtype.kind in "iu":
            data = words(values, "values")
        elif isinstance(values, numpy.ndarray) and kind == "chain" and values.dtype.kind == "f":
            data = numpy.ascontiguousarray(values, dtype=numpy.float64).tobytes()
            floats = True
        elif isinstance(values, numpy.ndarray) and kind == "powerset" and lattice.spec["v"] <= 64:
            data = numpy.ascontiguousarray(values, dtype=numpy.uint64).tobytes()
        else:
            data = list(values)
        kinds_array = numpy.asarray(kinds)
        if kinds_array.ndim != 1 or (kinds_array.size and (kinds_array.min() < 0 or kinds_array.max() > 2)):
            raise MeetjoinError("kinds must be a list of 0 (leaf), 1 (AND) and 2 (OR)")
        made = (numpy.ascontiguousarray(kinds_array, dtype=numpy.uint8).tobytes(), words(offsets, "offsets"), words(children, "children"))
        return cls._make(*made, int(root), lattice, data, None, floats)

    @classmethod
    def _of_rows(
        cls, kinds: bytes, offsets: array[int], children: array[int], root: int, lattice: BuiltIn, values: list[Any], names: list[Any]
    ) -> Problem:
        return cls._make(kinds, offsets.tobytes(), children.tobytes(), root, lattice, values, names)

    @classmethod
    def _make(
        cls,
        kinds: bytes,
        offsets: bytes,
        children: bytes,
        root: int,
        lattice: BuiltIn,
        values: bytes | list[Any],
        names: list[Any] | None,
        floats: bool = False,
    ) -> Problem:
        """A graph by its rows. Values are the bytes of an array (of floats, if that is said), or objects."""
        if not isinstance(values, bytes):
            floats = any(isinstance(value, float) and not math.isinf(value) for value in values)
        data = values if isinstance(values, bytes) else lattice.encode_all(values)
        core = _meetjoin.Problem.rows(kinds, offsets, children, root, lattice.holding(floats), data)
        graph = drawing.Graph(kinds, offsets, children, root, names)
        return cls(core, ("_make", (kinds, offsets, children, root, lattice, values, names, floats)), graph)

    def solve(
        self,
        algorithm: str | None = None,
        *,
        lattice: Lattice | dict[str, Any] | str | None = None,
        threads: int = 1,
        time_limit: float | None = None,
        max_visits: int | None = None,
        max_memory: int | None = None,
        moves: bool = False,
        count_nodes: bool = False,
        progress: Progress = None,
    ) -> result.Answer:
        """The value of the root.

        Args:
            lattice: another lattice for the same graph and the same leaf values, which must be elements of it too.
            threads: how many threads search together. The value is the same with any number; counters are only with one. Not every algorithm can.
            algorithm: an id of ``algorithms()``; the best for the lattice by default.
            time_limit: seconds.
            max_visits: the most visits.
            max_memory: the most bytes that this module holds.
            moves: whether each child of the root is solved too.
            count_nodes: whether distinct nodes are counted, where that costs little.
            progress: a callback, or ``True`` for a bar.

        Returns:
            The value, or bounds of it if a limit or Ctrl-C has stopped the search.

        Raises:
            MeetjoinError: if the algorithm needs more than the lattice has.
        """
        if threads < 1:
            raise MeetjoinError(f"threads is {threads}, and a search takes at least one")
        if lattice is not None:
            return self.over(lattice).solve(
                algorithm,
                threads=threads,
                time_limit=time_limit,
                max_visits=max_visits,
                max_memory=max_memory,
                moves=moves,
                count_nodes=count_nodes,
                progress=progress,
            )
        with told(progress) as show:
            found = self._core.solve(algorithm, threads, time_limit, max_visits, max_memory, moves, count_nodes, show)
        return self._named(result.answer(found))

    def prove(
        self,
        at_least: Any,
        algorithm: str = "df-pn",
        *,
        time_limit: float | None = None,
        max_visits: int | None = None,
        max_memory: int | None = None,
        proof: str | None = None,
        progress: Progress = None,
    ) -> result.Proof:
        """Whether the root is worth at least a join-prime: a number, a world ``{3}``, a set among families. ``proof`` asks for it as ``"json"`` or ``"dot"``."""
        with told(progress) as show:
            found = self._core.prove(dumps(at_least), algorithm, time_limit, max_visits, max_memory, proof, show)
        return result.proof(found)

    def heaviest(
        self,
        top: int | None = None,
        weights: Sequence[int] | None = None,
        *,
        strategy: bool = False,
        time_limit: float | None = None,
        max_visits: int | None = None,
        max_memory: int | None = None,
    ) -> result.Heaviest:
        """The heaviest sets of a value in families of sets; each world weighs 1 unless ``weights`` has one for each. ``strategy`` asks for one that
        wins the first of them."""
        weights = None if weights is None else list(weights)
        return result.heaviest(self._core.heaviest(top, weights, strategy, time_limit, max_visits, max_memory))

    def strategy(
        self,
        of: Any = None,
        *,
        player: str = "MAX",
        time_limit: float | None = None,
        max_visits: int | None = None,
        max_memory: int | None = None,
    ) -> result.Strategy:
        """How ``player`` makes sure of ``of``: for MAX a join-prime below the value (a number, a set of one world, a family of one set), for MIN a meet-prime above
        it; without ``of``, of one that the value has. The plan is played out against every reply before you get it."""
        if player not in ("MAX", "MIN"):
            raise ValueError("player is 'MAX' or 'MIN'")
        of = None if of is None else dumps(of)
        found, text = self._core.strategy(of, player == "MIN", time_limit, max_visits, max_memory)
        return result.strategy(json.loads(found), text)

    def certificate(
        self,
        *,
        stated: bool = True,
        time_limit: float | None = None,
        max_visits: int | None = None,
        max_memory: int | None = None,
    ) -> str:
        """Why the value is what it is, as the text of a file for ``verify`` here and ``meetjoin verify``. ``stated=False`` makes no use of bounds that the problem
        states."""
        return self._core.certificate(self._digest(), stated, time_limit, max_visits, max_memory)

    def verify(
        self,
        certificate: str,
        *,
        time_limit: float | None = None,
        max_visits: int | None = None,
        max_memory: int | None = None,
    ) -> dict[str, Any]:
        """What a certificate shows, as ``meetjoin verify --json`` has it; it is checked without any search, and a wrong one is an error that says where."""
        shown = self._core.verify(self._digest(), certificate, time_limit, max_visits, max_memory)
        found: dict[str, Any] = json.loads(shown)
        return found

    def trace(
        self,
        *algorithms: str,
        title: str = "a search",
        time_limit: float | None = None,
        max_visits: int | None = None,
        max_memory: int | None = None,
    ) -> str:
        """An HTML page that shows one search, or two side by side, step by step: write it to a file and open it."""
        if not 1 <= len(algorithms) <= 2:
            raise ValueError("name one algorithm, or two")
        return self._core.trace(title, list(algorithms), time_limit, max_visits, max_memory)

    def _digest(self) -> str:
        method, arguments = self._made
        if method == "from_json":
            return _meetjoin.digest(arguments[0])
        if self._graph is None:
            return hashlib.sha256(repr(arguments).encode()).hexdigest()
        graph = self._graph
        parts = (graph.kinds, graph.offsets, graph.children, repr(arguments[3:]).encode())
        return hashlib.sha256(b"".join(bytes(part) for part in parts)).hexdigest()

    def over(self, lattice: Lattice | dict[str, Any] | str) -> Problem:
        """The same graph and leaf values over another lattice."""
        lattice = _built_in(lattice)
        method, arguments = self._made
        if method == "_make":
            kinds, offsets, children, root, _, values, names, floats = arguments
            return Problem._make(kinds, offsets, children, root, lattice, values, names, floats)
        return Problem.from_dict({**json.loads(arguments[0]), "lattice": lattice.spec})

    def to_arrays(self) -> tuple[Any, Any, Any, int]:
        """Kinds, offsets, children and the root as NumPy arrays, in the form of ``from_arrays``, where the graph was given by rows, gates or networkx."""
        import numpy

        if self._graph is None:
            raise MeetjoinError("a problem from a file keeps no arrays")
        graph = self._graph
        kinds = numpy.frombuffer(graph.kinds, dtype=numpy.uint8)
        offsets, children = (numpy.frombuffer(data, dtype=numpy.int64) for data in (graph.offsets, graph.children))
        return kinds, offsets, children, graph.root

    def _named(self, answer: result.Answer) -> result.Answer:
        names = None if self._graph is None else self._graph.names
        if names is None or answer.moves is None:
            return answer
        moves = tuple(result.Move(**{**vars(move), "child": names[move.child]}) for move in answer.moves)
        return result.Answer(**{**vars(answer), "moves": moves})

    @property
    def size(self) -> tuple[int, int, int] | None:
        """Nodes, edges and leaves, where the graph is listed."""
        return self._core.size

    def __repr__(self) -> str:
        if self.size is None:
            return "Problem(a game)"
        nodes, edges, leaves = self.size
        return f"Problem({nodes} nodes, {edges} edges, {leaves} leaves)"

    def _repr_svg_(self) -> str | None:
        return None if self._graph is None else self._graph.svg()

    def __reduce__(self) -> tuple[Any, ...]:
        method, arguments = self._made
        return (getattr(Problem, method), arguments)


class PythonProblem:
    """A graph with all its nodes over a lattice written in Python."""

    def __init__(self, rows: _Rows, lattice: Lattice) -> None:
        self._rows = rows
        self.lattice = lattice

    def solve(self, algorithm: str | None = None, **limits: Any) -> result.Answer:
        """As ``solve_game``."""
        return solve_game(self._rows, self.lattice, algorithm, **limits)

    def __repr__(self) -> str:
        return f"PythonProblem({len(self._rows.rows)} gates over {self.lattice!r})"


class _Rows(Game):
    """Gates as a game."""

    def __init__(self, rows: Mapping[Hashable, tuple[str, Sequence[Hashable]]], values: Mapping[Any, Any], root: Hashable) -> None:
        self.rows, self.values, self._root = dict(rows), dict(values), root

    def root(self) -> Hashable:
        return self._root

    def kind(self, node: Any) -> str:
        if node in self.rows:
            return self.rows[node][0]
        if node in self.values:
            return "leaf"
        raise MeetjoinError(f"{node!r} is no gate and has no value")

    def children(self, node: Any) -> Sequence[Hashable]:
        return self.rows[node][1]

    def leaf(self, node: Any) -> Any:
        return self.values[node]


def _built_in(lattice: Lattice | dict[str, Any] | str) -> BuiltIn:
    lattice = lattice_of(lattice)
    if isinstance(lattice, BuiltIn):
        return lattice
    raise MeetjoinError("over a lattice written in Python a graph is given by from_gates, or as a game")


def racing(deck: int, goal: int, hand: Sequence[int], lead: int, families: bool = False) -> Problem:
    """A deal of racing, the card game with hidden hands of Li et al. (2022): cards 1 to ``deck``, your ``hand``, the tricks that you need, the card that is led.

    Values are sets of MIN's hands that can be beaten, or families of those that one strategy beats.
    """
    return Problem.from_dict(
        {"game": "racing", "deck": deck, "goal": goal, "hand": list(hand), "lead": lead, "lattice": {"type": "families" if families else "powerset"}}
    )


def random(
    depth: int, branching: int, variables: int, seed: int, *, alternating: bool = False, families: bool = False
) -> Problem:
    """A random layered graph of Li et al. (2022)."""
    return Problem.from_dict(
        {
            "game": "random",
            "depth": depth,
            "branching": branching,
            "variables": variables,
            "alternating": alternating,
            "seed": seed,
            "lattice": {"type": "families" if families else "powerset"},
        }
    )

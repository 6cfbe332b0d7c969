"""Problems: graphs with all their nodes, and the games of problem files."""

from __future__ import annotations

import itertools
import json
import math
import os
import re
from array import array
from dataclasses import replace
from typing import Any, Hashable, Iterable, Mapping, NamedTuple, Sequence

from . import _meetjoin, drawing, result
from ._checked import MOST, encoded, integer, whole, whole_if
from ._json import dumps, problem_text
from ._meetjoin import MeetjoinError
from .fault_tree import CutSets, FaultTree, gates_of
from .game import GameLike, walk
from .lattice import BuiltIn, Lattice, LatticeLike
from .lattice import of as lattice_of
from .progress import Progress, told
from .python_problem import PythonProblem, Rows, undefined

_KINDS = {"leaf": 0, "and": 1, "or": 2}

Made = tuple[str, tuple[Any, ...]]
"""A method of ``Problem`` and its arguments, from which a problem can be made again."""


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
    """A graph with values, ready to be searched any number of times. Make one by a ``from_``
    method."""

    def __init__(self, core: _meetjoin.Problem, made: Made, names: list[Any] | None = None) -> None:
        self._core: _meetjoin.Problem = core
        self._made: Made = made
        self._names: list[Any] | None = names
        self._by_names: _meetjoin.Problem | None = None

    @classmethod
    def from_json(cls, text: str | bytes) -> Problem:
        """The text of a problem file, or the bytes of one of either kind."""
        data = encoded(text)
        return cls(_meetjoin.Problem.read(data), ("from_json", (data,)))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, trust: bool = False) -> Problem:
        """A problem file, JSON or binary (``.mj``), told apart by its content.

        A binary file is mapped into memory and used in place, so it must not change as long as the
        problem is in use. It is validated first, unless ``trust`` is true, which makes opening
        instant for files of any size. If a trusted file is corrupt, answers may be wrong, but
        nothing worse happens.
        """
        with open(path, "rb") as file:
            first = file.read(len(_meetjoin.MAGIC))
            data = first if first == _meetjoin.MAGIC else first + file.read()
        try:
            if first == _meetjoin.MAGIC:
                return cls(_meetjoin.Problem.open(path, trust), ("from_file", (os.fspath(path),)))
            return cls.from_json(data)
        except MeetjoinError as error:
            raise MeetjoinError(f"{os.fspath(path)}: {error}") from None

    @classmethod
    def from_dict(cls, problem: Mapping[str, Any]) -> Problem:
        """A problem file as a dictionary; ``"format"`` may be left out."""
        return cls.from_json(problem_text(problem))

    @classmethod
    def from_open_psa(cls, path: str | os.PathLike[str], top: str | None = None) -> Problem:
        """A fault tree as a problem over functions of its events (``Monotone``): the value of the
        root is the minimal cut sets of the top, events numbered in the order in which a walk meets
        them. The file is Open-PSA XML, or has one gate a line. ``cuts`` knows names and
        probabilities."""
        with open(path, "rb") as file:
            text = file.read()
        try:
            return cls._of_tree(text, top)
        except MeetjoinError as error:
            raise MeetjoinError(f"{os.fspath(path)}: {error}") from None

    @classmethod
    def _of_tree(cls, text: str | bytes, top: str | None) -> Problem:
        data = _meetjoin.FaultTree([encoded(text)], top).problem()
        return cls(_meetjoin.Problem.read(data), ("_of_tree", (text, top)))

    @classmethod
    def from_gates(
        cls,
        gates: Iterable[tuple[Hashable, str, Sequence[Hashable]]],
        values: Mapping[Any, Any],
        lattice: LatticeLike | dict[str, Any] | str = "chain",
        root: Hashable | None = None,
    ) -> Problem | PythonProblem:
        """Gates as tuples, ``("TOP", "or", ["E1", "E2"])``, and the values of the leaves; the first
        gate is the root."""
        rows: dict[Hashable, tuple[str, Sequence[Hashable]]] = {}
        for name, kind, children in gates_of(gates):
            kind = kind.lower() if isinstance(kind, str) else kind
            if kind not in ("and", "or"):
                raise MeetjoinError(f"gate {name!r} is of kind {kind!r}; it must be \"and\" or \"or\"")
            if name in rows:
                raise MeetjoinError(f"gate {name!r} is defined twice")
            if name in values:
                raise MeetjoinError(f"{name!r} is a gate and has a value")
            rows[name] = (kind, children)
        if root is None:
            if not rows:
                raise MeetjoinError("there are no gates; a root that is a leaf is given as root")
            root = next(iter(rows))
        lattice = lattice_of(lattice)
        if not isinstance(lattice, BuiltIn):
            return PythonProblem(Rows(rows, values, root), lattice)
        numbers: dict[Hashable, int] = {}
        names: list[Hashable] = []

        def number(name: Hashable) -> int:
            if name not in numbers:
                numbers[name] = len(names)
                names.append(name)
            return numbers[name]

        number(root)
        kinds, offsets, children_of = bytearray(), array("q", [0]), array("q")
        leaves: list[Any] = []
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
                raise undefined(name, rows, values)
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
        """A directed graph of networkx whose edges go from a node to its children. Inner nodes have
        ``"and"`` or ``"or"`` as attribute ``kind``, leaves a ``value``. The root is the only node
        without a parent, unless it is given."""
        if not callable(getattr(graph, "in_degree", None)):
            raise MeetjoinError(f"a graph of type {type(graph).__name__} is no directed graph of networkx")
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
        kinds, offsets, children = bytearray(len(names)), array("q", [0]), array("q")
        leaves: list[Any] = []
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
    def from_game(
        cls,
        game: GameLike,
        lattice: Lattice | dict[str, Any] | str = "chain",
        *,
        most: int = 1_000_000,
    ) -> Problem:
        """A game written in Python with all its nodes, at most ``most``. Its methods are called
        once for each node; afterwards the problem is an explicit graph, with threads, proofs,
        strategies and certificates, and it can be saved."""
        lattice = _built_in(lattice)
        kinds, offsets, children = bytearray(), array("q", [0]), array("q")
        names: list[Any] = []
        leaves: list[Any] = []
        for node, kind, row, value in walk(game, whole(most, "most", 1, MOST)):
            names.append(node)
            kinds.append(_KINDS[kind])
            children.extend(row)
            offsets.append(len(children))
            if kind == "leaf":
                leaves.append(value)
        return cls._of_rows(bytes(kinds), offsets, children, 0, lattice, leaves, names)

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
        """An explicit graph as rows of children (CSR), by NumPy arrays or anything that NumPy
        reads.

        Args:
            kinds: n numbers: 0 is a leaf, 1 AND, 2 OR.
            offsets: n + 1 numbers; the children of node i are
                ``children[offsets[i]:offsets[i + 1]]``.
            children: node numbers.
            values: one for each leaf, in the order of the nodes: an array for ``bool``, ``chain``
                (64-bit integers, or floats where an end of the chain is a float or values are
                floats) and ``powerset`` of at most 64 worlds (unsigned integers, world i being bit
                i - 1); a list for other lattices.
            lattice: the lattice of the values.
            root: a node number.
        """
        import numpy

        def words(array: Any, what: str) -> bytes:
            array = numpy.asarray(array)
            if array.ndim != 1 or (array.size and array.dtype.kind not in "iub"):
                raise MeetjoinError(f"{what} must be a list of integers, not an array of shape {array.shape} and type {array.dtype}")
            if array.size and array.max() > 2**63 - 1:
                raise MeetjoinError(f"{what} has {array.max()}, and 64-bit integers go up to {2**63 - 1}")
            return numpy.ascontiguousarray(array, dtype=numpy.int64).tobytes()

        lattice = _built_in(lattice)
        kind, floats = lattice.spec["type"], False

        def packed(array: numpy.ndarray[Any, Any]) -> bytes | list[Any]:
            """The bytes of an array whose numbers are the values themselves; numbers outside the
            lattice are refused as in a list."""
            if array.ndim != 1:
                raise MeetjoinError(f"values must be a list, not an array of shape {array.shape}")
            of = array.dtype.kind
            if kind == "bool" and of == "b":
                return numpy.ascontiguousarray(array, dtype=bool).tobytes()
            if kind == "chain" and of in "iu" and not lattice.is_of_decimals:
                return words(array, "values")
            if kind == "chain" and of == "f":
                return numpy.ascontiguousarray(array, dtype=numpy.float64).tobytes()
            if kind == "powerset" and lattice.spec["v"] <= 64 and of in "iu":
                if array.size and array.min() < 0:
                    raise MeetjoinError(f"values has {array.min()}; a set of worlds is an unsigned integer, world i being bit i - 1")
                return numpy.ascontiguousarray(array, dtype=numpy.uint64).tobytes()
            return list(array.tolist())

        data: bytes | list[Any]
        if hasattr(values, "dtype"):
            array = numpy.asarray(values)
            data, floats = packed(array), kind == "chain" and array.dtype.kind == "f"
        else:
            data = list(values)
        kinds_array = numpy.asarray(kinds)
        are_numbers = kinds_array.size == 0 or kinds_array.dtype.kind in "iub"
        if kinds_array.ndim != 1 or not are_numbers or (kinds_array.size and (kinds_array.min() < 0 or kinds_array.max() > 2)):
            raise MeetjoinError("kinds must be a list of 0 (leaf), 1 (AND) and 2 (OR)")
        made = (numpy.ascontiguousarray(kinds_array, dtype=numpy.uint8).tobytes(), words(offsets, "offsets"), words(children, "children"))
        return cls._make(*made, whole(root, "root", 0, MOST), lattice, data, None, floats)

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
        """A graph by its rows. Values are the bytes of an array (of floats, if ``floats``), or
        objects."""
        if not isinstance(values, bytes):
            floats = any(isinstance(value, float) and not math.isinf(value) for value in values)

        def name(place: int) -> str:
            """The leaf at a place among the leaves."""
            nodes = (node for node, kind in enumerate(kinds) if kind == 0)
            return f"node {next(itertools.islice(nodes, place, None), place)}"

        try:
            data = values if isinstance(values, bytes) else lattice.encode_all(values, name)
            core = _meetjoin.Problem.rows(kinds, offsets, children, root, lattice.holding(floats), data)
        except MeetjoinError as error:
            raise MeetjoinError(_with_names(str(error), names)) from None
        return cls(core, ("_make", (kinds, offsets, children, root, lattice, values, names, floats)), names)

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
            lattice: another lattice for the same graph and the same leaf values, which must be
                elements of it too.
            threads: how many threads search together, 1,024 at most. The value does not depend on
                it, but counters are reproducible only with one. Not every algorithm supports
                threads.
            algorithm: an id of ``algorithms()``; the best for the lattice by default.
            time_limit: seconds.
            max_visits: the most visits.
            max_memory: the most bytes that this module holds; caches forget entries to stay within
                it, and if that is not enough the search stops.
            moves: whether each child of the root is solved too.
            count_nodes: whether distinct nodes are counted, where that costs little.
            progress: a callback, or ``True`` for a bar.

        Returns:
            The value, or bounds of it if a limit or Ctrl-C has stopped the search.

        Raises:
            MeetjoinError: if the algorithm needs more than the lattice has.
        """
        threads = integer(threads, "threads")
        if not 1 <= threads <= _meetjoin.MOST_THREADS:
            raise MeetjoinError(f"threads is {threads}, and a search takes from 1 to {_meetjoin.MOST_THREADS}")
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
        """Whether the value of the root is at least a join-prime: a number, a world ``{3}``, a set
        among families. ``proof`` asks for a proof as ``"json"`` or ``"dot"``."""
        with told(progress) as show:
            core = self._core if proof is None else self._with_names()
            found = core.prove(dumps(at_least), algorithm, time_limit, max_visits, max_memory, proof, show)
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
        """The heaviest sets of a value in families of sets; each world weighs 1 unless ``weights``
        has one for each. ``strategy`` asks for one that wins the first of them."""
        top = whole_if(top, "top", 0, MOST)
        if weights is not None:
            weights = [whole(weight, f"the weight of world {world}", 0, 2**64 - 1) for world, weight in enumerate(weights, 1)]
        return result.heaviest((self._with_names() if strategy else self._core).heaviest(top, weights, strategy, time_limit, max_visits, max_memory))

    def strategy(
        self,
        of: Any = None,
        *,
        player: str = "MAX",
        time_limit: float | None = None,
        max_visits: int | None = None,
        max_memory: int | None = None,
    ) -> result.Strategy:
        """A strategy by which ``player`` guarantees ``of``: for MAX a join-prime below the value (a
        number, a set of one world, a family of one set), for MIN a meet-prime above it; by default
        one of these. The strategy has been played out against every reply before it is returned."""
        if player not in ("MAX", "MIN"):
            raise MeetjoinError(f"player is {player!r:.60}; it must be 'MAX' or 'MIN'")
        of = None if of is None else dumps(of)
        found, text = self._with_names().strategy(of, player == "MIN", time_limit, max_visits, max_memory)
        return result.strategy(json.loads(found), text)

    def certificate(
        self,
        *,
        stated: bool = True,
        time_limit: float | None = None,
        max_visits: int | None = None,
        max_memory: int | None = None,
    ) -> str:
        """A certificate of the value, as the text of a file for ``verify`` here and
        ``meetjoin verify``. ``stated=False`` makes no use of bounds that the problem states."""
        return self._core.certificate(self._digest(), stated, time_limit, max_visits, max_memory)

    def verify(
        self,
        certificate: str,
        *,
        time_limit: float | None = None,
        max_visits: int | None = None,
        max_memory: int | None = None,
    ) -> dict[str, Any]:
        """What a certificate shows, as ``meetjoin verify --json`` has it; it is checked without any
        search, and a wrong one is an error that says where."""
        shown = self._core.verify(certificate, time_limit, max_visits, max_memory)
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
        """An HTML page that shows one search, or two side by side, step by step: write it to a file
        and open it."""
        if not 1 <= len(algorithms) <= 2:
            raise MeetjoinError(f"{len(algorithms)} algorithms are named, and a page shows one search, or two side by side")
        return self._with_names().trace(title, list(algorithms), time_limit, max_visits, max_memory)

    def cuts(self, sets: str = "cuts", **options: Any) -> CutSets:
        """The minimal sets of events that make the root happen: as ``FaultTree.cuts``, with the
        same options. Leaves are events, named as the nodes are, unless the problem came from a
        fault tree."""
        method, arguments = self._made
        if method == "_of_tree":
            return FaultTree(*arguments).cuts(sets, **options)
        names: dict[str, Any] = {}
        # Over functions of events, events have numbers and names of their own, unrelated to nodes.
        if self._names is not None and arguments[4].spec["type"] != "monotone":
            names = {str(written): name for written, name in zip(_file_names(self._names) or (), self._names)}
        # If two names are equal as text, events are called by their text.
        tree = FaultTree(self.to_json(), None, names if len(names) == len(self._names or ()) and names else None)
        return tree.cuts(sets, **options)

    def _with_names(self) -> _meetjoin.Problem:
        """The problem with the names of nodes in files, for answers that name nodes. Searches only
        need places in an array."""
        if self._names is None:
            return self._core
        if self._by_names is None:
            self._by_names = _meetjoin.Problem.read(self._written("json") or b"")
        return self._by_names

    def _digest(self) -> str:
        return (self._written("digest") or b"").decode()

    def _text(self) -> bytes | None:
        """The text of the problem file, if it is in memory."""
        method, arguments = self._made
        if method == "_of_tree":
            text, top = arguments
            return _meetjoin.FaultTree([encoded(text)], top).problem()
        return arguments[0] if method == "from_json" else None

    def _written(self, what: str, path: str | os.PathLike[str] | None = None) -> bytes | None:
        """Writes the problem to ``path``, or returns it: ``"json"``, ``"mj"``, or its
        ``"digest"``."""
        text = self._text()
        if text is not None:
            return _meetjoin.write_text(text, what, path)
        method, arguments = self._made
        if method == "from_file":
            return self._core.write(what, path)
        kinds, offsets, children, root, lattice, values, names, floats = arguments
        data = values if isinstance(values, bytes) else lattice.encode_all(values)
        return _meetjoin.write_rows(kinds, offsets, children, root, lattice.holding(floats), data, _file_names(names), what, path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a problem file: a binary one if the name ends with ``.mj``, otherwise JSON. A game
        is written with all its nodes. Names of nodes that are neither integers nor text are written
        as Python shows them. An existing file is replaced when the new one is complete."""
        self._written("mj" if os.fspath(path).endswith(".mj") else "json", path)

    to_file = save

    def to_json(self) -> str:
        """The text of a problem file, with all nodes."""
        return (self._written("json") or b"").decode()

    def to_bytes(self) -> bytes:
        """The bytes of a binary problem file. ``from_json`` reads them."""
        return self._written("mj") or b""

    def over(self, lattice: Lattice | dict[str, Any] | str) -> Problem:
        """The same graph and leaf values over another lattice."""
        lattice = _built_in(lattice)
        method, arguments = self._made
        if method == "_make":
            kinds, offsets, children, root, own, values, names, floats = arguments
            # The bytes of an array are values of its lattice, and may mean something else in
            # another.
            is_same = own.spec["type"] == lattice.spec["type"] and (floats or not lattice.is_of_decimals) and lattice.spec.get("v", 0) <= 64
            if isinstance(values, bytes) and not is_same:
                values = self._listed()
            return Problem._make(kinds, offsets, children, root, lattice, values, names, floats)
        text = self._text()
        if text is None or text.startswith(_meetjoin.MAGIC):
            text = self._written("json") or b""
        described: dict[str, Any] = {**json.loads(text), "lattice": lattice.spec}
        if len(described.get("worlds") or ()) != lattice.spec.get("v"):
            described.pop("worlds", None)
        known = described.pop("probabilities", None)
        if known is not None and lattice.spec["type"] == "monotone":
            # Probabilities of new events are unknown; a leaf with an event that is gone is refused.
            more = int(lattice.spec["v"]) - len(known)
            described["probabilities"] = (known + [None] * more)[: int(lattice.spec["v"])]
        return Problem.from_dict(described)

    def to_arrays(self) -> tuple[Any, Any, Any, int]:
        """Kinds, offsets, children and the root as NumPy arrays, in the form of ``from_arrays``. No
        copy is made where the graph was given by rows, gates, a game or networkx."""
        import numpy

        kinds, offsets, children, root, _ = self._arrays()
        return numpy.frombuffer(kinds, dtype=numpy.uint8), numpy.frombuffer(offsets, dtype=numpy.int64), numpy.frombuffer(children, dtype=numpy.int64), root

    def leaf_values(self) -> Any:
        """The value of each leaf, in the order of the nodes: a NumPy array where they are truth
        values or numbers, otherwise a list."""
        import numpy

        values = self._arrays()[4]
        if not isinstance(values, bytes):
            plain = all(isinstance(value, (bool, int, float)) for value in values)
            return numpy.asarray(values) if plain else values
        lattice, floats = self._made[1][4], self._made[1][7]
        numbers = numpy.float64 if floats else numpy.int64
        return numpy.frombuffer(values, dtype={"bool": numpy.bool_, "powerset": numpy.uint64}.get(lattice.spec["type"], numbers))

    def _listed(self) -> list[Any]:
        """The values of an array as a list."""
        values: list[Any] = self.leaf_values().tolist()
        if self._made[1][4].spec["type"] != "powerset":
            return values
        return [frozenset(world + 1 for world in range(64) if bits >> world & 1) for bits in values]

    def _arrays(self) -> tuple[bytes, bytes, bytes, int, Any]:
        method, arguments = self._made
        if method == "_make":
            kinds, offsets, children, root, _, values, _, _ = arguments
            return kinds, offsets, children, root, values
        text = self._text()
        arrays = self._core.arrays() if text is None else _meetjoin.arrays_of_text(text)
        if arrays is None:
            raise MeetjoinError("a game has no arrays; save writes it with all its nodes")
        return arrays

    def _named(self, answer: result.Answer) -> result.Answer:
        names = self._names
        if names is None or answer.moves is None:
            return answer
        return replace(answer, moves=tuple(replace(move, child=names[move.child]) for move in answer.moves))

    @property
    def size(self) -> tuple[int, int, int] | None:
        """Nodes, edges and leaves, where the graph is listed."""
        return self._core.size

    def __repr__(self) -> str:
        if self.size is None:
            return "<Problem of a game>"
        nodes, edges, leaves = self.size
        return f"<Problem of {nodes} nodes, {edges} edges, {leaves} leaves>"

    def drawing(self, most: int = drawing.MOST_NODES) -> drawing.Drawing:
        """The graph in layers, children below their parents; of a large one the first nodes that a
        breadth-first walk meets."""
        nodes, edges, hidden = self._core.drawn(whole(most, "most", 0, MOST))
        if self._names is not None:
            nodes = [(kind, str(self._names[int(name)]), value) for kind, name, value in nodes]
        return drawing.Drawing(*_meetjoin.graph_picture(nodes, edges, hidden))

    def _repr_svg_(self) -> str:
        return self.drawing().svg

    def __reduce__(self) -> tuple[Any, ...]:
        method, arguments = self._made
        if method == "from_file":
            method, arguments = "from_json", (self.to_bytes(),)
        return (getattr(Problem, method), arguments)


def _file_names(names: list[Any] | None) -> list[int | str] | None:
    """Names as files have them."""
    if names is None:
        return None
    is_name = [type(name) is str or (type(name) is int and -(2**63) <= name < 2**63) for name in names]
    written = [name if fits else repr(name) for name, fits in zip(names, is_name)]
    if len(set(written)) < len(written):
        raise MeetjoinError("two nodes have the same name in a file, where names that are no integers or text are what repr shows")
    return written


def _with_names(sentence: str, names: list[Any] | None) -> str:
    """An error about a node or a cycle with the names of nodes in place of their numbers, if they
    have names."""
    if names is None:
        return sentence
    known = names

    def named(text: str) -> str:
        return re.sub(r"\b\d+\b", lambda number: f"{known[int(number[0])]!r}", text)

    node = re.match(r"node \d+(?=: )", sentence)
    if node is not None:
        return named(node[0]) + sentence[node.end() :]
    says, cycle, path = sentence.partition("cycle: ")
    return says + cycle + named(path)


def _built_in(lattice: Lattice | dict[str, Any] | str) -> BuiltIn:
    lattice = lattice_of(lattice)
    if isinstance(lattice, BuiltIn):
        return lattice
    raise MeetjoinError("over a lattice written in Python a graph is given by from_gates, or as a game")


def racing(deck: int, goal: int, hand: Sequence[int], lead: int, families: bool = False) -> Problem:
    """A deal of racing, the card game with hidden hands of Li et al. (2022): cards 1 to ``deck``,
    your ``hand``, the tricks that you need, the card that is led.

    Values are sets of MIN's hands that MAX can beat, or families of the sets that one strategy
    beats.
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

"""Exact answers for AND-OR graphs whose values come from a lattice: AND is meet, OR is join.

>>> import meetjoin
>>> problem = meetjoin.Problem.from_gates([("top", "or", ["a", "b"])], {"a": 3, "b": 7})
>>> problem.solve().value
7
"""

import atexit as _atexit

from ._meetjoin import MeetjoinError, __version__, closing as _closing
from .attack_tree import Attack, AttackAnswer, AttackTree, Defences, Defended, Front
from .drawing import Drawing
from .fault_tree import CutSets, EventSequence, FaultTree, Importance, Phase, Uncertainty
from .game import Game, GameLike, solve_game
from .hidden import HiddenAnswer, HiddenGame, HiddenMove
from .lattice import (
    Bool,
    Chain,
    Divisors,
    Dual,
    Families,
    Free,
    Lattice,
    LatticeLike,
    LawError,
    Monotone,
    Powerset,
    Product,
    Table,
    check_laws,
)
from .bridge import SuitAnswer, suit
from .packets import Packets, packets
from .problem import AlgorithmRow, Problem, algorithms, racing, random
from .result import Answer, Heaviest, Move, Proof, Stats, Strategy

# Searches of other threads must have ended when the interpreter does.
_atexit.register(_closing)

__all__ = [
    "AlgorithmRow",
    "Answer",
    "Attack",
    "AttackAnswer",
    "AttackTree",
    "Bool",
    "Chain",
    "CutSets",
    "Defences",
    "Defended",
    "Divisors",
    "Drawing",
    "Dual",
    "EventSequence",
    "Families",
    "FaultTree",
    "Free",
    "Front",
    "Game",
    "GameLike",
    "Heaviest",
    "HiddenAnswer",
    "HiddenGame",
    "HiddenMove",
    "Importance",
    "Lattice",
    "LatticeLike",
    "LawError",
    "MeetjoinError",
    "Monotone",
    "Move",
    "Packets",
    "Phase",
    "Powerset",
    "Problem",
    "Product",
    "Proof",
    "Stats",
    "Strategy",
    "SuitAnswer",
    "Table",
    "Uncertainty",
    "__version__",
    "algorithms",
    "check_laws",
    "packets",
    "racing",
    "random",
    "solve_game",
    "suit",
]

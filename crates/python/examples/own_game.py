"""Nim, described by its rules, under several algorithms: take 1 to 3 matches from one heap; whoever takes the last match wins."""

from collections.abc import Iterator

import meetjoin

Position = tuple[tuple[int, ...], str]


class Nim(meetjoin.Game):
    def __init__(self, *heaps: int) -> None:
        self.heaps = tuple(sorted(heaps))

    def root(self) -> Position:
        return (self.heaps, "or")

    def kind(self, node: Position) -> str:
        heaps, turn = node
        return turn if any(heaps) else "leaf"

    def children(self, node: Position) -> Iterator[Position]:
        heaps, turn = node
        other = "and" if turn == "or" else "or"
        for place, heap in enumerate(heaps):
            for taken in range(1, min(3, heap) + 1):
                left = heaps[:place] + (heap - taken,) + heaps[place + 1 :]
                yield (tuple(sorted(left)), other)

    def leaf(self, node: Position) -> bool:
        return node[1] == "and"  # whoever finds no match to take has lost


game = Nim(3, 4, 5)
for algorithm in ["minimax-cached", "alpha-beta-cached", "alpha-beta-duo", "nega-scout-cached"]:
    answer = meetjoin.solve_game(game, meetjoin.Bool(), algorithm)
    print(f"{algorithm:20} {answer.value!s:6} {answer.stats.visits:5} visits")

answer = meetjoin.solve_game(game, meetjoin.Bool(), moves=True)
assert answer.moves is not None
for move in answer.moves:
    heaps, _ = move.child
    print("leave", heaps, "and win" if move.value else "and lose")
assert answer.value == any(move.value for move in answer.moves)

"""Racing, a card game with hidden hands: which hands of MIN can be beaten, and which of them by one strategy?"""

import meetjoin


def deal(families: bool) -> meetjoin.Problem:
    return meetjoin.racing(deck=10, goal=2, hand=[3, 6, 9], lead=7, families=families)


sets = deal(families=False).solve(moves=True)
print(f"If MAX could see MIN's hand, {len(sets.value)} hands could be beaten. By first card:")
assert sets.moves is not None
for move in sets.moves:
    print(f"  {move.child}: {len(move.value)}")

problem = deal(families=True)
families = problem.solve()
print(f"Without seeing it MAX chooses among {len(families.value)} sets of hands, each beaten by one strategy.")
best = problem.heaviest()
weight, hands = best.sets[0]
print(f"The best strategy beats {weight} of {best.total} hands, such as {sorted(hands)[:3]}.")
assert weight == max(map(len, families.value)) and frozenset().union(*families.value) == sets.value

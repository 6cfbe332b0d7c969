"""A fault tree from a file to the importance of its events: a tank that overflows."""

import tempfile
from pathlib import Path

import meetjoin

TREE = """\
overflow  = and inflow alarm-off
inflow    = or valve controller
alarm-off = 2 of sensor-1 sensor-2 power
valve      = 0.01
controller = 0.02
sensor-1   = 0.05
sensor-2   = 0.05
power      = 0.001
"""

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "tank.txt"
    path.write_text(TREE)
    tree = meetjoin.FaultTree.from_file(path)

found = tree.cuts(most_probable=3, importance=True)
print(f"{tree}: {found.count} minimal cut sets, by order {found.by_order}; P(overflow) = {found.probability:.3e}")
assert found.sets is not None and found.set_probabilities is not None and found.importance is not None
for events, probability in zip(found.sets, found.set_probabilities):
    print(f"  {probability:.2e}  {' and '.join(sorted(events))}")
print("What would it help to make an event impossible?")
for row in sorted(found.importance, key=lambda row: -row.risk_reduction):
    print(f"  {row.event:10} the risk would be {row.risk_reduction:.1f} times smaller")

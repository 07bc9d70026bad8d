"""Rows of figures beside their floors, peers and goals, as Markdown."""
from dataclasses import dataclass


@dataclass
class Row:
    """A figure: smaller is better, unless `rises`."""
    what: str
    figure: float
    unit: str
    # What nothing can be better than, in the same unit.
    floor: float = None
    # The figure that is to be reached.
    goal: float = None
    rises: bool = False
    note: str = ""
    # The figures of others by name, in the same unit.
    peers: dict = None

    @property
    def is_reached(self):
        return self.figure >= self.goal if self.rises else self.figure <= self.goal

    @property
    def cells(self):
        goal = reached = floor = peer = ""
        if self.goal is not None:
            goal = ("≥ " if self.rises else "≤ ") + number(self.goal)
            reached = "yes" if self.is_reached else "**no**"
        if self.floor:
            floor = ratio(self.figure, self.floor)
        if self.peers:
            best = (max if self.rises else min)(self.peers, key=self.peers.get)
            peer = f"{ratio(self.figure, self.peers[best])} × {best}"
        return [self.what, f"{number(self.figure)} {self.unit}", goal, reached, floor, peer, self.note]


def number(figure):
    """Three digits, and no more than is known."""
    if figure >= 1000:
        return f"{figure:,.0f}"
    return f"{figure:.0f}" if figure >= 100 else f"{figure:.3g}"


def ratio(figure, other):
    return f"{figure / other:.2f}" if other else ""


def markdown(rows):
    head = ["measure", "figure", "goal", "reached", "× floor", "× best peer", ""]
    columns = [head] + [row.cells for row in rows]
    used = [index for index in range(len(head)) if index < 2 or any(cells[index] for cells in columns[1:])]
    lines = ["| " + " | ".join(cells[index] for index in used) + " |" for cells in columns]
    return "\n".join([lines[0], "|" + "---|" * len(used), *lines[1:]])

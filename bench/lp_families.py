#!/usr/bin/env python3
"""Linear programs like the harder ones of Netlib, in free MPS, the same in every run.

    bench/lp_families.py [--families NAME,NAME] FOLDER

Each family imitates what makes one kind of real program hard:

staircase     periods that share variables with the next one only (Netlib: stair, scagr, scsd, sctap)
pilot         periods of an energy model: dense blocks, coefficients over six decades, stocks, free
              variables and ranges (pilot4, pilot87, perold, greenbea)
accounts      of these two kinds, but only one free variable has a cost (stair, perold, pilot-we)
multicommodity flows of several goods over shared arcs, all of it degenerate (dfl001, ken, pds)
assignment    assignment and transport problems with many equal costs (degen2, degen3)
side          one network with side constraints over its arcs (cre, osa)
cutting       patterns of a cutting stock problem: few rows, many columns, all costs 1 (fit, d2q06c)
cover         set covering with columns of many rows (nw, dfl001's kin of crew schedules)
lease         stochastic programs: one first stage, many scenarios that see it (stocfor, deter)

Numbers are short decimals, so that every reader takes the same program.
"""
import argparse
import pathlib
import random


class Draws(random.Random):
    """Only random() is the same in all versions of Python: everything else is made of it."""

    def below(self, limit):
        return int(self.random() * limit)

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def distinct(self, count, limit):
        chosen = []
        while len(chosen) < count:
            item = self.below(limit)
            if item not in chosen:
                chosen.append(item)
        return chosen


class Program:
    """Minimise; columns are 0 .. infinity unless bounded."""

    def __init__(self):
        self.rows = []  # sense, right-hand side
        self.ranges = {}
        self.columns = []  # cost, entries
        self.bounds = {}

    def row(self, sense, right=0):
        self.rows.append((sense, right))
        return len(self.rows) - 1

    def column(self, cost, entries, lower=0, upper=None):
        """`entries`: pairs of row and value; a lower bound None is minus infinity."""
        self.columns.append((cost, entries))
        if (lower, upper) != (0, None):
            self.bounds[len(self.columns) - 1] = (lower, upper)
        return len(self.columns) - 1

    def write(self, path):
        lines = [f"NAME {path.stem}", "ROWS", " N cost"]
        lines += [f" {sense} r{i}" for i, (sense, _) in enumerate(self.rows)]
        lines.append("COLUMNS")
        for j, (cost, entries) in enumerate(self.columns):
            if cost or not entries:
                lines.append(f" c{j} cost {cost:.6g}")
            lines += [f" c{j} r{i} {value:.6g}" for i, value in entries]
        lines.append("RHS")
        lines += [f" rhs r{i} {right:.6g}" for i, (_, right) in enumerate(self.rows) if right]
        if self.ranges:
            lines.append("RANGES")
            lines += [f" rng r{i} {size:.6g}" for i, size in self.ranges.items()]
        lines.append("BOUNDS")
        for j, (lower, upper) in self.bounds.items():
            if lower is None and upper is None:
                lines.append(f" FR bnd c{j}")
                continue
            if lower is None:
                lines.append(f" MI bnd c{j}")
            elif lower:
                lines.append(f" LO bnd c{j} {lower:.6g}")
            if upper is not None:
                lines.append(f" UP bnd c{j} {upper:.6g}")
        lines.append("ENDATA")
        path.write_text("\n".join(lines) + "\n", encoding="ascii")


def bounded_costs(p, draw, senses, sizes, at):
    """Costs of both signs for which some multipliers of the rows are dual feasible: the optimum is
    finite, but the columns by themselves do not show it."""
    y = [(draw.random() if sense == "G" else -draw.random() if sense == "L"
          else draw.random() - 0.5) * size for sense, size in zip(senses, sizes)]
    for j, (cost, entries) in enumerate(p.columns):
        lower, upper = p.bounds.get(j, (0, None))
        if cost is not None:
            continue
        sums = sum(value * y[i] for i, value in entries)
        size = sum(abs(value * y[i]) for i, value in entries)
        reduced = size * (1e-3 if at.get(j) else 1e-3 + draw.random() * draw.random())
        if (lower, upper) == (None, None):
            reduced = 0  # what rounding leaves is within the prices of the stock
        elif lower is not None and upper is not None and draw.below(2):
            reduced = -reduced
        p.columns[j] = (float(f"{sums + reduced:.5g}"), entries)


def staircase(seed, periods, rows, columns):
    draw = Draws(seed)
    p = Program()
    base = [[p.row("LLG"[draw.below(3)]) for _ in range(rows)] for _ in range(periods)]
    activity = [0.0] * len(p.rows)
    values = {}
    for t in range(periods):
        for _ in range(columns):
            entries = {}
            for i in draw.distinct(draw.between(2, 5), rows):
                entries[base[t][i]] = draw.between(1, 40) / 4
            if t + 1 < periods:
                for i in draw.distinct(draw.between(0, 2), rows):
                    entries[base[t + 1][i]] = -draw.between(1, 20) / 4
            at = draw.between(1, 8) if draw.below(3) == 0 else 0
            for i, value in entries.items():
                activity[i] += value * at
            j = p.column(None, sorted(entries.items()),
                         upper=draw.between(10, 60) if draw.below(3) == 0 else None)
            values[j] = at
    bounded_costs(p, draw, [sense for sense, _ in p.rows], [10.0] * len(p.rows), values)
    # The point that was drawn is feasible.
    p.rows = [(sense, activity[i] + (1 if sense == "L" else -1) * draw.between(0, 3))
              for i, (sense, _) in enumerate(p.rows)]
    return p


def pilot(seed, periods, rows, columns):
    draw = Draws(seed)
    p = Program()
    base = [[p.row("LGE"[draw.below(3)]) for _ in range(rows)] for _ in range(periods)]
    row_scale = [10.0 ** draw.between(-2, 2) for _ in range(rows)]
    activity = [0.0] * len(p.rows)
    values = {}
    shape = []  # of a technology, the same in all periods
    for _ in range(columns):
        dense = draw.below(6) == 0
        chosen = draw.distinct(draw.between(rows // 4, rows // 2) if dense else draw.between(2, 6),
                               rows)
        scale = 10.0 ** draw.between(-1, 2)
        shape.append((scale, [(i, (draw.random() - 0.3) * row_scale[i] * scale) for i in chosen],
                      draw.below(10) == 0, draw.distinct(2, rows)))
    for t in range(periods):
        for scale, pattern, free, links in shape:
            entries = {}
            for i, value in pattern:
                entries[base[t][i]] = float(f"{value * (1 + 0.02 * t):.4g}")
            if t + 1 < periods:
                for i in links:
                    entries[base[t + 1][i]] = float(f"{-draw.random() * row_scale[i] * scale:.4g}")
            at = draw.random() * 5 / scale if draw.below(2) else 0.0
            at = float(f"{at:.3g}")
            for i, value in entries.items():
                activity[i] += value * at
            bounds = (float(f"{-50 / scale:.3g}"), float(f"{50 / scale:.3g}")) if free else (0, None)
            values[p.column(None, sorted(entries.items()), *bounds)] = at
        for i in range(0, rows, 7):  # a stock that may go below zero, with a price for both ways
            stock = {base[t][i]: 1}
            if t + 1 < periods:
                stock[base[t + 1][i]] = -1
            free = p.column(None, list(stock.items()), lower=None)
            balance = p.row("E")
            activity.append(0.0)
            p.columns[free][1].append((balance, 1))
            p.column(0.5, [(balance, -1)])
            p.column(0.5, [(balance, 1)])
    bounded_costs(p, draw, [sense for sense, _ in p.rows],
                  [100 / row_scale[i % rows] * 0.95 ** (i // rows) if i < periods * rows else 0
                   for i in range(len(p.rows))], values)
    right = [float(f"{a:.5g}") for a in activity]
    p.rows = [(sense, right[i] if sense == "E" else right[i] + (1 if sense == "L" else -1)
               * float(f"{abs(right[i]) * 0.1 * draw.random():.3g}"))
              for i, (sense, _) in enumerate(p.rows)]
    for i, (sense, right_side) in enumerate(p.rows):
        if sense == "E" and i < periods * rows:  # rounding must not make it infeasible
            p.rows[i] = ("L", right_side + abs(right_side) * 1e-3 + 1e-3)
            p.ranges[i] = float(f"{abs(right_side) * 2e-3 + 2e-3:.3g}")
    return p


def accounted(make, *arguments, periods):
    """The same program with its costs in rows: the sums of the periods are carried on by free
    variables, and only the last one has a cost, so that all others are tied (stair, perold)."""
    p = make(*arguments)
    costs = [cost for cost, _ in p.columns]
    size = -(-len(costs) // periods)
    account = [p.row("E") for _ in range(periods)]
    for j, (_, entries) in enumerate(p.columns):
        if costs[j]:
            entries.append((account[j // size], costs[j]))
            p.columns[j] = (0, entries)
    for t in range(periods):
        carried = [(account[t], -1)] + ([(account[t + 1], 1)] if t + 1 < periods else [])
        p.column(int(t + 1 == periods), carried, lower=None)
    return p


def arcs_of(draw, nodes, arcs):
    """A ring and random chords, all of it connected."""
    out = [(v, (v + 1) % nodes) for v in range(nodes)]
    while len(out) < arcs:
        a, b = draw.below(nodes), draw.below(nodes)
        if a != b:
            out.append((a, b))
    return out


def multicommodity(seed, nodes, arcs, goods):
    draw = Draws(seed)
    p = Program()
    links = arcs_of(draw, nodes, arcs)
    balance = []
    for _ in range(goods):
        demand = [0] * nodes
        for _ in range(max(3, nodes // 6)):
            a, b = draw.below(nodes), draw.below(nodes)
            size = draw.between(1, 5)
            demand[a] += size
            demand[b] -= size
        balance.append([p.row("E", d) for d in demand])
    shared = [k for k in range(len(links)) if draw.below(2)]
    capacity = {k: p.row("L", draw.between(goods // 2 + 2, 2 * goods)) for k in shared}
    for k, (a, b) in enumerate(links):
        length = draw.between(1, 10)
        for good in range(goods):
            entries = [(balance[good][a], 1), (balance[good][b], -1)]
            if k in capacity:
                entries.append((capacity[k], 1))
            p.column(length, entries)
    for good in range(goods):  # what cannot be sent is bought, dearly
        for a in range(nodes):
            p.column(200, [(balance[good][a], 1)])
            p.column(200, [(balance[good][a], -1)])
    return p


def assignment(seed, size, kinds):
    draw = Draws(seed)
    p = Program()
    left = [p.row("E", 1) for _ in range(size)]
    right = [p.row("E", 1) for _ in range(size)]
    for i in range(size):
        for j in range(size):
            if (i + j) % 3 and draw.below(4) == 0 and i != j:
                continue
            p.column(1 + draw.below(kinds), [(left[i], 1), (right[j], 1)])
    return p


def transport(seed, sources, sinks, kinds):
    draw = Draws(seed)
    p = Program()
    demand = [draw.between(1, 4) * 5 for _ in range(sinks)]
    supply = [0] * sources
    for d in demand:
        supply[draw.below(sources)] += d
    left = [p.row("L", s + 5) for s in supply]
    right = [p.row("G", d) for d in demand]
    for i in range(sources):
        for j in range(sinks):
            if draw.below(3):
                p.column(1 + draw.below(kinds), [(left[i], 1), (right[j], 1)],
                         upper=draw.between(2, 8) * 5)
    for row in right:
        p.column(10 * kinds, [(row, 1)])
    return p


def side(seed, nodes, arcs, extra):
    draw = Draws(seed)
    p = Program()
    demand = [0] * nodes
    for _ in range(nodes):
        a, b = draw.below(nodes), draw.below(nodes)
        demand[a] += 3
        demand[b] -= 3
    balance = [p.row("E", d) for d in demand]
    limits = [p.row("L", draw.between(20, 200)) for _ in range(extra)]
    for a, b in arcs_of(draw, nodes, arcs):
        entries = [(balance[a], 1), (balance[b], -1)]
        entries += [(limits[i], draw.between(1, 9)) for i in draw.distinct(draw.below(4), extra)]
        p.column(draw.between(1, 30), entries, upper=draw.between(5, 40))
    for a in range(nodes):
        p.column(300, [(balance[a], 1)])
        p.column(300, [(balance[a], -1)])
    return p


def cutting(seed, items, patterns):
    draw = Draws(seed)
    p = Program()
    roll = 1000
    widths = sorted((draw.between(40, 350) for _ in range(items)), reverse=True)
    rows = [p.row("G", draw.between(5, 200)) for _ in range(items)]
    for i, width in enumerate(widths):
        p.column(1, [(rows[i], roll // width)])
    for _ in range(patterns):
        left, pattern = roll, {}
        for _ in range(30):
            i = draw.below(items)
            if widths[i] <= left:
                pattern[i] = pattern.get(i, 0) + 1
                left -= widths[i]
            if left < widths[-1]:
                break
        p.column(1, [(rows[i], n) for i, n in sorted(pattern.items())])
    return p


def cover(seed, rows, columns):
    draw = Draws(seed)
    p = Program()
    to_cover = [p.row("E" if draw.below(4) == 0 else "G", 1) for _ in range(rows)]
    for i in to_cover:
        p.column(100, [(i, 1)])
    for _ in range(columns):
        start = draw.below(rows)
        legs = {start}
        for _ in range(draw.between(3, 11)):
            start = (start + draw.between(1, 9)) % rows
            legs.add(start)
        p.column(10 + 3 * len(legs) + draw.below(8), [(to_cover[i], 1) for i in sorted(legs)])
    return p


def lease(seed, first, scenarios, rows):
    draw = Draws(seed)
    p = Program()
    budget = p.row("L", 40 * first)
    stage = [[p.row("G") for _ in range(rows)] for _ in range(scenarios)]
    use = [draw.distinct(4, rows) for _ in range(first)]
    for k in range(first):
        entries = [(budget, draw.between(1, 9))]
        entries += [(r, draw.between(1, 6)) for s in stage for r in (s[i] for i in use[k])]
        p.column(draw.between(100, 400), sorted(entries), upper=draw.between(20, 60))
    for s in stage:
        for i, row in enumerate(s):
            p.rows[row] = ("G", draw.between(20, 120))
            p.column(float(f"{draw.between(900, 2000) / scenarios:.4g}"), [(row, 1)])
            other = s[(i + 1 + draw.below(rows - 1)) % rows]
            p.column(float(f"{draw.between(5, 40) / scenarios:.3g}"),
                     [(row, 1), (other, -draw.between(5, 15) / 10)], upper=draw.between(10, 60))
    return p


FAMILIES = {
    "staircase": [("stair_a", staircase, (1, 12, 40, 60)), ("stair_b", staircase, (2, 30, 40, 70)),
                  ("stair_c", staircase, (3, 60, 40, 60))],
    "pilot": [("pilot_a", pilot, (4, 6, 70, 150)), ("pilot_b", pilot, (5, 10, 80, 180)),
              ("pilot_c", pilot, (6, 24, 50, 110))],
    "accounts": [("account_a", lambda *a: accounted(staircase, *a, periods=12), (21, 12, 40, 60)),
                 ("account_b", lambda *a: accounted(staircase, *a, periods=30), (22, 30, 40, 60)),
                 ("account_c", lambda *a: accounted(pilot, *a, periods=6), (23, 6, 70, 150)),
                 ("account_d", lambda *a: accounted(pilot, *a, periods=10), (24, 10, 80, 180))],
    "multicommodity": [("multi_a", multicommodity, (7, 30, 120, 14)),
                       ("multi_b", multicommodity, (8, 60, 240, 20)),
                       ("multi_c", multicommodity, (9, 90, 330, 24))],
    "assignment": [("assign_a", assignment, (10, 100, 9)), ("assign_b", assignment, (11, 250, 40)),
                   ("transport_a", transport, (12, 60, 500, 25))],
    "side": [("side_a", side, (13, 600, 3000, 60)), ("side_b", side, (14, 2000, 8000, 100))],
    "cutting": [("cutting_a", cutting, (15, 120, 6000)), ("cutting_b", cutting, (16, 400, 12000))],
    "cover": [("cover_a", cover, (17, 500, 4000)), ("cover_b", cover, (18, 1000, 8000))],
    "lease": [("lease_a", lease, (19, 30, 60, 20)), ("lease_b", lease, (20, 60, 120, 35))],
}


def write_all(folder, families=None):
    """Writes the programs of all families, or of some; yields family, name and path."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for family in FAMILIES if families is None else families:
        for name, make, arguments in FAMILIES[family]:
            path = folder / f"{name}.mps"
            make(*arguments).write(path)
            yield family, name, path


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--families", type=lambda text: text.split(","), metavar="NAME,NAME")
    parser.add_argument("folder")
    options = parser.parse_args()
    unknown = set(options.families or ()) - set(FAMILIES)
    if unknown:
        parser.error(f"no family '{unknown.pop()}'; known are {', '.join(FAMILIES)}")
    for family, name, path in write_all(options.folder, options.families):
        print(f"{family}\t{name}\t{path}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Draws charts of a record (bench/record.py --save FILE) as SVG, with Python's standard library.

    bench/chart.py RECORD.json [--shares FILE.svg] [--sizes FILE.svg]

--shares   which share of the cases is proven within which time, one curve for each architecture
--sizes    time of every case against the layer's MACs, one colour for each objective
"""
import argparse
import html
import json
import math
import pathlib
import sys

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 64, 150, 44, 52
CLOSED = ("optimal", "infeasible")


class LogAxis:
    """Powers of ten that enclose the values, mapped to pixels."""

    def __init__(self, values, begin, end):
        self.low = math.floor(math.log10(min(values)))
        self.high = max(self.low + 1, math.ceil(math.log10(max(values))))
        self.begin, self.end = begin, end

    def __call__(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)

    def ticks(self, most=8):
        step = max(1, math.ceil((self.high - self.low) / most))
        return [10.0 ** k for k in range(self.low, self.high + 1, step)]


class ShareAxis:
    def __init__(self, begin, end):
        self.begin, self.end = begin, end

    def __call__(self, share):
        return self.begin + share * (self.end - self.begin)

    @staticmethod
    def ticks():
        return [0, 0.25, 0.5, 0.75, 1]


def time_label(value):
    if value < 1e-3:
        return f"{1e6 * value:g} µs"
    return f"{1e3 * value:g} ms" if value < 1 else f"{value:g} s"


def power_label(value):
    names = {3: "k", 6: "M", 9: "G", 12: "T", 15: "P"}
    exponent = round(math.log10(value))
    return f"{10 ** (exponent % 3)} {names.get(exponent - exponent % 3, '')}".strip()


class Chart:
    def __init__(self, title, x_name, y_name):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'font-family="sans-serif" font-size="12" role="img">',
            f"<title>{html.escape(title)}</title>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>']
        self.text(LEFT, 24, title, size=14, weight="bold")
        self.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x_name, anchor="middle")
        middle = (TOP + HEIGHT - BOTTOM) / 2
        self.parts.append(f'<text x="16" y="{middle:.1f}" text-anchor="middle" fill="#333333" '
                          f'transform="rotate(-90 16 {middle:.1f})">{html.escape(y_name)}</text>')

    def text(self, x, y, text, anchor="start", size=12, weight="normal", colour="#333333"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
                          f'font-size="{size}" font-weight="{weight}" fill="{colour}">'
                          f"{html.escape(text)}</text>")

    def line(self, x1, y1, x2, y2, colour="#dddddd"):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                          f'stroke="{colour}"/>')

    def grid(self, x_axis, y_axis, x_label, y_label):
        for tick in x_axis.ticks():
            self.line(x_axis(tick), TOP, x_axis(tick), HEIGHT - BOTTOM)
            self.text(x_axis(tick), HEIGHT - BOTTOM + 18, x_label(tick), anchor="middle")
        for tick in y_axis.ticks():
            self.line(LEFT, y_axis(tick), WIDTH - RIGHT, y_axis(tick))
            self.text(LEFT - 8, y_axis(tick) + 4, y_label(tick), anchor="end")

    def legend(self, names):
        for k, name in enumerate(names):
            y = TOP + 12 + 20 * k
            self.parts.append(f'<rect x="{WIDTH - RIGHT + 14}" y="{y - 9}" width="12" height="10" '
                              f'fill="{COLOURS[k % len(COLOURS)]}"/>')
            self.text(WIDTH - RIGHT + 32, y, name)

    def curve(self, points, colour):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" '
                          'stroke-width="2" stroke-linejoin="round"/>')

    def dot(self, x, y, colour):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2" fill="{colour}" '
                          'fill-opacity="0.55"/>')

    def svg(self):
        return "\n".join(self.parts + ["</svg>"]) + "\n"


def shares(cases):
    closed = [case for case in cases if case["status"] in CLOSED]
    optimal = sum(case["status"] == "optimal" for case in cases)
    impossible = f", {len(closed) - optimal} proven infeasible" if len(closed) > optimal else ""
    chart = Chart(f"{len(cases):,} problems: {optimal:,} proven optimal{impossible}",
                  "time for one problem", "share of problems")
    x = LogAxis([case["seconds"] for case in closed], LEFT, WIDTH - RIGHT)
    y = ShareAxis(HEIGHT - BOTTOM, TOP)
    chart.grid(x, y, time_label, lambda share: f"{100 * share:g} %")
    names = sorted({case["architecture"] for case in cases})
    chart.legend(names)
    for k, name in enumerate(names):
        group = [case for case in cases if case["architecture"] == name]
        times = sorted(case["seconds"] for case in group if case["status"] in CLOSED)
        points = []
        for i, seconds in enumerate(times):
            if not points or x(seconds) - points[-1][0] >= 0.5 or i + 1 == len(times):
                points.append((x(seconds), y((i + 1) / len(group))))
        points.append((WIDTH - RIGHT, y(len(times) / len(group))))
        chart.curve(points, COLOURS[k % len(COLOURS)])
    return chart.svg()


def sizes(cases):
    closed = [case for case in cases if case["status"] == "optimal"]
    chart = Chart("Time to a proven optimum against the size of the layer",
                  "multiply-accumulates of the layer", "time")
    x = LogAxis([case["macs"] for case in closed], LEFT, WIDTH - RIGHT)
    y = LogAxis([case["seconds"] for case in closed], HEIGHT - BOTTOM, TOP)
    chart.grid(x, y, power_label, time_label)
    names = list(dict.fromkeys(case["objective"] for case in closed))
    chart.legend(names)
    for case in closed:
        colour = COLOURS[names.index(case["objective"]) % len(COLOURS)]
        chart.dot(x(case["macs"]), y(case["seconds"]), colour)
    return chart.svg()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("record")
    parser.add_argument("--shares", metavar="FILE.svg")
    parser.add_argument("--sizes", metavar="FILE.svg")
    options = parser.parse_args()
    try:
        cases = json.loads(pathlib.Path(options.record).read_text(encoding="utf-8"))["cases"]
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"{options.record}: not a record of bench/record.py: {error}")
    if not any(case["status"] == "optimal" for case in cases):
        sys.exit(f"{options.record}: no case is proven optimal, there is nothing to draw")
    for path, draw in ((options.shares, shares), (options.sizes, sizes)):
        if path:
            pathlib.Path(path).write_text(draw(cases), encoding="utf-8")


if __name__ == "__main__":
    main()

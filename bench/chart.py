#!/usr/bin/python3
"""Draws the chart of one record as SVG. The format of the record decides which chart.

    bench/chart.py RECORD.json FILE.svg

of bench/record.py    which share of the cases is proven within which time, for each architecture
of bench/scaling.py   time over channels, and over freed levels for each depth of the hierarchy
of bench/peers.py     CPU time of the other solvers over pimbb's, problem by problem
of pimbb bench --study cim --json   which share of the layers a restricted space or a heuristic maps
                      within which factor of the optimum

Needs matplotlib, on Debian the package python3-matplotlib: hence Debian's own Python above.
"""
import argparse
import json
import pathlib
import sys

try:
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, MaxNLocator
except ImportError:
    sys.exit("bench/chart.py needs matplotlib; on Debian: apt-get install python3-matplotlib")

CLOSED = ("optimal", "infeasible")
MILP_MAPPERS = (30, 300)  # seconds for one layer, with a commercial MILP solver
matplotlib.rcParams.update({
    "axes.grid": True, "axes.spines.right": False, "axes.spines.top": False,
    "axes.prop_cycle": matplotlib.cycler(  # Okabe and Ito: distinguishable for the colour-blind
        color=["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"]),
    "font.size": 9, "grid.color": "#dddddd", "legend.frameon": False, "savefig.bbox": "tight",
    "svg.fonttype": "none", "svg.hashsalt": "pimbb"})  # small, and reproducible


def time_label(value, _=None):
    for unit, name in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= 0.999 * unit:
            return f"{value / unit:g} {name}"
    return f"{value:g} s"


def panels(count=1):
    figure = Figure(figsize=(7.3 if count == 1 else 4.3 * count, 3.4 + 0.5 * count), layout="tight")
    return figure, figure.subplots(1, count, squeeze=False)[0]


def times_on(axis):
    axis.set_major_formatter(FuncFormatter(time_label))


def corpus(record):
    cases = record["cases"]
    figure, (axes,) = panels()
    for name in sorted({case["architecture"] for case in cases}):
        group = [case for case in cases if case["architecture"] == name]
        times = sorted(case["seconds"] for case in group if case["status"] in CLOSED)
        shown = sorted({round(k * (len(times) - 1) / 80) for k in range(81)})  # for small files
        axes.plot([times[k] for k in shown], [100 * (k + 1) / len(group) for k in shown],
                  label=name)
    axes.axvspan(*MILP_MAPPERS, color="#cccccc", alpha=0.6, linewidth=0)
    axes.text(0.85 * MILP_MAPPERS[0], 50, "published MILP\nmappers: 30-300 s\nfor a layer", ha="right",
              va="center")
    axes.set(xscale="log", ylim=(0, 101), xlabel="time for one problem", ylabel="solved, %")
    times_on(axes.xaxis)
    axes.legend(loc="upper left")
    proven = sum(case["status"] in CLOSED for case in cases)
    axes.set_title(f"{len(cases):,} problems, {proven:,} with proof", loc="left")
    return figure


def scaling(record):
    studies = [study for study in ("sizes", "hierarchies") if study in record]
    figure, all_axes = panels(len(studies))
    for study, axes in zip(studies, all_axes):
        {"sizes": channels, "hierarchies": levels}[study](axes, record[study])
        axes.set(yscale="log", ylabel="time")
        times_on(axes.yaxis)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.24), ncols=2)
    return figure


def curves(axes, cases, key, x):
    """One curve for each value of `key`; a hollow mark where the search hit its limit."""
    for name in dict.fromkeys(key(case) for case in cases):
        points = [(case[x], case["seconds"], case["status"] in CLOSED) for case in cases
                  if key(case) == name and case["seconds"]]
        (line,) = axes.plot([p[0] for p in points], [p[1] for p in points], label=name)
        for closed, face in ((True, line.get_color()), (False, "white")):
            marks = [p[:2] for p in points if p[2] == closed]
            if marks:
                axes.plot(*zip(*marks), "o", color=line.get_color(), markerfacecolor=face,
                          markersize=4)


def channels(axes, cases):
    curves(axes, cases, lambda case: f"{case['shape']}, {case['objective']}", "channels")
    axes.set_xscale("log", base=2)
    least = min(case["channels"] for case in cases)
    fastest = min(case["seconds"] for case in cases)
    axes.plot([least, 32 * least], [fastest, 32 * fastest], "--", color="#999999", linewidth=0.8,
              label="slope 1")
    axes.set(xlabel="channels, C = K")
    axes.set_title("simple_pim", loc="left")


def levels(axes, cases):
    layer, objective = cases[0]["layer"], "edp"
    chosen = [case for case in cases if (case["layer"], case["objective"]) == (layer, objective)]
    curves(axes, chosen, lambda case: f"{case['levels']} levels", "free")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(xlabel="levels with free bypass")
    axes.set_title(f"{layer}, {objective}", loc="left")


def peers(record):
    figure, (axes,) = panels()
    for k, name in enumerate(record["solvers"]):
        rows = [row for row in record["rows"]
                if row.get(name, {}).get("status", "failed") != "failed"]
        for closed, mark in ((True, "o"), (False, "^")):
            points = [(row["pimbb"]["process"], row[name]["process"]) for row in rows
                      if (row[name]["status"] in CLOSED) == closed]
            label = name if closed else f"{name}, not finished"
            if points:
                axes.plot(*zip(*points), mark, color=f"C{k}", label=label, markersize=5,
                          markerfacecolor=f"C{k}" if closed else "white")
    axes.set(xscale="log", yscale="log", xlabel="pimbb, CPU time of the process",
             ylabel="the other, CPU time of the process")
    low, high = axes.get_xlim()
    bounds = axes.get_ylim()
    for factor in (1, 10, 100, 1000, 10000):
        axes.plot([low, high], [factor * low, factor * high], color="#999999", linewidth=0.7)
        if bounds[0] < factor * high < bounds[1]:
            axes.text(high, factor * high, f" x {factor:,}", va="center")
    axes.set(xlim=(low, high), ylim=bounds)
    for axis in (axes.xaxis, axes.yaxis):
        times_on(axis)
    axes.legend(loc="center left", bbox_to_anchor=(1.12, 0.5))
    axes.set_title("The same problems as mixed-integer programs", loc="left")
    return figure


def cim_study(record):
    cases = [case for case in record["mappings"] if case["part"] == "spaces" and "ratio" in case]
    goals = list(dict.fromkeys(case["goal"] for case in cases))
    figure, all_axes = panels(len(goals))
    for goal, axes in zip(goals, all_axes):
        group = [case for case in cases if case["goal"] == goal and case["variant"] != "optimum"]
        for name in dict.fromkeys(case["variant"] for case in group):
            ratios = sorted(case["ratio"] for case in group if case["variant"] == name)
            shares = [100 * (k + 1) / len(ratios) for k in range(len(ratios))]
            axes.step(ratios, shares, where="post", label=name)
        axes.set(ylim=(0, 101), xlim=(0.99, None), xlabel=f"{goal}, times the optimum",
                 ylabel="layers, %")
        axes.set_title(record["architecture"]["name"], loc="left")
    all_axes[-1].legend(loc="lower right")
    return figure


DRAWN = {"pimbb-bench/1": corpus, "pimbb-cim-study/1": cim_study, "pimbb-scaling/1": scaling, "pimbb-peers/2": peers}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("record", metavar="RECORD.json")
    parser.add_argument("chart", metavar="FILE.svg")
    options = parser.parse_args()
    try:
        record = json.loads(pathlib.Path(options.record).read_text(encoding="utf-8"))
        draw = DRAWN[record["format"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"{options.record}: not a record of bench/record.py, scaling.py, peers.py or a study: "
                 f"{error!r}")
    draw(record).savefig(options.chart, format="svg", metadata={"Date": None})


if __name__ == "__main__":
    main()

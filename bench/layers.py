#!/usr/bin/env python3
"""Solves every distinct layer of a network for each objective and prints one table in markdown.

    bench/layers.py [--pimbb EXECUTABLE] [--arch ARCH] [--network NETWORK] [--repeat N]
                    [--threads N] [--time-limit SECONDS] [--save FILE]

One row for every distinct layer of the network: the least latency, energy and EDP under the row
models `hybrid` and `trace`, and wall time (the median of N runs) and search nodes of all six
searches. A value is printed plainly only if it is proven optimal; otherwise the gap stands beside
it. The last row sums times and nodes. Needs only Python's standard library.
"""
import sys

import measuring

MODELS = ("hybrid", "trace")
OBJECTIVES = ("latency", "energy", "edp")


def arguments():
    parser = measuring.parser(__doc__)
    parser.add_argument("--arch", default="simple_pim")
    parser.add_argument("--network", default="resnet18")
    parser.add_argument("--repeat", default="3")
    parser.add_argument("--time-limit", default="600", help="seconds for each search")
    return parser.parse_args()


def measure(options, model, objective):
    """The cases of one objective and row model, layer by layer."""
    return measuring.bench(options.pimbb, "--arch", options.arch, "--network", options.network,
                           "--row-model", model, "--objective", objective, "--repeat",
                           options.repeat, "--threads", options.threads, "--time-limit",
                           options.time_limit)


def figure(value):
    """Six significant digits at most, thousands separated: 1,806,336 or 1.23457e+14."""
    if value >= 1e9:
        mantissa, exponent = f"{value:.5e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.6g}"


def cell(case):
    if case["status"] == "optimal":
        return figure(case["value"])
    if case["status"] == "feasible":
        return f"{figure(case['value'])} (gap {100 * case['gap']:.2f} %)"
    return case["status"]


def markdown(documents):
    """`documents` by (model, objective), all over the same layers in the same order."""
    columns = [(m, o) for m in MODELS for o in OBJECTIVES]
    units = {"latency": "cycles", "energy": "nJ", "edp": "nJ*cycles"}
    rows = []
    everything = []
    for cases in zip(*(documents[column]["cases"] for column in columns)):
        rows.append([cases[0]["layer"].split(":")[-1], *map(cell, cases), *effort(cases)])
        everything += cases
    rows.append(["**all**", *[""] * len(columns), *effort(everything)])
    return measuring.table(["layer", *(f"{o} ({m}), {units[o]}" for m, o in columns), "proven",
                            "nodes", "time"], rows)


def effort(cases):
    """Proven, nodes and time of some cases together."""
    return [f"{sum(case['status'] == 'optimal' for case in cases)} of {len(cases)}",
            measuring.count(sum(case["nodes"] for case in cases)),
            measuring.seconds(sum(case["seconds"] for case in cases))]


def main():
    options = arguments()
    where = measuring.circumstances()
    documents = {(m, o): measure(options, m, o) for m in MODELS for o in OBJECTIVES}
    settings = documents[MODELS[0], OBJECTIVES[0]]["settings"]
    print(f"`{options.network}` on `{options.arch}`, every distinct layer, median of "
          f"{settings['repeat']} runs with {settings['threads']} threads on {where['processor']} "
          f"({where['cores']} cores):\n")
    print(markdown(documents), end="")
    if options.save:
        measuring.save(options.save, {"circumstances": where, "searches": list(documents.values())})


if __name__ == "__main__":
    try:
        main()
    except measuring.Failed as failure:
        sys.exit(str(failure))

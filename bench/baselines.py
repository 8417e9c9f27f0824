#!/usr/bin/env python3
"""What the optimum gains over dataflows and heuristics.

    bench/baselines.py [--network NET]... [--arch ARCH]... [--objective GOAL]... [--row-model MODEL]
                       [--node-limit N] [--save FILE]

Every distinct layer of the networks is mapped by every method (docs/dataflows.md), each of which
minimises the goal itself, under one row model. A figure is what the method's mapping costs over what
the optimum costs, as geometric mean over the layers, each counted once. Layers that have no mapping
within a dataflow are left out of its mean, and counted. Where the node limit (of a layer) ends the
exact search, the best mapping that any method has found takes the optimum's place.
"""
import sys

import measuring

NETWORKS = ("alexnet", "vgg16", "resnet18", "resnet50", "mobilenet_v1", "bert_base", "llama_7b")
ARCHITECTURES = ("simple_pim", "hbm_pim")
GOALS = ("latency", "energy", "activations")
METHODS = ("exact", "ws", "os", "is", "rs", "greedy", "random")
SEED = 1
SAMPLES = 1000


def solve(options, architecture, network, goal, method):
    """One entry a layer, its value being None if there is no mapping."""
    drawn = ("--seed", SEED, "--samples", SAMPLES) if method == "random" else ()
    document = measuring.document_of(
        options.pimbb, "network", "--arch", architecture, "--network", network, "--objective", goal,
        "--row-model", options.row_model, "--method", method, *drawn, "--threads", options.threads,
        "--node-limit", options.node_limit, codes=(0, 3, 4))
    return [{"architecture": architecture, "network": document["name"], "layer": layer["layer"],
             "objective": goal, "method": method, "status": layer["status"],
             "value": layer["objective"].get("value"), "bound": layer["objective"].get("bound"),
             "nodes": layer["stats"]["nodes"], "seconds": layer["stats"]["seconds"]}
            for layer in document["layers"]]


def ratios(cases, method):
    """Of the method's value to the optimum, for layers that have both; and how many have not."""
    def values(which):
        return {(c["architecture"], c["network"], c["layer"], c["objective"]): c["value"]
                for c in cases if c["method"] == which}

    optimum = values("exact")
    for other in METHODS:
        for key, value in values(other).items():
            if value is not None and optimum.get(key) is not None:
                optimum[key] = min(optimum[key], value)
    found = {key: value for key, value in values(method).items() if optimum.get(key)}
    have = [value / optimum[key] for key, value in found.items() if value is not None]
    return have, len(found) - len(have)


def cell(cases, method):
    have, without = ratios(cases, method)
    if not have:
        return "-"
    return f"{measuring.geometric_mean(have):.2f}" + (f" ({without} none)" if without else "")


def pick(cases, **wanted):
    return [c for c in cases if all(c[key] == value for key, value in wanted.items())]


def show(cases):
    others = [m for m in METHODS if m != "exact"]
    distinct = {key: list(dict.fromkeys(c[key] for c in cases))
                for key in ("architecture", "network", "objective")}
    print("### All networks\n\nTimes the optimum.\n")
    columns = [(a, g) for a in distinct["architecture"] for g in distinct["objective"]]
    print(measuring.table(["method"] + [f"{a}, {g}" for a, g in columns],
                          [[m] + [cell(pick(cases, architecture=a, objective=g), m)
                                  for a, g in columns] for m in others]))
    for a, g in columns:
        print(f"### {g} on {a}\n")
        rows = []
        for network in distinct["network"]:
            here = pick(cases, architecture=a, objective=g, network=network)
            layers = len(pick(here, method="exact"))
            rows.append([network, layers] + [cell(here, m) for m in others])
        print(measuring.table(["network", "layers", *others], rows))
    exact = pick(cases, method="exact")
    proven = sum(c["status"] in measuring.CLOSED for c in exact)
    print(f"{proven} of {len(exact)} optima are proven; of the others the best mapping known counts.")
    dataflows = [c for c in cases if c["method"] in ("ws", "os", "is", "rs")]
    proven = sum(c["status"] in measuring.CLOSED for c in dataflows)
    print(f"{proven} of {len(dataflows)} answers within a dataflow are proven.")


def main():
    parser = measuring.parser(__doc__)
    parser.add_argument("--network", action="append", help="instead of those of the record")
    parser.add_argument("--arch", action="append", help="instead of those of the record")
    parser.add_argument("--objective", action="append", choices=GOALS)
    parser.add_argument("--row-model", default="trace")
    parser.add_argument("--node-limit", type=int, default=5000, help="for each layer")
    options = parser.parse_args()
    document = {"format": "pimbb-baselines/1",
                "circumstances": {**measuring.circumstances(), "seed": SEED}, "samples": SAMPLES,
                "threads": options.threads, "node_limit": options.node_limit,
                "row_model": options.row_model, "cases": []}
    print(measuring.where(document["circumstances"]))
    for goal in options.objective or GOALS:
        for architecture in options.arch or ARCHITECTURES:
            for network in options.network or NETWORKS:
                for method in METHODS:
                    print(f"{architecture} {network} {goal} {method}", file=sys.stderr)
                    document["cases"] += solve(options, architecture, network, goal, method)
                if options.save:
                    measuring.save(options.save, document)
    show(document["cases"])


if __name__ == "__main__":
    main()

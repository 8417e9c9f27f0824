#!/usr/bin/env python3
"""Maps networks onto a crossbar accelerator: optima or gaps, heuristics, and simulated times.

    bench/crossbar.py [--pimbb EXECUTABLE] [--arch ARCH] [--network NETWORK ...] [--time-limit SECONDS]
                      [--threads N] [--save FILE]

For high throughput (ht) and low latency (ll), each network is mapped for the least estimate, for the
least simulated time, and by the baselines. Every mapping is simulated. First table: value and gap of
the estimate, its time, and what the baselines cost against its bound. Second table: simulated times.
Third table: how often an estimate orders two mappings of a network as the simulation does, of all
pairs that the simulation tells apart. Needs only Python's standard library.
"""
import itertools
import os
import sys

import measuring

NETWORKS = ("alexnet", "vgg16", "resnet18", "resnet34", "resnet50", "squeezenet", "googlenet",
            "inception_v3", "densenet121", "mobilenet_v1", "mobilenet_v2",
            str(measuring.ROOT / "bench/bert_token.yaml"))
MODES = ("ht", "ll")
BASELINES = ("puma", "w0h0", "uniform", "ga")
ESTIMATES = ("ht", "ht-roof", "ht-code", "ll", "ll-paper", "ll-code", "traffic")


def arguments():
    parser = measuring.parser(__doc__)
    parser.add_argument("--arch", default="pimcomp")
    parser.add_argument("--network", action="append", help="a preset or a file; may be repeated")
    parser.add_argument("--time-limit", type=float, default=10, help="seconds for each search")
    options = parser.parse_args()
    options.network = options.network or list(NETWORKS)
    return options


def name_of(network):
    return os.path.splitext(os.path.basename(network))[0]


def run(options, network, mode, method, objective, time_limit):
    """One mapping with its estimates and its simulation."""
    document = measuring.document_of(
        options.pimbb, "network", network, "--arch", options.arch, "--mode", mode, "--simulate",
        "--method", method, "--objective", objective, "--threads", options.threads,
        "--time-limit", time_limit)
    if "simulation" not in document:
        raise measuring.Failed(f"{network}, {method} for {objective}: not simulated within {time_limit} s")
    found = document["objective"]
    return {"network": name_of(network), "mode": mode, "method": method, "objective": objective,
            "status": document["status"], "value": found["value"], "bound": found["bound"],
            "gap": found["gap"], "seconds": round(document["stats"]["seconds"], 3),
            "simulated": document["simulation"]["time"],
            "instructions": document["simulation"]["instructions"],
            "estimates": document["estimates"]}


def measure(options, network):
    """All mappings of a network, first of either mode the one of the least estimate. A network
    without convolutions has no estimate of low latency."""
    found = []
    for mode in MODES:
        try:
            found.append(run(options, network, mode, "exact", mode, options.time_limit))
        except measuring.Failed as failure:
            if "this network does not have" not in str(failure):
                raise
            continue
        for method in BASELINES:  # little time: their bound is that of the search above
            limit = options.time_limit if method == "ga" else min(3, options.time_limit)
            found.append(run(options, network, mode, method, mode, limit))
        found.append(run(options, network, mode, "exact", "sim", options.time_limit))
    return found


def of(runs, network, mode, method, objective=None):
    return next(r for r in runs if (r["network"], r["mode"], r["method"], r["objective"])
                == (network, mode, method, objective or mode))


def networks_of(runs, mode=None):
    return list(dict.fromkeys(r["network"] for r in runs if mode in (None, r["mode"])))


def estimate_row(runs, network, mode):
    best = of(runs, network, mode, "exact")
    proof = "proven" if best["status"] == "optimal" else f"{100 * best['gap']:.2f} %"
    ratios = [f"{of(runs, network, mode, method)['value'] / best['bound']:.2f}"
              for method in BASELINES]
    return [network, mode, f"{best['value']:,.0f}", proof, measuring.seconds(best["seconds"]),
            *ratios]


def simulated_row(runs, network, mode):
    """Simulated times: of the best mapping found for it, and multiples of that."""
    least = of(runs, network, mode, "exact", "sim")
    ratios = [f"{of(runs, network, mode, method)['simulated'] / least['simulated']:.2f}"
              for method in ("exact", *BASELINES)]
    return [network, mode, f"{least['simulated']:,}", f"{100 * least['gap']:.0f} %", *ratios]


def agreement(runs, mode, estimate):
    """Pairs of mappings of one network that the estimate orders as the simulation, and all pairs
    that the simulation tells apart; half a pair where the estimate sees no difference."""
    same, pairs = 0, 0
    for network in networks_of(runs):
        mappings = [r for r in runs if (r["network"], r["mode"]) == (network, mode)]
        for a, b in itertools.combinations(mappings, 2):
            estimates = [r["estimates"].get(estimate) for r in (a, b)]
            if a["simulated"] == b["simulated"] or None in estimates:
                continue
            pairs += 1
            if estimates[0] == estimates[1]:
                same += 0.5
            else:
                same += (estimates[0] < estimates[1]) == (a["simulated"] < b["simulated"])
    return same, pairs


def agreement_row(runs, estimate):
    cells = [agreement(runs, mode, estimate) for mode in MODES]
    return [estimate, *(f"{100 * same / pairs:.0f} %" if pairs else "-" for same, pairs in cells)]


def main():
    options = arguments()
    where = measuring.circumstances()
    runs = [found for network in options.network for found in measure(options, network)]
    print(measuring.where(where))
    print(measuring.table(["network", "estimate", "ns", "gap", "time", *BASELINES],
                          [estimate_row(runs, n, mode) for mode in MODES for n in networks_of(runs, mode)]))
    print(measuring.table(["network", "schedule", "simulated ns", "gap", "least estimate",
                           *BASELINES],
                          [simulated_row(runs, n, mode) for mode in MODES for n in networks_of(runs, mode)]))
    print(measuring.table(["estimate", *(f"orders as simulated, {mode}" for mode in MODES)],
                          [agreement_row(runs, estimate) for estimate in ESTIMATES]), end="")
    if options.save:
        measuring.save(options.save, {"circumstances": where, "architecture": options.arch,
                                      "time_limit": options.time_limit, "runs": runs})


if __name__ == "__main__":
    try:
        main()
    except measuring.Failed as failure:
        sys.exit(str(failure))

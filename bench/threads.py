#!/usr/bin/env python3
"""What a second thread gains, case by case: each network with one thread and with all of them, in turn.

    bench/threads.py [--arch ARCH]... [--network NET]... [--least MS] [--repeat N] [--save FILE]

The time of a case is the least of N rounds over all of them. A time limit is not given: with one, a
local search begins after a part of it, which takes turns with the search where there is one thread.
After each network two processes of one thread run side by side: how much longer they take than one
alone is what the machine takes from any program on two threads.
"""
import concurrent.futures
import statistics

import measuring

GAIN = 1.85  # that is aimed at
BINS = [(20, 50), (50, 100), (100, 300), (300, None)]  # milliseconds with one thread
WORST = 10


def run(options, architecture, network, threads):
    """The time of each case in milliseconds, by its name."""
    document = measuring.bench(options.pimbb, "--corpus", "full", "--arch", architecture, "--network",
                               network, "--threads", threads)
    return {measuring.name(case): 1000 * case["seconds"] for case in document["cases"]}


def side_by_side(options, architecture, network):
    """The mean times of two processes at once."""
    with concurrent.futures.ThreadPoolExecutor(2) as both:
        runs = list(both.map(lambda _: run(options, architecture, network, 1), range(2)))
    return {case: (runs[0][case] + runs[1][case]) / 2 for case in runs[0]}


def measured(options):
    """Cases of at least `least` milliseconds: times alone, on all threads, and side by side."""
    best = {}
    for _ in range(options.repeat):  # all over again: a machine is slow for minutes
        for architecture in options.arch:
            for network in options.network:
                times = (run(options, architecture, network, 1),
                         run(options, architecture, network, options.threads),
                         side_by_side(options, architecture, network))
                for case in times[0]:
                    new = [of[case] for of in times]
                    best[case] = [min(pair) for pair in zip(best.get(case, new), new)]
    return [{"case": case, "one": one, "more": more, "beside": beside}
            for case, (one, more, beside) in best.items() if one >= options.least]


def gain(case):
    return case["one"] / case["more"]


def row(title, cases):
    gains = [gain(case) for case in cases]
    total = sum(case["one"] for case in cases)
    return [title, len(cases), f"{total / sum(case['more'] for case in cases):.2f}",
            f"{statistics.mean(gains):.2f}", f"{statistics.median(gains):.2f}",
            sum(one >= GAIN for one in gains),
            f"{2 * total / sum(case['beside'] for case in cases):.2f}"]


def tables(cases):
    groups = [("all", cases)]
    for low, high in BINS:
        title = f"{low} to {high} ms" if high else f"{low} ms and more"
        groups.append((title, [case for case in cases
                               if case["one"] >= low and (not high or case["one"] < high)]))
    machines = {}
    for case in cases:
        architecture, _, row_model, _ = case["case"].split()
        machines.setdefault(f"{architecture}, {row_model}", []).append(case)
    groups += machines.items()
    header = ["one thread", "cases", "gain of the total", "mean gain", "median",
              f"of them at least {GAIN}", "two processes"]
    worst = sorted(cases, key=gain)[:WORST]
    return (measuring.table(header, [row(*group) for group in groups if group[1]]) + "\n" +
            measuring.table(["the least gains", "one thread", "gain"],
                            [[case["case"], f"{case['one']:.1f} ms", f"{gain(case):.2f}"]
                             for case in worst]))


def main():
    parser = measuring.parser(__doc__)
    parser.add_argument("--arch", action="append", help="an architecture; several are possible")
    parser.add_argument("--network", action="append", help="a network; several are possible")
    parser.add_argument("--least", type=float, default=20, metavar="MS", help="of one thread")
    parser.add_argument("--repeat", type=int, default=3, metavar="N")
    options = parser.parse_args()
    options.arch = options.arch or ["hbm_pim", "upmem", "default_pim", "simple_pim"]
    options.network = options.network or ["alexnet", "vgg16", "resnet18", "resnet50", "mobilenet_v1",
                                          "bert_base", "llama_7b"]
    document = {"circumstances": measuring.circumstances(), "repeat": options.repeat,
                "threads": options.threads, "cases": measured(options)}
    print(measuring.where(document["circumstances"]))
    print(tables(document["cases"]) if document["cases"] else "no case takes that long")
    if options.save:
        measuring.save(options.save, document)


if __name__ == "__main__":
    main()

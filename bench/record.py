#!/usr/bin/env python3
"""Solves the corpus and keeps every case with where and when it was measured.

    bench/record.py [--corpus full|small|FILE] [--repeat N] [--time-limit SECONDS] [--ablation]
                    [--scaling] [--save FILE]

Prints one row for each architecture: cases, proven, mean and worst time. With --ablation also the
effect of each switch that is turned off; with --scaling the same corpus on 1, 2, 4, ... threads up
to the number of cores, where the nodes must stay the same.
"""
import os

import measuring


def summary(cases):
    """A table with one row for each architecture and one for all, trace apart."""
    rows = []
    for name, group in measuring.by_architecture(cases):
        times = [case["seconds"] for case in group]
        rows.append([name, measuring.count(len(group)),
                     measuring.count(sum(c["status"] == "optimal" for c in group)),
                     measuring.count(sum(c["status"] == "infeasible" for c in group)),
                     measuring.seconds(measuring.geometric_mean(times)),
                     measuring.seconds(max(times)), measuring.seconds(sum(times)),
                     measuring.count(sum(case["nodes"] for case in group))])
    return measuring.table(["architecture", "cases", "optimal", "infeasible", "geometric mean",
                            "worst", "total", "nodes"], rows)


def ablation(rows):
    def line(row):
        least = "> " if row["unfinished"] else ""
        return [row["without"], row["cases"],
                *(f"{least}x {row[key]:.2f}" for key in ("nodes_ratio", "leaves_ratio",
                                                         "time_ratio")),
                f"{least}x {row['worst_nodes_ratio']:.1f}", len(row["unfinished"])]
    return measuring.table(["without", "cases", "nodes", "leaves", "time", "worst nodes",
                            "at a limit"], map(line, rows))


def thread_counts():
    counts = [1]
    while 2 * counts[-1] <= (os.cpu_count() or 1):
        counts.append(2 * counts[-1])
    return counts


def scaling(options, arguments, known):
    """Total and mean ratio of times against one thread. Short cases say little about threads, so
    the mean is over those that take 20 ms or more on one. `known`: a measurement not to repeat."""
    documents = [known if known["settings"]["threads"] == n
                 else measuring.bench(options.pimbb, *arguments, "--threads", n)
                 for n in thread_counts()]
    base = documents[0]
    rows = []
    for document in documents:
        if document["signature"] != base["signature"] and not base["summary"]["limit"]:
            raise SystemExit("the signature depends on the number of threads")
        ratios = [one["seconds"] / many["seconds"]
                  for one, many in zip(base["cases"], document["cases"])
                  if one["seconds"] >= 0.02 and {one["status"], many["status"]} <= {"optimal"}]
        rows.append({"threads": document["settings"]["threads"],
                     "seconds": document["summary"]["seconds"], "cases": len(ratios),
                     "speedup": measuring.geometric_mean(ratios),
                     "total_speedup": base["summary"]["seconds"] / document["summary"]["seconds"]})
    return rows


def scaling_table(rows):
    return measuring.table(
        ["threads", "total", "speed-up of the total", "mean speed-up of cases >= 20 ms", "cases"],
        [[row["threads"], measuring.seconds(row["seconds"]), f"{row['total_speedup']:.2f}",
          f"{row['speedup']:.2f}", row["cases"]] for row in rows])


def main():
    parser = measuring.parser(__doc__)
    parser.add_argument("--corpus", default="full")
    parser.add_argument("--repeat", default="1")
    parser.add_argument("--time-limit", default="60", help="seconds for each case")
    parser.add_argument("--ablation", action="store_true")
    parser.add_argument("--scaling", action="store_true")
    options = parser.parse_args()
    arguments = ["--corpus", options.corpus, "--repeat", options.repeat, "--time-limit",
                 options.time_limit]
    circumstances = measuring.circumstances()
    extra = ["--ablation"] if options.ablation else []
    document = {"circumstances": circumstances,
                **measuring.bench(options.pimbb, *arguments, *extra, "--threads", options.threads)}
    print(measuring.where(circumstances))
    print(summary(document["cases"]))
    used = document["summary"]
    print(f"{measuring.seconds(used['cpu_seconds'])} of CPU time on {document['settings']['threads']}"
          f" threads, {used['peak_memory_bytes'] / 2**20:.0f} MiB at most\n")
    if options.ablation:
        print(ablation(document["ablation"]))
    if options.scaling:
        document["thread_scaling"] = scaling(options, arguments, document)
        print(scaling_table(document["thread_scaling"]))
    signature = document.get("signature", {})
    print(f"optima {signature.get('optima')}\nsearch {signature.get('search')}")
    if options.save:
        measuring.save(options.save, document)


if __name__ == "__main__":
    try:
        main()
    except measuring.Failed as failure:
        raise SystemExit(failure) from None

#!/usr/bin/env python3
"""Solves the corpus `hard`, each case in a process of its own, and lists what stays open.

    bench/hard.py [--time-limit SECONDS] [--only WORDS] [--reuse] [--bounds SET] [--save FILE]

A case's time and CPU time are those of its search, its memory the peak of its process. With --only,
cases whose line has all of these words; with --reuse, cases that FILE has are not measured again. FILE
is written after each case.
"""
import json
import os
import subprocess
import sys

import measuring

MOST_SLOW = 15


def cases_of(options):
    """The corpus as lines of four words: machine, layer, row model, goal."""
    run = subprocess.run([options.pimbb, "bench", "--corpus", "hard", "--list"], capture_output=True,
                         text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(run.stderr.strip())
    lines = [line.split() for line in run.stdout.splitlines()]
    return [line for line in lines if set(options.only.split()) <= set(line)]


def solve(options, words):
    """One case; a search that is ended from outside, or fails, has no times."""
    machine, layer, row_model, objective = words
    longest = 4 * options.time_limit + 30
    case = dict(zip(("architecture", "layer", "row_model", "objective"), words))
    try:
        document = measuring.bench(
            options.pimbb, "--corpus", "hard", "--arch", machine, "--network", layer, "--row-model",
            row_model, "--objective", objective, "--threads", options.threads, "--time-limit",
            options.time_limit, "--memory-limit", options.memory_limit,
            *(["--bounds", options.bounds] if options.bounds else []), timeout=longest)
    except subprocess.TimeoutExpired:
        return {**case, "status": "overrun", "seconds": longest}
    except measuring.Failed as failure:
        return {**case, "status": "failed", "why": str(failure)}
    return {**document["cases"][0], "peak_memory_bytes": document["summary"]["peak_memory_bytes"]}


def closed(case):
    return case["status"] in measuring.CLOSED


def mebibytes(cases):
    return f"{max((case.get('peak_memory_bytes', 0) for case in cases), default=0) / 2**20:,.0f} MiB"


def summary(cases):
    """A row for each machine, and one for all. Times of open cases count as they are."""
    groups = {}
    for case in cases:
        groups.setdefault(case["architecture"], []).append(case)
    rows = []
    for title, group in [*groups.items(), ("**all**", cases)]:
        timed = [case for case in group if "cpu_seconds" in case]
        rows.append([title, len(group), sum(map(closed, group)),
                     measuring.seconds(measuring.geometric_mean(c["seconds"] for c in timed)),
                     measuring.seconds(max((c["seconds"] for c in timed), default=None)),
                     measuring.seconds(measuring.geometric_mean(max(c["cpu_seconds"], 1e-4)
                                                                for c in timed)),
                     measuring.seconds(max((c["cpu_seconds"] for c in timed), default=None)),
                     measuring.count(sum(c["nodes"] for c in timed)), mebibytes(group)])
    return measuring.table(["machine", "cases", "settled", "geometric mean", "worst",
                            "geometric mean, CPU", "worst, CPU", "nodes", "memory"], rows)


def effort(case):
    return [measuring.name(case), measuring.seconds(case.get("seconds")),
            measuring.seconds(case.get("cpu_seconds")), measuring.count(case.get("nodes")),
            measuring.count(case.get("lp_solves")), mebibytes([case])]


def open_cases(cases):
    rows = [[*effort(case), f"{100 * case['gap']:.2f} %" if "gap" in case else case["status"]]
            for case in cases if not closed(case)]
    return "### Not settled\n\n" + (measuring.table(
        ["case", "time", "CPU", "nodes", "programs", "memory", "gap"], rows) if rows else "None.\n")


def slow_cases(cases):
    settled = sorted((case for case in cases if closed(case)), key=lambda case: -case["seconds"])
    return "### The slowest that are settled\n\n" + measuring.table(
        ["case", "time", "CPU", "nodes", "programs", "memory"], map(effort, settled[:MOST_SLOW]))


def main():
    parser = measuring.parser(__doc__)
    parser.add_argument("--time-limit", type=float, default=30, help="seconds for each case")
    parser.add_argument("--memory-limit", default="1G", help="as pimbb's option")
    parser.add_argument("--bounds", help="as pimbb's option; its default if not given")
    parser.add_argument("--only", default="", metavar="WORDS", help="cases that have these words")
    parser.add_argument("--reuse", action="store_true", help="keep the cases that FILE has")
    options = parser.parse_args()
    known = {}
    if options.reuse and options.save and os.path.exists(options.save):
        with open(options.save, encoding="utf-8") as file:
            known = {measuring.name(case): case for case in json.load(file)["cases"]}
    document = {"format": "pimbb-hard/1", "circumstances": measuring.circumstances(),
                "threads": options.threads, "time_limit": options.time_limit,
                "memory_limit": options.memory_limit, "bounds": options.bounds, "cases": []}
    for words in cases_of(options):
        line = " ".join(words)
        if line not in known:
            print(line, file=sys.stderr, flush=True)
        document["cases"].append(known.get(line) or solve(options, words))
        if options.save:
            measuring.save(options.save, document)
    print(measuring.where(document["circumstances"]))
    print(f"At most {options.time_limit:g} s for each case.\n")
    print(summary(document["cases"]))
    print(slow_cases(document["cases"]))
    print(open_cases(document["cases"]))


if __name__ == "__main__":
    main()

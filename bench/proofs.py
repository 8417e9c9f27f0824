#!/usr/bin/env python3
"""Proves every case of a corpus, checks the proofs, and compares the check with the solve.

    bench/proofs.py [--corpus full|small|FILE] [--repeat N] [--checker FILE] [--save FILE]

Prints one row for each architecture: leaves, bytes a leaf, and the ratio of the time that pimbb-check
takes by its own clock to the time that the solver took in `pimbb bench`; the worst cases by name.
Each time is the best of N. A proof that is refused, or has an assumed leaf, ends the script.
"""
import os
import re
import subprocess
import sys
import tempfile

import measuring

ACCEPTED = re.compile(r"proof accepted: .*\nlayer .*\n(?P<leaves>\d+) leaves: .*, 0 assumed\n"
                      r"(?P<inner>\d+) inner nodes, .* (?P<seconds>[\d.]+) s")


def check(checker, proof):
    """Leaves, inner nodes and seconds of one run of the checker."""
    run = subprocess.run([checker, proof], capture_output=True, text=True, check=False)
    found = ACCEPTED.fullmatch(run.stdout.strip())
    if run.returncode != 0 or not found:
        raise SystemExit(f"{proof}: {run.stdout}{run.stderr}")
    return int(found["leaves"]), int(found["inner"]), float(found["seconds"])


def proven(options, case, proof):
    """The case with what its proof costs."""
    command = [options.pimbb, "map", "--arch", case["architecture"], "--layer", case["layer"],
               "--row-model", case["row_model"], "--objective", case["objective"],
               "--threads", str(options.threads), "--proof", proof]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 4):
        raise SystemExit(f"{' '.join(command)}: {run.stderr}")
    runs = [check(options.checker, proof) for _ in range(options.repeat)]
    leaves, inner, _ = runs[0]
    seconds = min(run[2] for run in runs)
    keys = ("architecture", "layer", "row_model", "objective", "status", "exact")
    return {**{key: case.get(key) for key in keys}, "solve_seconds": case["seconds"],
            "check_seconds": seconds, "leaves": leaves, "inner_nodes": inner,
            "bytes": os.path.getsize(proof)}


def ratio(case):
    return case["check_seconds"] / case["solve_seconds"]


def name(case):
    return " ".join(case[key] for key in ("architecture", "layer", "row_model", "objective"))


def summary(cases):
    rows = []
    for title, group in measuring.by_architecture(cases):
        leaves = sum(case["leaves"] for case in group)
        ratios = [ratio(case) for case in group]
        rows.append([title, measuring.count(len(group)), measuring.count(leaves),
                     f"{sum(case['bytes'] for case in group) / leaves:.1f}",
                     f"{max(case['bytes'] for case in group) / 1e6:.1f} MB",
                     measuring.seconds(sum(case["solve_seconds"] for case in group)),
                     measuring.seconds(sum(case["check_seconds"] for case in group)),
                     f"{measuring.geometric_mean(ratios):.2f}", f"{max(ratios):.2f}",
                     sum(r > 10 for r in ratios)])
    return measuring.table(["architecture", "proofs", "leaves", "bytes a leaf", "largest", "solve",
                            "check", "check / solve", "worst", "above 10"], rows)


def worst(cases):
    rows = [[name(case), measuring.seconds(case["solve_seconds"]),
             measuring.seconds(case["check_seconds"]), f"{ratio(case):.2f}",
             measuring.count(case["leaves"])]
            for case in sorted(cases, key=ratio, reverse=True)[:5]]
    return measuring.table(["worst ratios", "solve", "check", "check / solve", "leaves"], rows)


def main():
    parser = measuring.parser(__doc__)
    parser.add_argument("--corpus", default="full")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--checker", help="pimbb-check; without: of the build that --pimbb is in")
    options = parser.parse_args()
    if not options.checker:
        build = os.path.dirname(os.path.dirname(os.path.dirname(options.pimbb)))
        options.checker = os.path.join(build, "tools/pimbb-check/pimbb-check")

    circumstances = measuring.circumstances()
    solved = measuring.bench(options.pimbb, "--corpus", options.corpus, "--repeat", options.repeat,
                             "--threads", options.threads)["cases"]
    cases = []
    with tempfile.TemporaryDirectory(prefix="pimbb-proofs-") as folder:
        for number, case in enumerate(solved):
            if sys.stderr.isatty():
                print(f"\r{number}/{len(solved)}", end="", file=sys.stderr)
            if case["status"] in measuring.CLOSED:
                cases.append(proven(options, case, os.path.join(folder, "case.proof")))
    print(measuring.where(circumstances))
    print(summary(cases))
    print(worst(cases))
    if options.save:
        measuring.save(options.save, {"circumstances": circumstances, "threads": options.threads,
                                      "repeat": options.repeat, "cases": cases})


if __name__ == "__main__":
    main()

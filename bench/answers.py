#!/usr/bin/env python3
"""Answers after 0.1, 1 and 10 s, compared with the heuristics `random` and `greedy` at equal time.

    bench/answers.py [--cases N] [--times S[,S...]] [--seed N] [--save FILE]

Each case is a random large layer (more than 10^5 divisor vectors, or 64 storage choices and more) on
a preset or on a hierarchy with free bypass, one of four objectives and two row models. `--seed`
chooses the cases; the record is written anew after every case. For every time the value of `pimbb
map` is divided by that of the better heuristic: 1 or less is as it should be. What was proven
optimal earlier is not measured again and counts as 1. Last, the time that `--method greedy` alone
takes.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import time

import measuring
import scaling

PRESETS = ("simple_pim", "default_pim", "hbm_pim", "gddr6_aim")
HIERARCHIES = ((2, 3), (3, 4), (4, 5))  # shared buffers, levels with free bypass
OBJECTIVES = ("latency", "energy", "edp", "activations")
ROW_MODELS = ("hybrid", "trace")
SIZES = (48, 60, 72, 96, 112, 120, 144, 168, 192, 224, 240, 256, 288, 336, 360, 384, 480, 512, 720)


def random_case(number, chance):
    """Architecture, layer, objective and row model."""
    free = chance.random() < 0.5
    architecture = (scaling.hierarchy(*chance.choice(HIERARCHIES)) if free
                    else chance.choice(PRESETS))
    kernel = chance.choice((1, 3, 5, 7))
    layer = scaling.layer(f"case{number}", R=kernel, S=kernel, P=chance.choice(SIZES),
                          Q=chance.choice(SIZES), C=chance.choice(SIZES), K=chance.choice(SIZES),
                          N=chance.choice((1, 8, 16, 64)))
    return architecture, layer, chance.choice(OBJECTIVES), chance.choice(ROW_MODELS)


def value_of(options, case, folder, limit, *method):
    """The value of the answer, and the seconds of the process."""
    architecture, layer, objective, row_model = case
    if not isinstance(architecture, str):
        path = os.path.join(folder, "arch.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(architecture, file)
        architecture = path
    network = os.path.join(folder, "net.json")
    with open(network, "w", encoding="utf-8") as file:
        json.dump({"layers": [layer]}, file)
    command = [options.pimbb, "map", "--arch", architecture, "--layer",
               f"{network}:{layer['name']}", "--objective", objective, "--row-model", row_model,
               "--time-limit", str(limit), "--threads", str(options.threads), "--memory-limit",
               "16G", "--quiet", "--json", "-", *method]
    begin = time.monotonic()
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begin
    if run.returncode not in (0, 3):
        raise SystemExit(f"{' '.join(command)}: {run.stderr}")
    document = json.loads(run.stdout)
    return {"value": document["objective"]["value"], "status": document["status"],
            "seconds": round(seconds, 3)}


def measured(options, number, times):
    case = random_case(number, random.Random(f"{options.seed}/{number}"))
    architecture, layer, objective, row_model = case
    name = architecture if isinstance(architecture, str) else (
        f"{len(architecture['memory_hierarchy'])} levels, free bypass")
    result = {"architecture": name, "layer": layer, "objective": objective, "row_model": row_model}
    with tempfile.TemporaryDirectory(prefix="pimbb-answers-") as folder:
        result["greedy"] = value_of(options, case, folder, 600, "--method", "greedy")
        mapped = {"status": "unknown"}
        for limit in times:
            if mapped["status"] != "optimal":
                mapped = value_of(options, case, folder, limit)
            result[f"{limit:g} s"] = {"map": mapped, "ratio": 1.0}
            if mapped["status"] == "optimal":  # whatever random finds, the ratio is at most 1
                continue
            drawn = value_of(options, case, folder, limit, "--method", "random", "--samples",
                             "1000000000")
            best = min(drawn["value"], result["greedy"]["value"])
            result[f"{limit:g} s"] |= {"random": drawn,
                                       "ratio": mapped["value"] / best if best else 1.0}
    return result


def main():
    parser = measuring.parser(__doc__)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--times", default="0.1,1,10")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    times = [float(word) for word in options.times.split(",")]
    circumstances = {**measuring.circumstances(), "seed": options.seed}
    cases = []
    for number in range(options.cases):
        cases.append(measured(options, number, times))
        if options.save:
            measuring.save(options.save, {"circumstances": circumstances,
                                          "threads": options.threads, "cases": cases})
        if sys.stderr.isatty():
            print(f"\r{number + 1}/{options.cases}", end="", file=sys.stderr)
    print(measuring.where(circumstances))
    rows = []
    for limit in times:
        ratios = [case[f"{limit:g} s"]["ratio"] for case in cases]
        rows.append([f"{limit:g} s", len(ratios), sum(ratio > 1 for ratio in ratios),
                     f"{max(ratios):.3f}", f"{measuring.geometric_mean(ratios):.3f}",
                     sum(case[f"{limit:g} s"]["map"]["status"] == "optimal" for case in cases)])
    print(measuring.table(["after", "cases", "worse than the better heuristic", "worst ratio",
                           "geometric mean", "proven optimal"], rows))
    slowest = max(case["greedy"]["seconds"] for case in cases)
    print(f"--method greedy alone: at most {measuring.seconds(slowest)}.")


if __name__ == "__main__":
    main()

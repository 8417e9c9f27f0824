#!/usr/bin/env python3
"""Runs the micro-benchmarks and keeps their figures.

    bench/micro.py [--build DIRECTORY] [--min-time SECONDS] [--filter REGEX] [--save FILE]

One row a benchmark: CPU time of one iteration on one thread, items a second where it counts items
(tiles, nodes), and its own counters: tiles, options, pivots or search nodes, and these a second.
"""
import json
import pathlib
import subprocess

import measuring

ROOMS = ("dram", "lp", "mapper", "solve")
COMMON = {"name", "run_name", "run_type", "repetitions", "repetition_index", "threads",
          "family_index", "per_family_instance_index", "iterations", "real_time", "cpu_time",
          "time_unit", "items_per_second", "label"}
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}


def run(options, room):
    program = pathlib.Path(options.build) / "bench" / f"bench_{room}"
    command = [str(program), "--benchmark_format=json",
               f"--benchmark_min_time={options.min_time}", f"--benchmark_filter={options.filter}"]
    try:
        text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"{program}: {error}; build it: ninja -C {options.build} benchmarks") from None
    return [row(room, found) for found in json.loads(text)["benchmarks"]] if text else []


def row(room, found):
    return {"room": room, "name": found["name"].removesuffix("/real_time"),
            "problem": found.get("label", ""),
            "seconds": found["cpu_time"] * UNITS[found["time_unit"]],
            "items_per_second": found.get("items_per_second"),
            "counters": {key: value for key, value in found.items() if key not in COMMON}}


def time_text(seconds):
    for unit in ("ns", "us", "ms"):
        if seconds < 999.5 * UNITS[unit]:
            return f"{seconds / UNITS[unit]:.3g} {unit}"
    return f"{seconds:.3g} s"


def main():
    parser = measuring.parser(__doc__, threads=False)
    parser.add_argument("--build", default=str(measuring.ROOT / "build/release"))
    parser.add_argument("--min-time", type=float, default=0.1, help="seconds for each benchmark")
    parser.add_argument("--filter", default=".", help="only benchmarks that match")
    options = parser.parse_args()
    circumstances = measuring.circumstances()
    rows = [row for room in ROOMS for row in run(options, room)]
    print(measuring.where(circumstances))
    print(measuring.table(
        ["benchmark", "problem", "CPU time", "items/s", "counters"],
        [[f"{r['room']} {r['name']}", r["problem"], time_text(r["seconds"]),
          "-" if r["items_per_second"] is None else f"{r['items_per_second']:,.0f}",
          ", ".join(f"{key} {value:,.4g}" for key, value in r["counters"].items())]
         for r in rows]))
    if options.save:
        measuring.save(options.save, {"format": "pimbb-micro/1", "circumstances": circumstances,
                                      "rows": rows})


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""How late runs end after a time limit or Ctrl-C, on problems whose single steps take long.

    bench/limits.py [--time-limits S[,S...]] [--only WORD] [--checker FILE] [--save FILE]

Each case runs under every time limit, and once more without one, interrupted (SIGINT) after the
first of them. The overrun is the wall time of the process beyond the limit, start and end of the
process included. Cases that end before the limit are listed with their time. The cases have many
storage choices with free bypass (relaxations), many tiles (tables), loop bounds with many divisors
(lattice, spatial vectors), padded bounds, networks whose layers are solved together, layout plans, networks on
devices of hundreds of units, and proofs.
"""
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import measuring
import scaling

ALLOWED = 0.5  # seconds


def layer(name, **bounds):
    return {"layers": [scaling.layer(name, **bounds)]}


FILES = {
    "free4of6": scaling.hierarchy(3, 4), "free5of7": scaling.hierarchy(4, 5),
    "free6of8": scaling.hierarchy(5, 6),
    "wide": layer("wide", R=3, S=3, P=240, Q=240, C=720, K=720, N=16),
    "sixty": layer("sixty", R=60, S=60, P=60, Q=60, C=60, K=60, N=60),
    "divisors": layer("divisors", P=5040, C=720720, K=55440),
    "odd": layer("odd", R=3, S=3, P=197, Q=197, C=257, K=257, N=16),
    "prime": layer("prime", R=999999937, K=442949),
}
EDP = ("--objective", "edp")
HYBRID = ("--row-model", "hybrid")
# An array of 128 x 128 with a large buffer: tables of one layer take a part of the memory limit.
LARGE = ("--set", "pe_array.dim_h=128", "--set", "pe_array.dim_w=128", "--set",
         "levels.GlobalBuffer.entries=262144", "--set", "levels.RowBuffer.entries=-1")


def mapped(architecture, workload, *options):
    return ("map", "--arch", architecture, "--layer", workload, *options)


def network(architecture, name, *options):
    return ("network", "--arch", architecture, "--network", name, *options)


def whole_device(device, name, *options):
    return ("network", "--device", device, "--network", name, *options)


CASES = [
    mapped("free4of6", "resnet18:conv3_x", *EDP), mapped("free4of6", "wide:wide", *EDP, *HYBRID),
    mapped("free5of7", "resnet18:conv3_x"), mapped("free5of7", "llama_7b:qkvo", *EDP, *HYBRID),
    mapped("free6of8", "resnet18:conv3_x", *EDP), mapped("free6of8", "bert_base:qkv", *HYBRID),
    mapped("simple_pim", "wide:wide", *EDP), mapped("default_pim", "wide:wide", *EDP),
    mapped("hbm_pim", "wide:wide", *HYBRID), mapped("simple_pim", "sixty:sixty", *EDP),
    mapped("gddr6_aim", "sixty:sixty"), mapped("free4of6", "sixty:sixty", *EDP),
    mapped("default_pim", "divisors:divisors", *EDP), mapped("hbm_pim", "divisors:divisors", *HYBRID),
    mapped("default_pim", "prime:prime", *EDP),
    mapped("simple_pim", "sixty:sixty", "--method", "ws", *EDP),
    mapped("free4of6", "wide:wide", "--method", "greedy"),
    mapped("default_pim", "wide:wide", "--method", "random", "--samples", "1000000000"),
    *(mapped("simple_pim", "odd:odd", *LARGE, "--pad", "3", "--memory-limit", "1G", *goal)
      for goal in (EDP, (*EDP, *HYBRID))),
    network("free4of6", "resnet18"), network("free4of6", "resnet18", *EDP),
    network("free4of6", "resnet18", "--fix-bypass"),
    network("default_pim", "resnet50", "--fix-permutation", *EDP),
    network("default_pim", "resnet50", "--agree-layouts"),
    network("free4of6", "resnet18", "--agree-layouts", *EDP),
    *(whole_device("hbm_pim_stack", "resnet50", "--set", "levels.pseudo_channel.count=64",
                   "--objective", goal, *more)
      for goal in ("latency", "energy", "edp") for more in ((), ("--stay",), ("--moves", "auto"))),
    whole_device("gddr6_aim_sdk_chip", "resnet50", *EDP), whole_device("upmem_dimm", "resnet50", *EDP),
    mapped("default_pim", "llama_7b:qkvo", *EDP, "--proof", "PROOF"),
    mapped("simple_pim", "sixty:sixty", "--objective", "energy", "--proof", "PROOF"),
]


def listen_to_ctrl_c():
    """A script in the background of a shell ignores SIGINT, and so would what it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def ended(command, limit=None, interrupt=None):
    """Seconds that a run took beyond its limit or interruption, and how it ended."""
    if limit is not None:
        command = [*command, "--time-limit", str(limit)]
    begin = time.monotonic()
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                           preexec_fn=listen_to_ctrl_c)
    try:
        if interrupt is not None:
            try:
                run.wait(interrupt)
            except subprocess.TimeoutExpired:
                run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=(limit or interrupt) + 300)
    except subprocess.TimeoutExpired:
        run.kill()
        _, errors = run.communicate()
    over = time.monotonic() - begin - (limit or interrupt)
    said = errors.strip().splitlines()[-1:] if run.returncode not in (0, 3, 4) else []
    return {"overrun_seconds": round(over, 3), "exit_code": run.returncode, "said": "".join(said)}


def cases(options, folder):
    """Titles and commands."""
    paths = {}
    for name, content in FILES.items():
        paths[name] = os.path.join(folder, name + ".json")
        with open(paths[name], "w", encoding="utf-8") as file:
            json.dump(content, file)  # JSON is YAML
    proof = os.path.join(folder, "case.proof")

    def written(word):
        head, colon, tail = word.partition(":")
        return proof if word == "PROOF" else paths.get(head, head) + colon + tail

    for case in CASES:
        title = " ".join(word for word in case if not word.startswith("--arch"))
        title = re.sub(r"--(layer|network|device|objective|row-model|method) ", "", title)
        yield title, [options.pimbb, *map(written, case), "--quiet", "--threads",
                      str(options.threads)]
    large = os.path.join(folder, "large.proof")
    write_large_proof(options.pimbb, large)
    yield "pimbb-check, a proof that begins with the layer 60^7", [options.checker, large]


def write_large_proof(pimbb, path):
    """The beginning of a proof about the layer `sixty`, with its smallest mapping."""
    subprocess.run([pimbb, "map", "--arch", "simple_pim", "--layer", "resnet18:fc", "--quiet",
                    "--proof", path], check=True, capture_output=True)
    with open(path, encoding="utf-8") as file:
        lines = [next(file).rstrip("\n") for _ in range(4)]
    problem = json.loads(lines[2].removeprefix("instance "))
    problem["workload"]["bounds"] = [60] * 7
    mapping = json.loads(lines[3].removeprefix("mapping "))
    mapping = {"spatial": {"H": {}, "W": {}, "internal": {}},
               "temporal": mapping["temporal"], "stores": mapping["stores"],
               "layout": dict.fromkeys(("input", "weight", "output"), "sequential")}
    for level in mapping["temporal"]:
        level["loops"] = []
    mapping["temporal"][-1]["loops"] = [[dim, 60] for dim in "RSPQCKN"]
    text = json.dumps(problem, separators=(",", ":"))
    lines[1] = "sha256 " + hashlib.sha256(text.encode()).hexdigest()
    lines[2] = "instance " + text
    lines[3] = "mapping " + json.dumps(mapping, separators=(",", ":"))
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def table(results, limits):
    def cell(case, key):
        over = case[key]["overrun_seconds"]
        if over < -0.05:
            return "ended before"
        return f"**{over:.2f} s**" if over > ALLOWED else f"{over:.2f} s"

    columns = [f"limit {limit:g} s" for limit in limits] + [f"interrupted at {limits[0]:g} s"]
    return measuring.table(["case"] + columns,
                           [[case["case"]] + [cell(case, column) for column in columns]
                            for case in results])


def main():
    parser = measuring.parser(__doc__)
    parser.add_argument("--time-limits", default="0.1,1,5")
    parser.add_argument("--checker", help="pimbb-check; without: of the build that --pimbb is in")
    parser.add_argument("--only", default="", help="cases whose title contains this")
    options = parser.parse_args()
    if not options.checker:
        build = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(options.pimbb))))
        options.checker = os.path.join(build, "tools/pimbb-check/pimbb-check")
    limits = [float(word) for word in options.time_limits.split(",")]
    circumstances = measuring.circumstances()
    results = []
    with tempfile.TemporaryDirectory(prefix="pimbb-limits-") as folder:
        for title, command in cases(options, folder):
            if options.only not in title:
                continue
            case = {"case": title}
            for limit in limits:
                case[f"limit {limit:g} s"] = ended(command, limit=limit)
            case[f"interrupted at {limits[0]:g} s"] = ended(command, interrupt=limits[0])
            results.append(case)
            print(case, file=sys.stderr, flush=True)
    print(measuring.where(circumstances))
    print(table(results, limits))
    overruns = [run["overrun_seconds"] for case in results for run in case.values()
                if isinstance(run, dict)]
    late = sum(over > ALLOWED for over in overruns)
    print(f"{len(overruns)} runs, {late} more than {ALLOWED} s late, at most {max(overruns):.2f} s.")
    if options.save:
        measuring.save(options.save, {"circumstances": circumstances, "threads": options.threads,
                                      "cases": results})
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())

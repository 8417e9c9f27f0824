"""Every command with JSON output, on problems that take no time: what it writes, by format.

A run is the words of a command; `OUT` in them is a file that it writes. Later runs read what
earlier ones wrote.
"""
import json
import os
import subprocess

from workbench import ARCH, CHAIN, CIM, CROSSBAR, CROSSBAR_NETWORK, LAYER, NETWORK

DEVICE = """
device:
  name: pair
  unit: arch.yaml
  capacity: 4096
  cycle: 0.5
  launch: 7
  levels:
    - {name: unit, count: 4, write_bandwidth: 4, read_bandwidth: 2, broadcast: true, energy: 0.25}
    - {name: channel, count: 2}
"""
SPACE = """
explore:
  arch: {arch}
  networks: {network}
  objective: {objective}
  vary: {vary}
  cost: {cost}
"""
# Every key that an architecture may have, and one that says nothing.
FULL = """
name: full
pe_array: {dim_h: 2, dim_w: 2, unit_type: reduction_tree, num_macs: 2, internal_dim: C, mac_energy: "1/3", reduction_latency: 1}
memory_hierarchy:
  - {name: PE, entries: 8, blocksize: 1, instances: 1, latency: 1, access_cost: 0.001, num_read_ports: 1, num_write_ports: 1,
     stores: [true, true, true]}
  - {name: GB, entries: 64, blocksize: 4, latency: "1/3", access_cost: 0.01, stores: [true, true, true], ports: shared,
     bypass_defined: false, read_bandwidth: "1/3", write_bandwidth: 2}
  - {name: RB, entries: 32, blocksize: 4, latency: 1, access_cost: 0.01, stores: [true, true, true], row_buffer_size: 32}
  - {name: DRAM, entries: -1, access_cost: 0.1, stores: [true, true, true], num_banks: 2}
dram_timings: {tRCDRD: 14, tRP: 14, RL: 2, WL: 1, BL: 1, co_w: 1, activation_latency: "1/3"}
bits: {input: 4, weight: 4, output: 16}
packing: bit
dram_streams: shared
psum_rereads: true
interconnect_bandwidth: 4
activation_energy: 0.5
"""
MIXED = "Minimize\n obj: x + 2 y\nSubject To\n c1: x + y >= 1\n c2: x - y <= {}\nEnd\n"
FIXED = """
constraints:
  spatial:
    H: {K: "<=2"}
  temporal:
    - {level: GB, factors: {P: "<=4"}, order: [K, C]}
"""

UNIT = ["--arch", "arch.yaml", "--layer", "layer.yaml"]
NET = ["--arch", "arch.yaml", "--network", "network.yaml"]
DEV = ["--device", "device.yaml", "--layer", "layer.yaml"]
MACRO = ["--arch", "cim.yaml", "--layer", "layer.yaml"]
BARS = ["--arch", "crossbar.yaml", "--network", "two.yaml"]


def _json(*words, name="OUT"):
    return [word.replace("OUT", name) for word in (*words, "--json", "OUT.json")]


RUNS = [
    # one unit
    _json("map", *UNIT, "--log", "OUT.jsonl", "--proof", "OUT.proof", name="best"),
    _json("map", *UNIT, "--objective", "latency,energy", "--timeless"),
    _json("map", *UNIT, "--objective", "blended", "--alpha", "1/3", "--beta", "2", "--node-limit", "1"),
    _json("map", *UNIT, "--objective", "energy", "--at-most", "latency=1", "--proof", "OUT.proof"),
    _json("map", *UNIT, "--objective", "edp", "--at-most", "latency=1e9", "--row-model", "trace",
          "--time-limit", "100", "--threads", "2"),
    _json("map", *UNIT, "--objective", "edp", "--pad", "20%", "--proof", "OUT.proof", "--log", "OUT.jsonl"),
    _json("map", *UNIT, "--constraints", "fixed.yaml"),
    _json("map", *UNIT, "--method", "greedy"),
    _json("map", *UNIT, "--method", "random", "--samples", "20", "--seed", "3"),
    _json("map", *UNIT, "--method", "ws", name="stationary"),
    _json("map", "--arch", "too_small.yaml", "--layer", "layer.yaml"),
    _json("map", *UNIT, "--set", "input_order=free", "--row-model", "hybrid", "--without", "lp"),
    ["map", *UNIT, "--instance", "OUT.instance"],
    _json("map", "--arch", "full.yaml", "--layer", "layer.yaml", "--proof", "OUT.proof", name="full"),
    _json("evaluate", "--arch", "full.yaml", "--layer", "layer.yaml", "--mapping", "full.json"),
    _json("audit", "--arch", "full.yaml", "--layer", "layer.yaml", "--mapping", "full.json"),
    _json("map", "--arch", "arch.yaml", "--layer", "part.yaml", "--objective", "blended", "--alpha", "1/3"),
    # audits, evaluations, traces
    _json("evaluate", *UNIT, "--mapping", "best.json"),
    _json("evaluate", *UNIT, "--mapping", "best.json", "--row-model", "analytic"),
    _json("audit", *UNIT, "--mapping", "stationary.json", "--objective", "edp", "--proof", "OUT.proof", "--log", "OUT.jsonl"),
    _json("audit", *UNIT, "--mapping", "stationary.json", "--objective", "latency,energy", "--node-limit", "1"),
    _json("audit", *UNIT, "--mapping", "stationary.json", "--layout", "best", "--timeless"),
    _json("trace", *UNIT, "--mapping", "best.json", "--output", "rows.trace"),
    _json("top", *UNIT, "--k", "3", "--log", "OUT.jsonl"),
    _json("top", *UNIT, "--within", "1%", "--most", "2", "--objective", "energy"),
    _json("top", *UNIT, "--k", "2", "--node-limit", "1", "--objective", "edp"),
    _json("pareto", *UNIT, "--log", "OUT.jsonl", "--proof", "OUT.proof"),
    _json("pareto", *UNIT, "--within", "5%"),
    _json("pareto", *UNIT, "--points", "2", "--node-limit", "1"),
    _json("pareto", *NET),
    _json("explain", *UNIT, "--at-most", "latency=1", "--log", "OUT.jsonl"),
    _json("explain", *UNIT, "--at-most", "latency=1", "--at-most", "energy=0.001", "--node-limit", "1", "--log", "OUT.jsonl"),
    _json("explain", *UNIT),
    _json("explain", "--arch", "too_small.yaml", "--layer", "layer.yaml", "--method", "ws", "--constraints", "fixed.yaml"),
    _json("sensitivity", *UNIT, "--log", "OUT.jsonl"),
    _json("sensitivity", *UNIT, "--parameter", "pe_array.dim_h", "--range", "1..4"),
    _json("sensitivity", *UNIT, "--objective", "energy", "--node-limit", "1"),
    # networks
    _json("network", *NET, "--log", "OUT.jsonl"),
    _json("network", *NET, "--objective", "latency,energy", "--fix-bypass", "--timeless"),
    _json("network", *NET, "--fix-permutation", "--node-limit", "1"),
    _json("network", *NET, "--objective", "edp", "--per-layer"),
    _json("network", *NET, "--method", "ws"),
    _json("network", *NET, "--pad", "20%"),
    _json("network", "--arch", "arch.yaml", "--network", "squares.yaml", "--agree-layouts", "--log", "OUT.jsonl"),
    _json("network", "--arch", "arch.yaml", "--network", "squares.yaml", "--agree-layouts", "--node-limit", "1",
          "--timeless"),
    # whole devices
    _json("map", *DEV, "--log", "OUT.jsonl", "--proof", "OUT.proof", name="device"),
    _json("map", *DEV, "--objective", "latency,energy", "--moves", "none", "--timeless"),
    _json("map", *DEV, "--objective", "energy", "--node-limit", "1"),
    _json("map", *DEV, "--objective", "energy", "--at-most", "latency=1"),
    _json("evaluate", *DEV, "--mapping", "device.json"),
    _json("audit", *DEV, "--mapping", "device.json", "--objective", "energy"),
    _json("trace", *DEV, "--mapping", "device.json", "--output", "device.trace"),
    _json("trace", *DEV, "--mapping", "device.json", "--stream", "links", "--output", "links.csv"),
    _json("network", "--device", "device.yaml", "--network", "network.yaml", "--log", "OUT.jsonl"),
    _json("network", "--device", "device.yaml", "--network", "squares.yaml", "--moves", "auto", "--stay"),
    # SRAM compute-in-memory
    _json("map", *MACRO, "--log", "OUT.jsonl", "--proof", "OUT.proof", name="macro"),
    _json("map", *MACRO, "--objective", "edp", "--semantics", "simulator", "--timeless"),
    _json("map", *MACRO, "--objective", "energy", "--at-most", "latency=1", "--proof", "OUT.proof"),
    _json("map", *MACRO, "--objective", "latency", "--node-limit", "1"),
    _json("map", *MACRO, "--objective", "latency", "--factors", "prime", "--double", "off"),
    _json("map", "--arch", "doubled.yaml", "--layer", "layer.yaml", "--proof", "OUT.proof"),
    _json("map", *MACRO, "--method", "greedy"),
    _json("map", *MACRO, "--pad", "even"),
    _json("evaluate", *MACRO, "--mapping", "macro.json"),
    _json("audit", *MACRO, "--mapping", "macro.json", "--objective", "energy", "--log", "OUT.jsonl"),
    _json("trace", *MACRO, "--mapping", "macro.json", "--output", "timeline.jsonl"),
    _json("network", "--arch", "cim.yaml", "--network", "network.yaml", "--log", "OUT.jsonl"),
    _json("pareto", *MACRO, "--log", "OUT.jsonl"),
    _json("sensitivity", *MACRO, "--objective", "energy", "--log", "OUT.jsonl"),
    _json("sensitivity", *MACRO, "--parameter", "leakage", "--range", "0..1", "--objective", "edp"),
    _json("sensitivity", *MACRO, "--node-limit", "1"),
    _json("top", *MACRO, "--k", "3", "--objective", "edp", "--log", "OUT.jsonl"),
    _json("top", *MACRO, "--within", "1%", "--most", "2", "--objective", "energy,latency"),
    _json("top", *MACRO, "--k", "2", "--node-limit", "1", "--objective", "blended"),
    _json("explain", *MACRO, "--at-most", "latency=1", "--log", "OUT.jsonl"),
    _json("explain", *MACRO, "--at-most", "energy=1", "--method", "ws", "--double", "off"),
    _json("explain", *MACRO, "--at-most", "latency=1", "--node-limit", "1"),
    _json("pareto", *MACRO, "--node-limit", "40", "--at-most", "energy=1e6"),
    _json("pareto", "--arch", "cim.yaml", "--network", "network.yaml", "--points", "2"),
    _json("network", "--arch", "cim.yaml", "--network", "network.yaml", "--objective", "edp", "--node-limit", "1"),
    # crossbars
    _json("network", *BARS, "--log", "OUT.jsonl", "--proof", "OUT.proof", name="bars"),
    _json("network", *BARS, "--objective", "ll", "--proof", "OUT.proof", "--timeless"),
    _json("pareto", *BARS, "--log", "OUT.jsonl"),
    _json("pareto", *BARS, "--axes", "ll,ht", "--points", "2", "--timeless"),
    _json("pareto", *BARS, "--node-limit", "3"),
    _json("pareto", *BARS, "--set", "core.crossbars=1"),
    _json("top", *BARS, "--k", "3", "--log", "OUT.jsonl"),
    _json("top", *BARS, "--objective", "ll", "--within", "10%", "--most", "2", "--timeless"),
    _json("top", *BARS, "--node-limit", "1"),
    _json("top", *BARS, "--set", "core.enforce_local_memory=true", "--k", "2"),
    _json("top", *BARS, "--set", "core.crossbars=1"),
    _json("network", *BARS, "--method", "uniform", "--simulate", "--stream", "stream.jsonl"),
    _json("network", *BARS, "--objective", "sim", "--node-limit", "3"),
    _json("evaluate", *BARS, "--mapping", "bars.json"),
    _json("evaluate", *BARS, "--mapping", "bars.json", "--simulate", "--policy", "exact"),
    _json("audit", *BARS, "--mapping", "bars.json", "--log", "OUT.jsonl"),
    _json("explain", *BARS, "--log", "OUT.jsonl"),
    _json("explain", *BARS, "--at-most", "ht=1", "--at-most", "ll=1.5", "--log", "OUT.jsonl"),
    _json("explain", *BARS, "--set", "core.enforce_local_memory=true", "--set", "core.local_memory=1"),
    _json("sensitivity", *BARS, "--log", "OUT.jsonl"),
    _json("sensitivity", *BARS, "--objective", "ll", "--parameter", "cores", "--range", "1..4"),
    _json("sensitivity", *BARS, "--node-limit", "1", "--timeless"),
    # spaces, studies, benchmarks, linear programs
    _json("explore", "space.yaml"),
    _json("explore", "space.yaml", "--prune", "--timeless"),
    _json("rowmodel", *NET, "--samples", "20"),
    _json("rowmodel", "--tile", "1x3x3", "--plane", "24x24", "--row", "64"),
    _json("bench", "--arch", "simple_pim", "--network", "resnet18:fc", "--objective", "edp", "--log", "OUT.jsonl"),
    _json("bench", "--arch", "simple_pim", "--network", "resnet18:fc", "--row-model", "hybrid", "--objective",
          "energy", "--ablation", "--timeless"),
    _json("bench", "--device", "gddr6_aim_sdk_chip", "--network", "decode_gemvs:gemv_1024", "--objective", "latency"),
    _json("bench", "--arch", "miredo_default", "--network", "resnet18:fc", "--objective", "edp"),
    _json("bench", "--study", "cim", "--network", "resnet18:fc", "--objective", "edp", "--parts",
          "spaces,accuracy,contention", "--samples", "10"),
    _json("lp", "mixed.lp"),
    _json("lp", "infeasible.lp"),
    _json("lp", "unbounded.lp"),
]
FILES = {
    "layer.yaml": LAYER,
    "network.yaml": NETWORK,
    "squares.yaml": CHAIN.replace("13", "3").replace("16", "2").replace("32", "2"),
    "arch.yaml": ARCH.replace("PE_BYTES", "4"),
    "too_small.yaml": ARCH.replace("PE_BYTES", "2"),
    "full.yaml": FULL,
    "doubled.yaml": CIM.replace("stores: [false, true, false]}", "stores: [false, true, false], double_buffer: true}"),
    "part.yaml": LAYER.replace("N: 1}", "N: 1, G: 2, stride: [2, 1], dilation: [1, 2], weight: 0.5}"),
    "device.yaml": DEVICE,
    "cim.yaml": CIM,
    "crossbar.yaml": CROSSBAR,
    "two.yaml": CROSSBAR_NETWORK,
    "fixed.yaml": FIXED,
    "space.yaml": SPACE.format(arch="arch.yaml", network="network.yaml", objective="edp",
                               vary="{pe_array.dim_h: [1, 2]}", cost="pe_array.dim_h"),
    "mixed.lp": MIXED.format(3),
    "infeasible.lp": MIXED.format(3).replace("End", " c3: x + y <= 0\nEnd"),
    "unbounded.lp": "Minimize\n obj: - x\nSubject To\n c1: y <= 1\nEnd\n",
}


def run_all(pimbb, folder):
    """Runs all; yields (words, file, documents). A line of a log or of a proof is a document."""
    for name, text in FILES.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    for number, words in enumerate(RUNS):
        named = [word.replace("OUT", str(number)) for word in words]
        done = subprocess.run([pimbb, *named, "--quiet"], cwd=folder, capture_output=True, text=True,
                              encoding="utf-8", check=False, timeout=300)
        if done.returncode not in (0, 3, 4, 5):
            raise AssertionError(f"{' '.join(named)}: exit code {done.returncode}: {done.stderr}")
        for word in named:
            if not word.endswith((".json", ".jsonl", ".proof", ".instance")) or named[named.index(word) - 1] == "--mapping":
                continue
            with open(os.path.join(folder, word), encoding="utf-8") as file:
                text = file.read()
            if word.endswith(".json"):
                yield named, word, [json.loads(text)]
            elif word.endswith(".proof"):
                yield named, word, [json.loads(line.removeprefix("instance "))
                                    for line in text.splitlines() if line.startswith("instance ")]
            else:
                yield named, word, [json.loads(line) for line in text.splitlines()]

#!/usr/bin/env python3
"""How effort grows with the problem: channels, memory levels, free bypasses.

    bench/scaling.py [sizes] [hierarchies] [--time-limit SECONDS] [--largest K] [--save FILE]

sizes        a 1 x 1 convolution (P = Q = 14) and a matrix product (P = 128) with C = K = 2^4 ..
             2^K on simple_pim; the slope of log time over log C.
hierarchies  simple_pim with 0 to 3 more buffers outside its global buffer, 4 to 7 levels in all,
             and with free bypass on none to all of the on-chip levels, the outermost freed first.
             Each freed level doubles the choice for each of three tensors.

The row model is `hybrid`. Every case runs in its own process, under the time limit.
"""
import copy
import sys

import measuring

OBJECTIVES = ("latency", "energy", "edp")
STUDIES = ("sizes", "hierarchies")

# The figures of the preset simple_pim, with a row buffer that costs more than the buffers before it,
# so that every level added can pay off.
SIMPLE = {
    "name": "simple_pim_deep",
    "pe_array": {"dim_h": 8, "dim_w": 8, "unit_type": "scalar", "num_macs": 1,
                 "mac_energy": 0.00056},
    "memory_hierarchy": [
        {"name": "PELocalBuffer", "entries": 16, "blocksize": 4, "instances": 64, "latency": 1,
         "access_cost": 0.001, "stores": [True, True, True]},
        {"name": "GlobalBuffer", "entries": 128, "blocksize": 4, "instances": 1, "latency": 1,
         "access_cost": 0.01, "stores": [True, True, True], "read_bandwidth": 32,
         "write_bandwidth": 32, "num_read_ports": 8, "num_write_ports": 1},
        {"name": "RowBuffer", "entries": 1024, "blocksize": 16, "instances": 1, "latency": 1,
         "access_cost": 0.05, "stores": [True, True, True], "num_banks": 4,
         "row_buffer_size": 1024, "read_bandwidth": 16, "write_bandwidth": 16},
        {"name": "LocalDRAM", "entries": -1, "blocksize": 1024, "instances": 1, "latency": 25,
         "access_cost": 0.1, "stores": [True, True, True], "num_banks": 4,
         "row_buffer_size": 1024},
    ],
    "dram_timings": {"tRCDRD": 14, "tRP": 14},
}


def hierarchy(extra, free):
    """`extra` buffers of 256, 512, 1024 bytes; the `free` outermost on-chip levels may be
    bypassed."""
    architecture = copy.deepcopy(SIMPLE)
    levels = architecture["memory_hierarchy"]
    for k in range(extra):
        levels.insert(2 + k, {**levels[1], "name": f"Buffer{k + 2}", "entries": 256 << k,
                              "access_cost": round(0.015 + 0.01 * k, 3)})
    on_chip = 2 + extra
    for level in levels[on_chip - free:on_chip]:
        level["bypass_defined"] = False
    return architecture


def layer(name, **bounds):
    return {"name": name, **{d: bounds.get(d, 1) for d in "RSPQCKN"}}


def study_sizes(options, solve):
    cases = []
    for k in range(4, options.largest + 1):
        n = 1 << k
        for shape in (layer(f"conv1x1_{n}", P=14, Q=14, C=n, K=n),
                      layer(f"product_{n}", P=128, C=n, K=n)):
            for objective in OBJECTIVES:
                case = solve("simple_pim", shape, objective)
                cases.append({"shape": shape["name"].split("_")[0], "channels": n, **case})
    return cases


def show_sizes(cases):
    print("### Channels: C = K on simple_pim\n")
    shapes = list(dict.fromkeys(case["shape"] for case in cases))
    columns = [(shape, objective) for shape in shapes for objective in OBJECTIVES]

    def find(n, column):
        return next(c for c in cases if (c["channels"], c["shape"], c["objective"]) == (n, *column))

    rows = [[n] + [measuring.effort(find(n, column)) for column in columns]
            for n in dict.fromkeys(case["channels"] for case in cases)]
    slopes = []
    for column in columns:
        points = [(c["channels"], c["seconds"]) for c in cases
                  if (c["shape"], c["objective"]) == column and c["status"] == "optimal"]
        slopes.append(f"{measuring.slope(points):.2f}")
    rows.append(["slope of log time over log C"] + slopes)
    print(measuring.table(["C = K"] + [f"{s}, {o}" for s, o in columns], rows))


def study_hierarchies(options, solve):
    cases = []
    for extra in range(options.most_buffers + 1):
        for free in range(extra + 3):
            for source in ("resnet18:conv3_x", "bert_base:qkv"):
                for objective in OBJECTIVES:
                    case = solve(hierarchy(extra, free), source, objective)
                    cases.append({**case, "layer": source, "levels": 4 + extra, "free": free})
    return cases


def show_hierarchies(cases):
    print("### Memory levels and free bypasses\n")
    rows = []
    for key in dict.fromkeys((c["layer"], c["levels"], c["free"]) for c in cases):
        row = [c for c in cases if (c["layer"], c["levels"], c["free"]) == key]
        memory = max(c.get("peak_memory_bytes", 0) for c in row) / 2**20
        rows.append([key[0], key[1], f"{key[2]} of {key[1] - 2}",
                     *(measuring.effort(c) for c in row), f"{memory:.0f} MiB" if memory else "-"])
    rows.sort(key=lambda row: row[0])
    print(measuring.table(["layer", "levels", "free", *OBJECTIVES, "memory"], rows))


def main():
    parser = measuring.parser(__doc__)
    parser.add_argument("study", nargs="*", default=[], metavar="STUDY",
                        help=f"{' or '.join(STUDIES)}; both if none is named")
    parser.add_argument("--time-limit", type=float, default=30, help="seconds for each case")
    parser.add_argument("--largest", type=int, default=14, help="sizes: log2 of the largest C")
    parser.add_argument("--most-buffers", type=int, default=3, choices=range(4),
                        help="hierarchies: buffers added at most")
    options = parser.parse_args()
    unknown = set(options.study) - set(STUDIES)
    if unknown:
        parser.error(f"no study '{unknown.pop()}'; there are {', '.join(STUDIES)}")

    def solve(architecture, shape, objective):
        name = shape if isinstance(shape, str) else shape["name"]
        print(f"{name} {objective}", file=sys.stderr)
        return measuring.solve_case(options.pimbb, architecture, shape, "hybrid", objective,
                                    threads=options.threads, time_limit=options.time_limit)

    document = {"format": "pimbb-scaling/1", "circumstances": measuring.circumstances(),
                "threads": options.threads, "time_limit": options.time_limit}
    print(measuring.where(document["circumstances"]))
    for study in options.study or STUDIES:
        document[study] = globals()[f"study_{study}"](options, solve)
        globals()[f"show_{study}"](document[study])
        if options.save:
            measuring.save(options.save, document)


if __name__ == "__main__":
    main()

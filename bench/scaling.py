#!/usr/bin/env python3
"""How effort grows with the problem: channels, memory levels, free bypasses.

    bench/scaling.py [sizes] [hierarchies] [--time-limit SECONDS] [--bounds SET] [--largest K]
                     [--save FILE]

sizes        a 1 x 1 convolution (P = Q = 14) and a matrix product (P = 128) with C = K = 2^4 ..
             2^K on simple_pim; the slope of log time over log C.
hierarchies  simple_pim with one to four shared buffers, 4 to 7 levels in all, and with free bypass
             on none to all of the on-chip levels, the outermost freed first: each freed level
             doubles the choices for each of three tensors. Capacities and energies lie on a
             geometric scale between those of the PE's buffer and of the row buffer, as along a
             real hierarchy.

The row model is `hybrid`. Every case runs in its own process, under the time limit. `--bounds` is
that of pimbb, to compare its bounds on the same problems.
"""
import sys

import measuring

OBJECTIVES = ("latency", "energy", "edp")
STUDIES = ("sizes", "hierarchies")
LAYERS = ("resnet18:conv3_x", "bert_base:qkv")

# The figures of the preset simple_pim, except that a row buffer access costs half of one in DRAM, so
# that every level added before it can pay off.
PE_BUFFER = {"name": "PELocalBuffer", "entries": 16, "blocksize": 4, "latency": 1,
             "access_cost": 0.001, "stores": [True, True, True]}
SHARED = {"stores": [True, True, True],
          "read_bandwidth": 32, "write_bandwidth": 32, "num_read_ports": 8, "num_write_ports": 1}
ROW_BUFFER = {"name": "RowBuffer", "entries": 1024,
              "access_cost": 0.05, "stores": [True, True, True], "num_banks": 4,
              "row_buffer_size": 1024, "read_bandwidth": 16, "write_bandwidth": 16}
DRAM = {"name": "LocalDRAM", "entries": -1, "access_cost": 0.1, "stores": [True, True, True]}


def hierarchy(buffers, free):
    """With `buffers` shared ones; the `free` outermost on-chip levels may be bypassed."""
    def between(key, k):
        return PE_BUFFER[key] * (ROW_BUFFER[key] / PE_BUFFER[key]) ** (k / (buffers + 1))

    shared = [{"name": f"Buffer{k}", **SHARED, "entries": 16 * round(between("entries", k) / 16),
               "access_cost": round(between("access_cost", k), 4)} for k in range(1, buffers + 1)]
    on_chip = [dict(PE_BUFFER), *shared]
    for level in on_chip[len(on_chip) - free:]:
        level["bypass_defined"] = False
    return {"name": "simple_pim_deep",
            "pe_array": {"dim_h": 8, "dim_w": 8, "unit_type": "scalar", "num_macs": 1,
                         "mac_energy": 0.00056},
            "memory_hierarchy": [*on_chip, ROW_BUFFER, DRAM],
            "dram_timings": {"tRCDRD": 14, "tRP": 14}}


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
    for buffers in range(1, options.most_buffers + 1):
        for free in range(buffers + 2):
            for source in LAYERS:
                for objective in OBJECTIVES:
                    case = solve(hierarchy(buffers, free), source, objective)
                    cases.append({**case, "layer": source, "levels": 3 + buffers, "free": free})
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
    parser.add_argument("--most-buffers", type=int, default=4, choices=range(1, 5),
                        help="hierarchies: shared buffers at most")
    parser.add_argument("--bounds", help="as pimbb's option; its default if not given")
    options = parser.parse_args()
    unknown = set(options.study) - set(STUDIES)
    if unknown:
        parser.error(f"no study '{unknown.pop()}'; there are {', '.join(STUDIES)}")

    def solve(architecture, shape, objective):
        name = shape if isinstance(shape, str) else shape["name"]
        print(f"{name} {objective}", file=sys.stderr)
        return measuring.solve_case(options.pimbb, architecture, shape, "hybrid", objective,
                                    threads=options.threads, time_limit=options.time_limit,
                                    bounds=options.bounds)

    document = {"format": "pimbb-scaling/1", "circumstances": measuring.circumstances(),
                "threads": options.threads, "time_limit": options.time_limit,
                "bounds": options.bounds}
    print(measuring.where(document["circumstances"]))
    for study in options.study or STUDIES:
        document[study] = globals()[f"study_{study}"](options, solve)
        globals()[f"show_{study}"](document[study])
        if options.save:
            measuring.save(options.save, document)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Whether other solvers, with their default options, find the optimum of what `pimbb export` writes.

    bench/exports.py [--small N] [--tight N] [--cases FILE] [--limit SECONDS] [--solvers cbc,highs]
                     [--seed N] [--reuse FILE] [--save FILE]

N small random layers (bounds up to 8) on presets and on hierarchies with free bypass, in all linear
objectives and row models, then N on small arrays whose memories hardly hold a tile of each tensor,
then the problems of a cases file (bench/peers.txt). Every solver of
bench/solvers.py on PATH gets each of them as MPS. Right is the optimum that `pimbb map` proves, or a
value within 1e-4 of it, the gap that some tolerate by default; a solver that does not end within the
limit (CPU seconds) is neither right nor wrong. --reuse takes from an earlier record, of the same limit,
what a solver said of the same file: a solver more is measured alone.
"""
import json
import os
import random
import sys
import tempfile

import measuring
import peers
import scaling
import solvers as known

PRESETS = ("simple_pim", "default_pim", "hbm_pim", "gddr6_aim", "upmem")
HIERARCHIES = ((1, 2), (2, 1), (2, 3))  # shared buffers, levels with free bypass
OBJECTIVES = ("latency", "energy", "activations", "blended")
ROW_MODELS = ("hybrid", "analytic")
TOLERATED = 1e-4


def written(folder, name, document):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file)
    return path


def small_case(number, seed, folder):
    """A case as in a cases file, its layer and architecture in files of `folder`."""
    chance = random.Random(f"{seed}/{number}")
    architecture = chance.choice(PRESETS)
    if chance.random() < 0.5:
        architecture = written(folder, "arch.json", scaling.hierarchy(*chance.choice(HIERARCHIES)))
    bounds = {dim: chance.choice((1, 2, 3, 4, 6, 8)) for dim in "PQCKN"}
    bounds["R"] = bounds["S"] = chance.choice((1, 3))
    network = written(folder, "net.json", {"layers": [scaling.layer("small", **bounds)]})
    return architecture, f"{network}:small", chance.choice(ROW_MODELS), chance.choice(OBJECTIVES)


def tight_case(number, seed, folder):
    """The like with 3 to 8 entries in each PE of a small array."""
    chance = random.Random(f"{seed}/tight/{number}")
    tight = scaling.hierarchy(1, 0)
    tight["pe_array"] |= dict(zip(("dim_h", "dim_w"), chance.choice(((2, 1), (2, 2), (4, 2)))))
    tight["memory_hierarchy"][0] |= {"entries": chance.choice((3, 4, 6, 8)), "blocksize": 1}
    bounds = {"R": chance.choice((1, 1, 2, 3)), "P": chance.choice((1, 2, 4)),
              **{dim: chance.choice((2, 4, 8)) for dim in "CK"}}
    network = written(folder, "net.json", {"layers": [scaling.layer("tight", **bounds)]})
    return (written(folder, "arch.json", tight), f"{network}:tight", chance.choice(ROW_MODELS),
            chance.choice(("latency", "energy")))


def verdict(ours, theirs):
    if theirs["status"] not in measuring.CLOSED:
        return "failed" if theirs["status"] == "failed" else "open"
    if theirs["status"] != ours["status"]:
        return "wrong"
    if ours["status"] == "infeasible":
        return "right"
    near = TOLERATED * max(1, abs(ours["value"]))
    return "right" if abs(ours["value"] - theirs["value"]) <= near else "wrong"


def earlier_answers(path, limit):
    """The rows of an earlier record by the hash of the file, and where they were measured."""
    if not path:
        return {}, None
    record = peers.read_record(path)
    if record["circumstances"]["limit"] != limit:
        sys.exit(f"--reuse: {path}: with --limit {record['circumstances']['limit']:g}, this is {limit:g}")
    return {row["sha256"]: row for row in record["rows"]}, record["circumstances"]


def checked(options, name, case, solvers, folder):
    path = os.path.join(folder, "problem.mps")
    about, scale = peers.export(options.pimbb, case, path)
    ours = peers.answer_of(options.pimbb, case, folder)
    row = {"case": name, **about, "pimbb": ours}
    for solver in solvers:
        theirs = options.earlier.get(about["sha256"], {}).get(solver.program)
        theirs = theirs or peers.in_units(solver.run(path, options.limit, folder), scale)
        row[solver.program] = {**theirs, "verdict": verdict(ours, theirs)}
        if row[solver.program]["verdict"] == "wrong":
            print(f"{name}: {solver.program} says {theirs['status']} {theirs.get('value')}, the "
                  f"optimum is {ours['value']}", file=sys.stderr)
    return row


def main():
    parser = measuring.parser(__doc__, threads=False)
    parser.add_argument("--small", type=int, default=50, help="random small layers")
    parser.add_argument("--tight", type=int, default=30, help="those with small memories")
    parser.add_argument("--cases", default=str(measuring.ROOT / "bench/peers.txt"),
                        help="a file with lines ARCH NETWORK:LAYER ROW_MODEL OBJECTIVE")
    parser.add_argument("--limit", type=float, default=60, help="CPU seconds for each solver")
    parser.add_argument("--solvers", help="only these, separated by commas")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reuse", metavar="FILE", help="a record with answers of some solvers")
    options = parser.parse_args()
    options.earlier, others = earlier_answers(options.reuse, options.limit)
    solvers = peers.solvers_on_path(parser, options.solvers)
    rows = []
    with tempfile.TemporaryDirectory(prefix="pimbb-exports-") as folder:
        for group, count, make in (("small", options.small, small_case),
                                   ("tight", options.tight, tight_case)):
            for number in range(count):
                case = make(number, options.seed, folder)
                rows.append({"group": group, **checked(options, f"{group} {number}", case, solvers,
                                                       folder)})
        for case in peers.read_cases(options.cases):
            rows.append({"group": "cases", **checked(options, " ".join(case), case, solvers,
                                                     folder)})
    circumstances = {**measuring.circumstances(), "seed": options.seed, "limit": options.limit}
    print(measuring.where(circumstances))
    if others:
        print("Answers of an earlier record: " + measuring.where(others))
    print(measuring.table(
        ["problems", "solver", "version", "right", "wrong", "not finished", "ended early"],
        [[group, solver.program,
          next((row[solver.program]["version"] for row in rows if row[solver.program]["version"]),
               "unknown"),
          *(sum(row["group"] == group and row[solver.program]["verdict"] == word for row in rows)
            for word in ("right", "wrong", "open", "failed"))]
         for group in ("small", "tight", "cases") for solver in solvers]))
    if options.save:
        measuring.save(options.save, {"circumstances": circumstances, "others": others, "rows": rows})
    if any(row[solver.program]["verdict"] == "wrong" for row in rows for solver in solvers):
        sys.exit("a solver is wrong about an exported program: see above")


if __name__ == "__main__":
    try:
        main()
    except measuring.Failed as failure:
        sys.exit(str(failure))

#!/usr/bin/env python3
"""pimbb against general MILP solvers, on the same problems.

    bench/peers.py [--cases FILE] [--time-limit SECONDS] [--solvers cbc,highs] [--threads N]
                   [--save FILE]

`pimbb export` writes each problem as MPS; every solver found on PATH (cbc, glpsol, highs, scip,
gurobi_cl) gets it with the same time limit and number of threads (glpsol has one only) and no
tolerated gap. Times are wall time of the whole process, for pimbb as well; writing the file is not
counted. Where a solver does not finish, its gap stands in the table: (value - bound) / value, or no
value at all. An optimum that differs from pimbb's by more than 1e-6 is reported as such.

Lines of a cases file: ARCH LAYER ROW_MODEL OBJECTIVE (latency, energy, activations or blended: EDP
is not linear). Without one: generated small layers, then real ones of growing size.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import measuring

SMALL = {  # R S P Q C K N
    "product_4x8x8": (1, 1, 4, 1, 8, 8, 1),
    "product_16x16x16": (1, 1, 16, 1, 16, 16, 1),
    "conv_3x3_4x4_c4_k4": (3, 3, 4, 4, 4, 4, 1),
    "conv_3x3_8x8_c8_k8": (3, 3, 8, 8, 8, 8, 1),
}
REAL = ("alexnet:fc8", "resnet18:fc", "resnet18:conv5_down", "bert_base:qkv", "resnet18:conv5_x",
        "resnet18:conv3_x", "resnet18:conv2_x")
OBJECTIVES = ("latency", "energy", "blended")
NUMBER = r"([-+]?[\d.]+(?:[eE][-+]?\d+)?)"


class Solver:
    """How to call one solver, and how to read its log: status, value, bound."""

    def __init__(self, program, command, optimal, infeasible, value, bound):
        self.program = program
        self.command = command
        self.optimal = optimal
        self.infeasible = infeasible
        self.value = value
        self.bound = bound

    def run(self, problem, limit, threads, folder):
        command = self.command(problem, limit, threads, folder)
        log = os.path.join(folder, "log")
        begin = time.monotonic()
        with open(log, "w", encoding="utf-8") as out:
            process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, cwd=folder,
                                       stdin=subprocess.DEVNULL)
            try:
                process.wait(timeout=2 * limit + 30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        elapsed = time.monotonic() - begin
        with open(log, encoding="utf-8", errors="replace") as file:
            return {"seconds": elapsed, **self.read(file.read())}

    def read(self, log):
        def last(pattern):
            found = re.findall(pattern, log)
            return float(found[-1]) if found else None
        if re.search(self.infeasible, log):
            return {"status": "infeasible"}
        value, bound = last(self.value), last(self.bound)
        if re.search(self.optimal, log) and value is not None:
            return {"status": "optimal", "value": value}
        result = {"status": "feasible" if value is not None else "unknown", "value": value,
                  "bound": bound}
        if value is not None and abs(value) > 1e20:  # how some say that there is none
            result.update(status="unknown", value=None)
        return result


def highs(problem, limit, threads, folder):
    options = os.path.join(folder, "highs.options")
    with open(options, "w", encoding="utf-8") as file:
        file.write(f"threads = {threads}\nmip_rel_gap = 0\nmip_abs_gap = 0\n")
    return ["highs", "--time_limit", str(limit), "--options_file", options, problem]


SOLVERS = [
    Solver("cbc",
           lambda problem, limit, threads, _: [
               "cbc", problem, "-timeMode", "elapsed", "-sec", str(limit), "-threads",
               str(threads), "-ratioGap", "0", "-allowableGap", "0", "-solve"],
           r"Result - Optimal solution found", r"Result - (?:Problem proven|Linear.*) infeasible",
           r"Objective value: +" + NUMBER, r"(?:Lower bound: +|best possible )" + NUMBER),
    Solver("glpsol",
           lambda problem, limit, threads, folder: [
               "glpsol", "--freemps", problem, "--cuts", "--tmlim", str(max(1, int(limit))), "-w",
               os.path.join(folder, "glpsol.solution")],
           r"INTEGER OPTIMAL SOLUTION FOUND",
           r"HAS NO (?:PRIMAL|INTEGER) FEASIBLE SOLUTION",
           r"mip = +" + NUMBER, r"mip = .* >= +" + NUMBER),
    Solver("highs", highs, r"Status +Optimal", r"Status +Infeasible",
           r"Primal bound +" + NUMBER, r"Dual bound +" + NUMBER),
    Solver("scip",
           lambda problem, limit, threads, _: [
               "scip", "-c", f"set limits time {limit}", "-c", f"set lp threads {threads}", "-c",
               f"read {problem}", "-c", "optimize", "-c", "quit"],
           r"\[optimal solution found\]", r"\[infeasible\]",
           r"Primal Bound +: +" + NUMBER, r"Dual Bound +: +" + NUMBER),
    Solver("gurobi_cl",
           lambda problem, limit, threads, _: [
               "gurobi_cl", f"TimeLimit={limit}", f"Threads={threads}", "MIPGap=0", "MIPGapAbs=0",
               problem],
           r"Optimal solution found", r"Model is infeasible",
           r"Best objective " + NUMBER, r"best bound " + NUMBER),
]


def default_cases(folder):
    for name, bounds in SMALL.items():
        path = os.path.join(folder, name + ".yaml")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"name": name, **dict(zip("RSPQCKN", bounds))}, file)
        for objective in OBJECTIVES:
            yield "simple_pim", path, "hybrid", objective
    for layer in REAL:
        for objective in OBJECTIVES:
            yield "simple_pim", layer, "hybrid", objective


def read_cases(path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.split("#")[0].split()
            if words and len(words) != 4:
                sys.exit(f"{path}:{number}: found {len(words)} words, allowed are 4: ARCH LAYER "
                         "ROW_MODEL OBJECTIVE")
            if words:
                yield tuple(words)


def problem_options(case):
    architecture, layer, model, objective = case
    return ["--arch", architecture, "--layer", layer, "--row-model", model, "--objective",
            objective]


def solve_with_pimbb(options, case):
    begin = time.monotonic()
    run = subprocess.run([options.pimbb, "map", *problem_options(case), "--threads",
                          str(options.threads), "--time-limit", str(options.time_limit), "--json",
                          "-"], capture_output=True, text=True, check=False)
    elapsed = time.monotonic() - begin
    if run.returncode not in (0, 3, 4):
        raise measuring.Failed(run.stderr.strip())
    document = json.loads(run.stdout)
    objective = document.get("objective", {})
    return {"status": document["status"], "value": objective.get("value"),
            "bound": objective.get("bound"), "nodes": document["stats"]["nodes"],
            "seconds": elapsed}


def export(options, case, path):
    """Writes the MPS file; its size, and what a value in it has to be divided by."""
    run = subprocess.run([options.pimbb, "export", *problem_options(case), "--format", "mps",
                          "--output", path], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise measuring.Failed(run.stderr.strip() or "pimbb export failed")
    size = re.search(r"([\d,]+) columns \(([\d,]+) binary\), ([\d,]+) rows", run.stdout)
    with open(path, encoding="utf-8") as file:
        unit = re.search(r"optimum = ([\d.]+(?:/\d+)?) \*", file.read(4096))
    if not size or not unit:
        raise measuring.Failed("pimbb export does not say its size and unit as this script expects")
    above, _, below = unit[1].partition("/")
    names = ("columns", "binaries", "rows")
    return {n: int(v.replace(",", "")) for n, v in zip(names, size.groups())}, \
        float(above) / float(below or 1)


def in_units(answer, scale):
    """Value and bound in cycles or nJ, and the gap."""
    for key in ("value", "bound"):
        if answer.get(key) is not None:
            answer[key] /= scale
    if answer["status"] == "feasible" and answer.get("bound") is not None and answer["value"]:
        answer["gap"] = (answer["value"] - answer["bound"]) / answer["value"]
    return answer


def differs(ours, theirs):
    if ours["status"] != "optimal" or theirs["status"] not in measuring.CLOSED:
        return False
    return theirs["status"] == "infeasible" or \
        abs(ours["value"] - theirs["value"]) > 1e-6 * max(1, abs(ours["value"]))


def compare(options, case, solvers, folder):
    path = os.path.join(folder, "problem.mps")
    size, scale = export(options, case, path)
    ours = solve_with_pimbb(options, case)
    row = {"architecture": case[0], "layer": os.path.basename(case[1]).removesuffix(".yaml"), "row_model": case[2],
           "objective": case[3], **size, "pimbb": ours}
    for solver in solvers:
        answer = in_units(solver.run(path, options.time_limit, options.threads, folder), scale)
        answer["ratio"] = answer["seconds"] / ours["seconds"]
        answer["differs"] = differs(ours, answer)
        row[solver.program] = answer
    return row


def cell(answer):
    text = f"{measuring.seconds(answer['seconds'])} (x {answer['ratio']:.1f})"
    if answer["differs"]:
        return f"**another optimum**, {answer.get('value')}"
    if answer["status"] in measuring.CLOSED:
        return text
    if answer["status"] == "unknown":
        return "no solution" + f" after {measuring.seconds(answer['seconds'])}"
    gap = f"gap {100 * answer['gap']:.1f} %" if "gap" in answer else "gap unknown"
    return gap + f" after {measuring.seconds(answer['seconds'])}"


def show(rows, solvers):
    names = [solver.program for solver in solvers]
    print(measuring.table(
        ["layer", "objective", "columns", "binaries", "rows", "pimbb", *names],
        [[row["layer"], row["objective"], measuring.count(row["columns"]),
          measuring.count(row["binaries"]), measuring.count(row["rows"]),
          measuring.effort(row["pimbb"]), *(cell(row[name]) for name in names)] for row in rows]))
    for name in names:
        closed = [row[name]["ratio"] for row in rows if row[name]["status"] in measuring.CLOSED]
        print(f"{name}: {len(closed)} of {len(rows)} finished, on those "
              f"{measuring.geometric_mean(closed):.1f} times pimbb's time (geometric mean)")


def main():
    parser = measuring.parser(__doc__)
    parser.add_argument("--cases", help="a file with lines ARCH LAYER ROW_MODEL OBJECTIVE")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for each solver")
    parser.add_argument("--solvers", help="only these, separated by commas")
    options = parser.parse_args()
    options.threads = options.threads or os.cpu_count() or 1
    wanted = options.solvers.split(",") if options.solvers else [s.program for s in SOLVERS]
    unknown = set(wanted) - {s.program for s in SOLVERS}
    if unknown:
        parser.error(f"no solver '{unknown.pop()}'; known are "
                     f"{', '.join(s.program for s in SOLVERS)}")
    solvers = [s for s in SOLVERS if s.program in wanted and shutil.which(s.program)]
    if not solvers:
        sys.exit("none of the solvers is on PATH; on Debian: apt-get install coinor-cbc glpk-utils")
    rows = []
    document = {"format": "pimbb-peers/1", "circumstances": measuring.circumstances(),
                "threads": options.threads, "time_limit": options.time_limit, "rows": rows}
    with tempfile.TemporaryDirectory(prefix="pimbb-peers-") as folder:
        for case in read_cases(options.cases) if options.cases else default_cases(folder):
            print(" ".join(case), file=sys.stderr)
            rows.append(compare(options, case, solvers, folder))
            if options.save:  # after each, for the whole takes an hour
                measuring.save(options.save, document)
    print(measuring.where(document["circumstances"]))
    show(rows, solvers)
    if any(row[s.program]["differs"] for row in rows for s in solvers):
        sys.exit("another optimum was found: see the table")


if __name__ == "__main__":
    try:
        main()
    except measuring.Failed as failure:
        sys.exit(str(failure))

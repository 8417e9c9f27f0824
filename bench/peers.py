#!/usr/bin/env python3
"""pimbb against general MILP solvers, on the same problems.

    bench/peers.py [--cases FILE] [--limit SECONDS] [--solvers cbc,highs] [--jobs N]
                   [--reuse FILE] [--save FILE]
    bench/peers.py --show FILE
    bench/peers.py --draw N

`pimbb export` writes each problem as MPS; every solver of bench/solvers.py that is on PATH gets it
with no tolerated gap, and with those of its settings that solve this problem fastest. All of them, pimbb included, run on one thread, and what is compared is CPU
time (user and system): a busy machine stretches it somewhat, but for all alike. Two ratios:

process  the whole process against the whole process, start and reading included
solve    the process less what it takes to start and read: for a solver, a second process that only
         reads the file; for pimbb, the time of each further solve in one process

Where a solver does not finish, its gap stands in the table, (value - bound) / value, and the ratios
are at least those of its limit. An optimum that differs from pimbb's by more than 1e-6 is an error.

Lines of a cases file: ARCH NETWORK:LAYER ROW_MODEL OBJECTIVE (EDP is not linear), '#' begins a
comment; bench/peers.txt if none is given, which is what --draw prints: a sample of the full corpus
that neither we nor the answers chose. With --save the record is written anew after every case;
--show prints the tables of such a record, whether complete or not. --reuse takes from such a record
what took another solver 20 s or more, where the exported file, the processor and the limit are the
same: pimbb is measured again, or an interrupted run goes on, in minutes. That is fair only if the
machine is as busy as it was then.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import measuring
import solvers as known

PROCESSES = 5  # of pimbb, for their median
LONG = 20  # CPU seconds of another solver that are not spent again
ENOUGH = 1.0  # CPU seconds of repeated solves in one process


def read_cases(path):
    try:
        lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        sys.exit(f"--cases: {path}: {error.strerror}")
    cases = []
    for number, line in enumerate(lines, 1):
        words = line.split("#")[0].split()
        if words and len(words) != 4:
            sys.exit(f"{path}:{number}: found {len(words)} words, allowed are 4: ARCH NETWORK:LAYER "
                     "ROW_MODEL OBJECTIVE")
        if words:
            cases.append(tuple(words))
    return cases


def drawn(number):
    """The cases of the corpus's record that have a linear objective, in the order of their hashes."""
    record = json.loads((measuring.ROOT / "bench/results/corpus.json").read_text(encoding="utf-8"))
    names = [" ".join(case[key] for key in ("architecture", "layer", "row_model", "objective"))
             for case in record["cases"]
             if case["row_model"] == "hybrid" and case["objective"] != "edp"]
    return sorted(names, key=lambda name: hashlib.sha256(name.encode()).hexdigest())[:number]


def problem_options(case):
    architecture, layer, model, objective = case
    return ["--arch", architecture, "--layer", layer, "--row-model", model, "--objective",
            objective]


def map_command(pimbb, case):
    return [pimbb, "map", *problem_options(case), "--threads", "1", "--quiet"]


def answer_of(pimbb, case, folder):
    """Status, value and nodes of `pimbb map`."""
    answer = os.path.join(folder, "answer.json")
    command = [*map_command(pimbb, case), "--json", answer]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 4):
        raise measuring.Failed(f"{' '.join(command)}: {run.stderr.strip()}")
    with open(answer, encoding="utf-8") as file:
        document = json.load(file)
    return {"status": document["status"], "value": document.get("objective", {}).get("value"),
            "nodes": document["stats"]["nodes"]}


def solve_with_pimbb(pimbb, case, folder):
    """Its answer; CPU seconds of the process and of one solve in it."""
    times = sorted(known.cpu_seconds(map_command(pimbb, case)) for _ in range(PROCESSES))
    return {**answer_of(pimbb, case, folder), "process": times[PROCESSES // 2],
            "solve": solve_only(pimbb, case, folder)}


def solve_only(pimbb, case, folder):
    corpus = os.path.join(folder, "corpus.txt")
    with open(corpus, "w", encoding="utf-8") as file:
        file.write(" ".join(case) + "\n")

    def cpu(repeat):
        return measuring.bench(pimbb, "--corpus", corpus, "--threads", 1, "--repeat",
                               repeat)["summary"]["cpu_seconds"]

    once = cpu(1)
    more = min(1000, max(3, round(ENOUGH / once)))
    return max((cpu(1 + more) - once) / more, 1e-6)


def export(pimbb, case, path):
    """Writes the MPS file; its size and hash, and what a value in it has to be divided by."""
    run = subprocess.run([pimbb, "export", *problem_options(case), "--format", "mps", "--output",
                          path], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise measuring.Failed(run.stderr.strip() or "pimbb export failed")
    size = re.search(r"([\d,]+) columns \(([\d,]+) binary\), ([\d,]+) rows", run.stdout)
    with open(path, encoding="utf-8") as file:
        unit = re.search(r"optimum = ([\d.]+(?:/\d+)?) \*", file.read(4096))
    if not size or not unit:
        raise measuring.Failed("pimbb export does not say its size and unit as this script expects")
    above, _, below = unit[1].partition("/")
    names = ("columns", "binaries", "rows")
    about = {n: int(v.replace(",", "")) for n, v in zip(names, size.groups())}
    about["sha256"] = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
    return about, float(above) / float(below or 1)


def in_units(answer, scale):
    """Value and bound in cycles or nJ, and the gap."""
    for key in ("value", "bound"):
        if answer.get(key) is not None:
            answer[key] /= scale
    if answer["status"] == "feasible" and answer["bound"] is not None and answer["value"]:
        answer["gap"] = (answer["value"] - answer["bound"]) / answer["value"]
    return answer


def differs(ours, theirs):
    if theirs["status"] not in measuring.CLOSED:
        return False
    if "infeasible" in (ours["status"], theirs["status"]):
        return ours["status"] != theirs["status"]
    return abs(ours["value"] - theirs["value"]) > 1e-6 * max(1, abs(ours["value"]))


class Earlier:
    """Answers of an earlier record, and where they were measured."""

    def __init__(self, path, circumstances, limit):
        self.rows = {}
        self.circumstances = None
        if path is None:
            return
        document = read_record(path)
        if document["circumstances"]["processor"] != circumstances["processor"]:
            sys.exit(f"--reuse: {path}: measured on {document['circumstances']['processor']}, this "
                     f"is {circumstances['processor']}")
        if document["limit"] != limit:
            sys.exit(f"--reuse: {path}: with --limit {document['limit']:g}, this is {limit:g}")
        self.rows = {row["sha256"]: row for row in document["rows"]}
        self.circumstances = document["others"] or document["circumstances"]

    def answer(self, about, program):
        answer = self.rows.get(about["sha256"], {}).get(program)
        keep = answer and answer["status"] != "failed" and answer["process"] >= LONG
        return answer if keep else None


def read_record(path):
    try:
        return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.exit(f"{path}: not a record of bench/peers.py: {error}")


def compare(options, case, solvers, earlier, folder):
    path = os.path.join(folder, "problem.mps")
    about, scale = export(options.pimbb, case, path)
    ours = solve_with_pimbb(options.pimbb, case, folder)
    answers = {s.program: earlier.answer(about, s.program) for s in solvers}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = {s.program: pool.submit(s.best, path, options.limit, folder) for s in solvers
                if answers[s.program] is None}
    answers.update((program, in_units(run.result(), scale)) for program, run in runs.items())
    for answer in answers.values():
        answer["ratio"] = {part: answer[part] / ours[part] for part in ("process", "solve")}
        answer["differs"] = differs(ours, answer)
    return {"architecture": case[0], "layer": case[1], "row_model": case[2], "objective": case[3],
            **about, "pimbb": ours, **answers}


def cell(answer):
    if answer is None:
        return "-"
    if answer["differs"] and answer["status"] == "infeasible":
        return "**infeasible**, it says"
    if answer["differs"]:
        return f"**another optimum**, {answer.get('value')}"
    ratios = " / ".join(f"{answer['ratio'][part]:,.0f}" for part in ("process", "solve"))
    time = measuring.seconds(answer["process"])
    if answer["status"] in measuring.CLOSED:
        return f"{time}, x {ratios}"
    if answer["status"] == "failed":
        return f"ended early, after {time}"
    gap = f"gap {100 * answer['gap']:.1f} %" if "gap" in answer else "no mapping"
    return f"{gap} after {time}, x > {ratios}"


def show(document):
    rows, names = document["rows"], document["solvers"]
    print(measuring.where(document["circumstances"]))
    if document["others"]:
        print("The other solvers: " + measuring.where(document["others"]))
    versions = {name: {row[name].get("version") for row in rows if name in row} for name in names}
    print("Versions: " + ", ".join(
        f"{name} {' and '.join(sorted(filter(None, versions[name]))) or 'unknown'}"
        for name in names) + ".")
    print("CPU time (user + system) on one thread each. After `x`, times pimbb's: whole process / "
          f"without start and reading. Limit {document['limit']:g} s.\n")
    print(measuring.table(
        ["architecture", "layer", "objective", "columns", "binaries", "rows", "pimbb, process",
         "solve", *names],
        [[row["architecture"], row["layer"], row["objective"], measuring.count(row["columns"]),
          measuring.count(row["binaries"]), measuring.count(row["rows"]),
          measuring.seconds(row["pimbb"]["process"]), measuring.seconds(row["pimbb"]["solve"]),
          *(cell(row.get(name)) for name in names)] for row in rows]))
    print("Geometric means of these ratios, by the time that the other solver takes; those that do "
          "not finish count with their limit.\n")
    print(measuring.table(["other solver", *names], [
        [title, *(means(row[name] for row in rows if name in row and belongs(row[name]))
                  for name in names)] for title, belongs in CLASSES]))


def finished(answer):
    return answer["status"] in measuring.CLOSED and not answer["differs"]


CLASSES = (("under 1 s", lambda a: finished(a) and a["process"] < 1),
           ("1 to 10 s", lambda a: finished(a) and 1 <= a["process"] < 10),
           ("over 10 s", lambda a: finished(a) and a["process"] >= 10),
           ("**all that finish**", finished),
           ("not finished, at least", lambda a: a["status"] in ("feasible", "unknown")),
           ("all, at least", lambda a: a["status"] != "failed" and not a["differs"]))


def means(answers):
    answers = list(answers)
    if not answers:
        return "-"
    ratios = " / ".join(f"{measuring.geometric_mean(a['ratio'][part] for a in answers):,.0f}"
                        for part in ("process", "solve"))
    return f"x {ratios} ({len(answers)})"


def solvers_on_path(parser, names, timed=False):
    """All of them, or those named, separated by commas; `timed`: only those that are executables."""
    wanted = names.split(",") if names else [s.program for s in known.SOLVERS]
    unknown = set(wanted) - {s.program for s in known.SOLVERS}
    if unknown:
        parser.error(f"no solver '{unknown.pop()}'; known are "
                     f"{', '.join(s.program for s in known.SOLVERS)}")
    solvers = [s for s in known.SOLVERS if s.program in wanted and s.installed()
               and (shutil.which(s.program) or not timed)]
    if not solvers:
        sys.exit("none of the solvers is on PATH; on Debian: apt-get install coinor-cbc glpk-utils")
    return solvers


def main():
    parser = measuring.parser(__doc__, threads=False)
    parser.add_argument("--cases", default=str(measuring.ROOT / "bench/peers.txt"),
                        help="a file with lines ARCH NETWORK:LAYER ROW_MODEL OBJECTIVE")
    parser.add_argument("--limit", type=float, default=600, help="CPU seconds for each solver")
    parser.add_argument("--solvers", help="only these, separated by commas")
    parser.add_argument("--jobs", type=int, default=1, help="solvers that run side by side")
    parser.add_argument("--reuse", metavar="FILE", help="a record with times of the other solvers")
    parser.add_argument("--draw", metavar="N", type=int,
                        help="measure nothing, print N cases of the corpus")
    parser.add_argument("--show", metavar="FILE", help="measure nothing, print a record's tables")
    options = parser.parse_args()
    if options.draw:
        return print("\n".join(drawn(options.draw)))
    if options.show:
        return show(read_record(options.show))
    solvers = solvers_on_path(parser, options.solvers, timed=True)
    rows = []
    document = {"format": "pimbb-peers/2", "circumstances": measuring.circumstances(),
                "others": None, "limit": options.limit, "solvers": [s.program for s in solvers],
                "rows": rows}
    earlier = Earlier(options.reuse, document["circumstances"], options.limit)
    document["others"] = earlier.circumstances
    with tempfile.TemporaryDirectory(prefix="pimbb-peers-") as folder:
        for case in read_cases(options.cases):
            print(" ".join(case), file=sys.stderr)
            rows.append(compare(options, case, solvers, earlier, folder))
            if options.save:  # after each, for the whole takes an hour
                measuring.save(options.save, document)
    show(document)
    if any(row[s.program]["differs"] for row in rows for s in solvers):
        sys.exit("another optimum was found: see the table")


if __name__ == "__main__":
    try:
        main()
    except measuring.Failed as failure:
        sys.exit(str(failure))

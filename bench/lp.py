#!/usr/bin/env python3
"""pimbb's simplex against GLPK's, on the same linear programs.

    bench/lp.py [--families NAME,NAME] [--netlib FOLDER] [--packages ROOT] [--runs N]
                [--limit SECONDS] [--save FILE]
    bench/lp.py --show FILE

The programs are those of bench/lp_families.py, those of Debian's packages that bench/lp_packages.py
reads, as far as they are installed, and the files (.mps) of a folder, if one is given.
glpsol runs as it is, with its presolve. Both run on one thread, in turn, N times each; what counts
is the least CPU time (user and system) of the runs. Two ratios, pimbb's time divided by GLPK's:

solve    the floating-point simplex, without reading the file and without the exact proof; of glpsol
         the process less one that only reads (--check). Less than a millisecond counts as one.
         Programs where both take less say nothing about the simplex: the table counts them.
process  everything, from the start to the exact proof of the answer, against the whole of glpsol

A program that glpsol does not read or solve is in no mean. The exact proof, which only pimbb makes,
stands in a column of its own. An answer that is not proven,
or an optimum that differs from GLPK's or Netlib's by more than 1e-6, is an error.
"""
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

import lp_families
import lp_packages
import measuring
import solvers

LEAST = 1e-3  # seconds that count
NUMBER = r"([-+]?[\d.]+(?:[eE][-+]?\d+)?)"


def run_pimbb(options, path, folder):
    log = os.path.join(folder, "pimbb.json")
    cpu = solvers.cpu_seconds([options.pimbb, "lp", path, "--json", "-"], limit=options.limit, log=log)
    try:
        document = json.loads(pathlib.Path(log).read_text(encoding="utf-8"))
    except ValueError:
        return {"status": "failed", "proved": False, "process": cpu, "simplex": cpu, "proof": 0}
    spent = document["stats"]["cpu_seconds"]
    return {"status": document["status"], "proved": document["proved"],
            "value": document.get("objective", {}).get("value"),
            "iterations": document["stats"]["iterations"], "process": cpu,
            "simplex": spent["simplex"], "proof": spent["proof"],
            "rows": document["rows"], "columns": document["columns"],
            "entries": document["entries"]}


def run_glpsol(options, path, folder):
    log = os.path.join(folder, "glpsol.log")
    cpu = solvers.cpu_seconds(["glpsol", "--freemps", "--nomip", path], limit=options.limit, log=log)
    reading = solvers.cpu_seconds(["glpsol", "--freemps", path, "--check"])
    text = pathlib.Path(log).read_text(encoding="utf-8", errors="replace")
    values = re.findall(r"obj = +" + NUMBER, text)
    infeasible = re.search(r"HAS NO (?:PRIMAL )?FEASIBLE SOLUTION", text)
    status = ("optimal" if "OPTIMAL LP SOLUTION FOUND" in text or "OPTIMAL SOLUTION FOUND" in text
              else "infeasible" if infeasible else "failed")
    iterations = re.findall(r"^[*#]? *(\d+): obj", text, re.MULTILINE)
    return {"status": status, "value": float(values[-1]) if values else None,
            "iterations": int(iterations[-1]) if iterations else None, "process": cpu,
            "simplex": max(cpu - reading, 0)}


def least(runs):
    """The answer of the first run, the least time of each kind."""
    out = dict(runs[0])
    for kind in ("process", "simplex", "proof"):
        if kind in out:
            out[kind] = round(min(run[kind] for run in runs), 6)
    return out


def agree(ours, optimum):
    return optimum is None or abs(ours["value"] - optimum) <= 1e-6 * max(1, abs(ours["value"]))


def differs(ours, theirs, optimum):
    if not ours["proved"]:
        return True
    if optimum is not None and (ours["status"] != "optimal" or not agree(ours, optimum)):
        return True
    if theirs["status"] not in measuring.CLOSED:
        return False
    if ours["status"] != theirs["status"]:
        return True
    return ours["status"] == "optimal" and not agree(ours, theirs["value"])


def compare(options, folder, family, name, path, optimum):
    ours, theirs = [], []
    for _ in range(options.runs):
        ours.append(run_pimbb(options, path, folder))
        theirs.append(run_glpsol(options, path, folder))
    ours, theirs = least(ours), least(theirs)
    about = {key: ours.pop(key, None) for key in ("rows", "columns", "entries")}
    return {"family": family, "name": name, **about, "pimbb": ours, "glpsol": theirs,
            "solve_ratio": max(ours["simplex"], LEAST) / max(theirs["simplex"], LEAST),
            "process_ratio": ours["process"] / theirs["process"], "differs": differs(ours, theirs, optimum)}


def programs(options, folder):
    """Family, name, path and the optimum, if Netlib's readme gives it."""
    if options.netlib:
        for path in sorted(pathlib.Path(options.netlib).glob("*.mps")):
            yield "netlib", path.stem, str(path), None
    yield from lp_packages.write_all(folder, options.packages)
    for family, name, path in lp_families.write_all(folder, options.families):
        yield family, name, str(path), None


def means(rows):
    rows = [row for row in rows if row["glpsol"]["status"] != "failed"]
    return (f"{measuring.geometric_mean(row['solve_ratio'] for row in rows):.2f}",
            f"{measuring.geometric_mean(row['process_ratio'] for row in rows):.2f}")


def too_short(rows):
    return sum(max(row["pimbb"]["simplex"], row["glpsol"]["simplex"]) < LEAST for row in rows)


def show(document):
    rows = document["rows"]
    print(measuring.where(document["circumstances"]))
    print(f"CPU time (user + system), least of {document['runs']} runs; ratios are pimbb's time divided by "
          f"that of glpsol {document['version']}. The proof is in the process of pimbb only.\n")
    print(measuring.table(
        ["program", "rows", "columns", "entries", "iterations", "simplex", "exact proof", "process",
         "glpsol: iterations", "simplex", "process", "solve ratio", "process ratio"],
        [[row["name"] + (" **differs**" if row["differs"] else "")
          + (" (glpsol failed)" if row["glpsol"]["status"] == "failed" else ""),
          *(measuring.count(row[key]) for key in ("rows", "columns", "entries")),
          measuring.count(row["pimbb"].get("iterations")),
          *(measuring.seconds(row["pimbb"][key]) for key in ("simplex", "proof", "process")),
          measuring.count(row["glpsol"].get("iterations")),
          *(measuring.seconds(row["glpsol"][key]) for key in ("simplex", "process")),
          f"{row['solve_ratio']:.2f}", f"{row['process_ratio']:.2f}"] for row in rows]))
    families = list(dict.fromkeys(row["family"] for row in rows))
    print("Geometric means; `proof` is the part of pimbb's process that the exact proof takes.\n")
    groups = [(name, [row for row in rows if row["family"] == name]) for name in families]
    print(measuring.table(["family", "programs", "under 1 ms", "solve ratio", "process ratio", "proof"], [
        [name, len(group), too_short(group), *means(group),
         f"{100 * sum(r['pimbb']['proof'] for r in group) / sum(r['pimbb']['process'] for r in group):.0f} %"]
        for name, group in [*groups, ("**all**", rows)]]))


def main():
    parser = measuring.parser(__doc__, threads=False)
    parser.add_argument("--families", type=lambda text: [name for name in text.split(",") if name],
                        metavar="NAME,NAME", help="all, if not given")
    parser.add_argument("--netlib", metavar="FOLDER", help="also the .mps files of this folder")
    parser.add_argument("--packages", metavar="ROOT", default="/",
                        help="where Debian's packages with programs are installed or unpacked")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=float, default=120, metavar="SECONDS")
    parser.add_argument("--show", metavar="FILE", help="only print the tables of a record")
    options = parser.parse_args()
    if options.show:
        show(json.loads(pathlib.Path(options.show).read_text(encoding="utf-8")))
        return
    unknown = set(options.families or ()) - set(lp_families.FAMILIES)
    if unknown:
        parser.error(f"no family '{unknown.pop()}'; known are {', '.join(lp_families.FAMILIES)}")
    if shutil.which("glpsol") is None:
        sys.exit("glpsol is not on PATH; on Debian: apt-get install glpk-utils")
    version = re.search(r"(\d+\.\d+)", measuring.output_of(["glpsol", "--version"]))
    document = {"circumstances": measuring.circumstances(), "runs": options.runs,
                "limit": options.limit, "version": version[1] if version else "?", "rows": []}
    with tempfile.TemporaryDirectory(prefix="pimbb-lp-") as folder:
        for package in lp_packages.missing(options.packages):
            print(f"without the programs of {package}: it is not installed", file=sys.stderr)
        for family, name, path, optimum in programs(options, folder):
            document["rows"].append(compare(options, folder, family, name, path, optimum))
            print(name, file=sys.stderr)
            if options.save:
                measuring.save(options.save, document)
    show(document)
    if any(row["differs"] for row in document["rows"]):
        sys.exit("an answer is not proven, or differs from GLPK's")


if __name__ == "__main__":
    main()

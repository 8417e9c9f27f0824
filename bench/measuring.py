"""What every measuring script shares: running `pimbb bench`, and saying on what it was measured.

Only Python's standard library. A *case* is the dict that `pimbb bench --json` writes for it:
architecture, layer, row_model, objective, status, value, nodes, leaves, seconds, ...
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import platform
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLOSED = ("optimal", "infeasible")


def parser(description, threads=True):
    """The options that all scripts have."""
    options = argparse.ArgumentParser(description=description.split("\n\n")[0])
    options.add_argument("--pimbb", default=str(ROOT / "build/release/src/cli/pimbb"),
                         help="the executable, a release build")
    if threads:
        options.add_argument("--threads", type=int, default=0, help="0: all cores")
    options.add_argument("--save", metavar="FILE", help="write the measurements as JSON")
    return options


def output_of(command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              cwd=ROOT, check=False).stdout.strip()
    except OSError:
        return ""


def processor():
    try:
        for line in open("/proc/cpuinfo", encoding="utf-8"):
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def circumstances():
    """Where and when: to be kept beside every figure."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "load_before": round(os.getloadavg()[0], 2),
        "system": platform.platform(),
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "commit": output_of(["git", "rev-parse", "--short", "HEAD"]),
        "changed_files": len(output_of(["git", "status", "--porcelain", "-uno"]).splitlines()),
        "seed": None,  # nothing that is measured is random
    }


def where(circumstances):
    """The same in one line, above tables."""
    return ("Measured on {processor}, {cores} cores, load {load_before} before, commit {commit}, "
            "{date}.\n".format(**circumstances))


class Failed(Exception):
    """A run that gave no result; the text is its last message."""


def document_of(pimbb, *arguments, codes=(0, 3), timeout=None, memory=None):
    """The JSON of one run of pimbb; at most `memory` bytes for the process."""
    command = [pimbb, *map(str, arguments), "--json", "-"]

    def limit():
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout,
                             preexec_fn=limit)
    except OSError as error:
        sys.exit(f"{pimbb}: {error.strerror}; build it, or say --pimbb EXECUTABLE")
    if run.returncode not in codes:
        said = run.stderr.strip().splitlines() or [f"exit code {run.returncode}"]
        raise Failed(f"{' '.join(command)}: {said[-1]}")
    return json.loads(run.stdout)


def bench(pimbb, *arguments, timeout=None, memory=None):
    """The document of one run of `pimbb bench`."""
    document = document_of(pimbb, "bench", *arguments, timeout=timeout, memory=memory)
    if document["summary"]["not_solved"]:
        raise Failed(f"{pimbb} bench {' '.join(map(str, arguments))}: interrupted")
    return document


def solve_case(pimbb, architecture, layer, row_model, objective, *, threads, time_limit,
               bounds=None, memory=4 << 30):
    """One case in a process of its own, with the peak memory of just this case.

    `architecture` is a preset's name or a dict, `layer` is NETWORK:LAYER or a dict. A search that
    does not keep its time limit is ended at four times the limit, with the status "overrun"; one
    that gives no result, for want of memory say, has the status "failed".
    """
    with tempfile.TemporaryDirectory(prefix="pimbb-bench-") as folder:
        def written(name, thing):
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(thing if isinstance(thing, str) else json.dumps(thing))  # JSON is YAML
            return path

        if not isinstance(architecture, str):
            architecture = written("arch.json", architecture)
        if not isinstance(layer, str):
            layer = written("net.json", {"layers": [layer]}) + ":" + layer["name"]
        corpus = written("corpus.txt", f"{architecture} {layer} {row_model} {objective}\n")
        result = {"row_model": row_model, "objective": objective, "nodes": None}
        longest = 4 * time_limit + 10
        try:
            document = bench(pimbb, "--corpus", corpus, "--threads", threads, "--time-limit",
                             time_limit, *(["--bounds", bounds] if bounds else []), timeout=longest,
                             memory=memory)
        except subprocess.TimeoutExpired:
            return {**result, "status": "overrun", "seconds": longest}
        except Failed as failure:
            return {**result, "status": "failed", "seconds": None, "why": str(failure)}
        return {**document["cases"][0],
                "peak_memory_bytes": document["summary"]["peak_memory_bytes"]}


def name(case):
    """As in a file of cases: ARCH NETWORK:LAYER ROW_MODEL OBJECTIVE."""
    return " ".join(case[key] for key in ("architecture", "layer", "row_model", "objective"))


def by_architecture(cases):
    """Titles and cases: an architecture under the closed row models or under the trace, and all."""
    groups = {}
    for traced in (False, True):
        rest = [case for case in cases if (case["row_model"] == "trace") == traced]
        for case in rest:
            title = case["architecture"] + (", trace" if traced else "")
            groups.setdefault(title, []).append(case)
        if rest:
            groups["**all, trace**" if traced else "**all**"] = rest
    return groups.items()


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def slope(points):
    """Of the least-squares line through (log x, log y)."""
    points = [(math.log(x), math.log(y)) for x, y in points]
    if len(points) < 2:
        return math.nan
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    return (sum((x - mean_x) * (y - mean_y) for x, y in points)
            / sum((x - mean_x) ** 2 for x, _ in points))


def seconds(value):
    if value is None:
        return "-"
    return f"{1000 * value:.1f} ms" if value < 1 else f"{value:.2f} s"


def count(value):
    return "-" if value is None else f"{value:,}"


def effort(case):
    """Time and nodes in one cell, the status if it is not a proof."""
    mark = "" if case["status"] in CLOSED else f" ({case['status']})"
    return f"{seconds(case['seconds'])}, {count(case['nodes'])} nodes{mark}"


def table(header, rows):
    """A markdown table; the first column to the left, the others to the right."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines) + "\n"


def text_of(document):
    """JSON with one case a line, so that files stay small and differences readable."""
    def value_of(value):
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return "[\n" + ",\n".join("  " + json.dumps(item) for item in value) + "\n ]"
        return json.dumps(value)

    return "{\n" + ",\n".join(f" {json.dumps(key)}: {value_of(value)}"
                              for key, value in document.items()) + "\n}\n"


def save(path, document):
    """Writes beside the target and renames, so that nobody sees half a file."""
    target = pathlib.Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(target.name + ".part")
    partial.write_text(text_of(document), encoding="utf-8")
    partial.replace(target)

#!/usr/bin/env python3
"""Solves the layers of networks on an SRAM compute-in-memory accelerator, each in its own process.

    bench/cim.py [--pimbb EXECUTABLE] [--arch ARCH] [--network NETWORK ...] [--time-limit SECONDS]
                 [--threads N] [--save FILE]

First table, one row for each network: the time of its proven joint EDP; the time of all its layers'
least latencies, energies and EDPs together; the slowest of these searches; the most memory that one
of them used. Second table: the slowest searches. The record has every search, with its labels
(`nodes`), wall and CPU seconds, and the peak memory of its process. Needs only Python's standard
library.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

import measuring

NETWORKS = ("resnet18", "resnet50", "mobilenet_v2", "vgg16", "bert_base")
OBJECTIVES = ("latency", "energy", "edp")
SLOWEST = 12  # rows of the second table


def arguments():
    parser = measuring.parser(__doc__)
    parser.add_argument("--arch", default="miredo_default")
    parser.add_argument("--network", action="append", help="a preset or a file; may be repeated")
    parser.add_argument("--time-limit", default="600", help="seconds for each search")
    options = parser.parse_args()
    options.network = options.network or list(NETWORKS)
    return options


def run(options, *command):
    """The document that one run of pimbb writes, with what its process used."""
    command = [options.pimbb, *command, "--threads", options.threads, "--time-limit",
               options.time_limit, "--json", "-"]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out, \
         tempfile.TemporaryFile("w+", encoding="utf-8") as err:
        begin = time.monotonic()
        try:
            process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=err)
        except OSError as error:
            sys.exit(f"{options.pimbb}: {error.strerror}; build it, or say --pimbb EXECUTABLE")
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode not in (0, 3, 4):
            said = err.read().strip().splitlines() or [f"exit code {process.returncode}"]
            raise measuring.Failed(f"{' '.join(map(str, command))}: {said[-1]}")
        document = json.load(out)
    stats = document["stats"]
    return document, {"objective": document["objective"]["name"] if isinstance(
                          document["objective"], dict) else document["objective"],
                      "status": document["status"], "nodes": stats["labels"],
                      "schemes": stats["schemes"], "schemes_searched": stats["solved"],
                      "seconds": round(seconds, 4), "cpu_seconds": round(used.ru_utime, 4),
                      "peak_memory_bytes": 1024 * used.ru_maxrss}


def measure(options, network):
    """The joint EDP of a network, and every search of its layers."""
    document, joint = run(options, "network", "--arch", options.arch, "--network", network,
                          "--objective", "edp")
    searches = []
    for layer in document["layers"]:
        for objective in OBJECTIVES:
            found, search = run(options, "map", "--arch", options.arch, "--layer",
                                f"{network}:{layer['layer']}", "--objective", objective)
            searches.append({"network": network, "layer": layer["layer"], **search,
                             "value": found["objective"].get("value")})
    return {"network": network, **joint}, searches


def megabytes(search):
    return f"{search['peak_memory_bytes'] / 1e6:.0f} MB"


def row_of(joint, searches):
    slowest = max(searches, key=lambda s: s["seconds"])
    proven = sum(s["status"] in measuring.CLOSED for s in searches)
    return [os.path.basename(joint["network"]),
            f"{measuring.seconds(joint['seconds'])} ({joint['status']})",
            measuring.seconds(sum(s["seconds"] for s in searches)),
            f"{proven} of {len(searches)}", measuring.seconds(slowest["seconds"]),
            megabytes(max([joint, *searches], key=lambda s: s["peak_memory_bytes"]))]


def main():
    options = arguments()
    where = measuring.circumstances()
    measured = [measure(options, network) for network in options.network]
    print(measuring.where(where))
    print(measuring.table(["network", "joint EDP", "all searches", "proven", "slowest", "memory"],
                          [row_of(*one) for one in measured]))
    searches = [search for _, part in measured for search in part]
    searches.sort(key=lambda s: -s["seconds"])
    print(measuring.table(["layer", "objective", "time", "CPU time", "nodes", "memory"],
                          [[f"{os.path.basename(s['network'])}:{s['layer']}", s["objective"],
                            measuring.seconds(s["seconds"]), measuring.seconds(s["cpu_seconds"]),
                            measuring.count(s["nodes"]), megabytes(s)]
                           for s in searches[:SLOWEST]]), end="")
    if options.save:
        measuring.save(options.save, {"circumstances": where, "architecture": options.arch,
                                      "networks": [joint for joint, _ in measured],
                                      "searches": searches})


if __name__ == "__main__":
    try:
        main()
    except measuring.Failed as failure:
        sys.exit(str(failure))

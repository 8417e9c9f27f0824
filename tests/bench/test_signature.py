"""The signature of the small corpus: optima that never change, node counts that change knowingly.

    test_signature.py PIMBB            compares
    test_signature.py PIMBB --update   writes the node counts' hash to expected.json

`optima` is pinned below. It changes only if an exact optimum changes, or the presets or the corpus
do: say in the commit which, and why the new one is right. `search` hashes the nodes of every case
and changes with every change of the search; expected.json keeps it so that no change goes unseen.
"""

import json
import pathlib
import subprocess
import sys

OPTIMA = "5c97112ae6405df0"
EXPECTED = pathlib.Path(__file__).resolve().parent / "expected.json"
THREADS = (1, 2, 4, 8)


def signature(pimbb, threads):
    command = [pimbb, "bench", "--corpus", "small", "--signature-only", "--threads", str(threads)]
    out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return dict(line.split() for line in out.splitlines())


def update(pimbb):
    found = signature(pimbb, 2)
    if found["optima"] != OPTIMA:
        sys.exit(f"optima {found['optima']}, pinned are {OPTIMA}: nothing written")
    EXPECTED.write_text(json.dumps({"search": found["search"]}) + "\n", encoding="utf-8")
    print(f"{EXPECTED}: search {found['search']}")


def compare(pimbb):
    expected = {"optima": OPTIMA, **json.loads(EXPECTED.read_text(encoding="utf-8"))}
    wrong = 0
    for threads in THREADS:
        found = signature(pimbb, threads)
        print(f"threads {threads}: {found}")
        wrong += found != expected
    if wrong:
        print(f"expected: {expected}\n"
              "Another 'search' for all numbers of threads: the tree has changed. If that was meant,\n"
              "run this test with --update and give node counts before and after in the commit.")
    return wrong


if __name__ == "__main__":
    if sys.argv[2:] == ["--update"]:
        update(sys.argv[1])
    else:
        sys.exit(1 if compare(sys.argv[1]) else 0)

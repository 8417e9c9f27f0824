"""The signatures of small corpora: optima that never change, node counts that change knowingly.

    test_signature.py PIMBB            compares
    test_signature.py PIMBB --update   writes the hashes of node counts to expected.json

`optima` is pinned below for each kind of accelerator. It changes only if an exact optimum changes, or
the presets or the corpus do: say in the commit which, and why the new one is right. `search` hashes
the nodes of every case and changes with every change of the search; expected.json keeps it so that no
change goes unseen.
"""

import json
import pathlib
import subprocess
import sys

# The corpus and options, the key of its searches in expected.json, numbers of threads.
CORPORA = {
    "5c97112ae6405df0": (("small",), "search", (1, 2, 4, 8)),
    "0b28426d668b1428": (("hard", "--arch", "levels5_free2", "--network", "resnet18", "--row-model",
                          "hybrid"), "hard_levels_search", (1, 2)),
    "fbc3eb9db9ba6ad0": (("hard", "--arch", "array64_8k", "--network", "hard:vocabulary", "--row-model",
                          "analytic"), "hard_padded_search", (1, 2)),
    "2d22855d247e91ba": (("small", "--arch", "miredo_default", "--network", "resnet18", "--semantics",
                          "recursion"), "cim_search", (1, 2)),
    "d6fa858c0696e0df": (("corpus.txt",), "crossbar_search", (1, 2)),
}
# Whole devices: the optima only; how many slices and nodes it takes to find them may change.
DEVICES = {"789aa54e385524d5": (("small", "--device", "all"), (1, 2))}
FOLDER = pathlib.Path(__file__).resolve().parent
EXPECTED = FOLDER / "expected.json"


def signature(pimbb, options, threads):
    command = [pathlib.Path(pimbb).resolve(), "bench", "--corpus", *options, "--signature-only",
               "--threads", str(threads)]
    out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True,
                         cwd=FOLDER / "crossbar").stdout
    return dict(line.split() for line in out.splitlines())


def update(pimbb):
    searches = {}
    for optima, (options, key, _) in CORPORA.items():
        found = signature(pimbb, options, 2)
        if found["optima"] != optima:
            sys.exit(f"optima {found['optima']}, pinned are {optima}: nothing written")
        searches[key] = found["search"]
    EXPECTED.write_text(json.dumps(searches) + "\n", encoding="utf-8")
    print(f"{EXPECTED}: {searches}")


def compare(pimbb):
    searches = json.loads(EXPECTED.read_text(encoding="utf-8"))
    wrong = 0
    for optima, (options, key, all_threads) in CORPORA.items():
        expected = {"optima": optima, "search": searches[key]}
        for threads in all_threads:
            found = signature(pimbb, options, threads)
            print(f"{' '.join(options)} threads {threads}: {found}")
            if found != expected:
                print(f"expected: {expected}")
                wrong += 1
    for optima, (options, all_threads) in DEVICES.items():
        for threads in all_threads:
            found = signature(pimbb, options, threads)["optima"]
            print(f"{' '.join(options)} threads {threads}: optima {found}")
            wrong += found != optima
    if wrong:
        print("Another 'search' for all numbers of threads: the tree has changed. If that was meant,\n"
              "run this test with --update and give node counts before and after in the commit.")
    return wrong


if __name__ == "__main__":
    if sys.argv[2:] == ["--update"]:
        update(sys.argv[1])
    else:
        sys.exit(1 if compare(sys.argv[1]) else 0)

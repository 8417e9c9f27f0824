"""Every include of src/ and include/ stays on its floor or goes down, and no wing enters another.

    test_floors.py [ROOT]    prints every include that does not

The floors are a list of their own: src/floors.txt, which also says what may include what. Besides,
public headers include public headers only, and the checker nothing of the program that it checks.
"""

import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]
INCLUDE = re.compile(r'\s*#\s*include\s*(?:"([^"]+)"|<(pimbb/[^>]+)>)')
ROOF = {"cli", "python"}


class Floors:
    """src/floors.txt: rooms in order, the public headers of each, and which folders are wings."""

    def __init__(self, text):
        self.order, self.home, self.wings = [], {}, set()
        for line in text.splitlines():
            name, colon, words = line.partition(":")
            if not colon or line.startswith("#"):
                continue
            if name == "wings":
                self.wings.update(words.split())
                continue
            if name not in self.order:
                self.order.append(name)
            self.home.update({"include/pimbb/" + header: name for header in words.split()})

    def room(self, path):
        """The room that a file of the project belongs to, or None."""
        if path in self.home:
            return self.home[path]
        if not path.startswith("src/"):
            return None
        folders = path.split("/")[1:-1]
        names = ("/".join(folders[:k]) for k in range(len(folders), 0, -1))
        return next((name for name in names if name in self.order), None)

    def wing(self, room):
        return room.split("/")[0] if room.split("/")[0] in self.wings else None

    def why_not(self, room, other):
        """Why `room` must not include `other`; empty if it may."""
        wing = self.wing(other)
        if wing and wing != self.wing(room) and room not in ROOF:
            return f"{room} is outside the wing {wing}"
        if self.order.index(other) > self.order.index(room):
            return f"{other} is above {room}"
        return ""


def offenders(root):
    """Every include below `root` that breaks a rule, as `file:line: reason`."""
    floors = Floors((root / "src/floors.txt").read_text(encoding="utf-8"))
    found = []
    for folder in ("src", "include", "tools/pimbb-check"):
        for file in sorted((root / folder).rglob("*.[ch]pp")):
            path = file.relative_to(root).as_posix()
            lines = file.read_text(encoding="utf-8").splitlines()
            if folder != "tools/pimbb-check" and floors.room(path) is None:
                found.append(f"{path}: no room in src/floors.txt")
                continue
            for number, line in enumerate(lines, 1):
                match = INCLUDE.match(line)
                why = match and objection(root, floors, path, match[1] or match[2])
                if why:
                    found.append(f"{path}:{number}: {line.strip()}: {why}")
    return found


def objection(root, floors, path, included):
    if path.startswith("tools/"):
        alone = (root / path).parent.joinpath(included).exists()
        return "" if alone else "the checker shares no code"
    target = ("include/" if included.startswith("pimbb/") else "src/") + included
    if not (root / target).exists() and not (root / (target + ".in")).exists():  # or written by meson
        return "no such file, seen from src/ or include/"
    if path.startswith("include/") and target.startswith("src/"):
        return "a public header includes a private one"
    other = floors.room(target)
    return floors.why_not(floors.room(path), other) if other else f"{target} has no room"


class ThisTree(unittest.TestCase):
    def test_no_include_goes_up_or_into_another_wing(self):
        found = offenders(ROOT)
        self.assertEqual(found, [], f"{len(found)} includes:\n" + "\n".join(found))

    def test_every_line_of_the_list_is_needed(self):
        floors = Floors((ROOT / "src/floors.txt").read_text(encoding="utf-8"))
        headers = {path.relative_to(ROOT).as_posix()
                   for path in (ROOT / "include").rglob("*.hpp")}
        self.assertEqual(set(floors.home), headers)
        for room in floors.order:
            empty = not list((ROOT / "src" / room).glob("**/*.[ch]pp"))
            self.assertFalse(empty and room not in floors.home.values(), room)


class SmallTrees(unittest.TestCase):
    """The test can fail: one small house each."""

    FLOORS = "wings: dram cim\nexact: number.hpp\nrun:\ndram/model:\ndram/mapper:\ncim/model:\ncli:\n"

    def found(self, path, include):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for room in ("exact", "run", "dram/model", "dram/mapper", "cim/model", "cli", "attic"):
                (root / "src" / room / "deep").mkdir(parents=True)
                (root / "src" / room / "a.hpp").touch()
            (root / "include/pimbb").mkdir(parents=True)
            (root / "include/pimbb/number.hpp").touch()
            (root / "include/pimbb/homeless.hpp").touch()
            (root / "src/floors.txt").write_text(self.FLOORS)
            (root / "tools/pimbb-check").mkdir(parents=True)
            (root / path).write_text(f"// A file.\n{include}\n")
            unlisted = {"src/attic/a.hpp: no room in src/floors.txt",
                        "include/pimbb/homeless.hpp: no room in src/floors.txt"}
            found = set(offenders(root))
            self.assertLessEqual(unlisted, found)
            return "\n".join(found - unlisted)

    def test_down_and_aside_is_allowed(self):
        for path, include in (("src/run/b.cpp", '#include "exact/a.hpp"'),
                              ("src/run/b.cpp", '#include "run/a.hpp"'),
                              ("src/run/deep/b.cpp", '#include "run/a.hpp"'),
                              ("src/exact/b.cpp", '#include <pimbb/number.hpp>'),
                              ("src/exact/b.cpp", '#include <vector>'),
                              ("src/exact/b.cpp", '// #include "run/a.hpp"'),
                              ("src/dram/mapper/b.cpp", '#include "dram/model/a.hpp"'),
                              ("src/cli/b.cpp", '#include "dram/mapper/a.hpp"')):
            self.assertEqual(self.found(path, include), "", (path, include))

    def test_what_is_forbidden_is_found(self):
        for path, include, why in (
                ("src/exact/b.cpp", '#include "run/a.hpp"', "run is above exact"),
                ("src/exact/deep/b.cpp", '# include "run/a.hpp"', "run is above exact"),
                ("include/pimbb/number.hpp", '#include "exact/a.hpp"', "private one"),
                ("src/dram/model/b.cpp", '#include "dram/mapper/a.hpp"', "is above dram/model"),
                ("src/run/b.cpp", '#include "dram/model/a.hpp"', "run is outside the wing dram"),
                ("src/cim/model/b.cpp", '#include "dram/model/a.hpp"', "is outside the wing dram"),
                ("src/cli/b.cpp", '#include "attic/a.hpp"', "src/attic/a.hpp has no room"),
                ("src/cli/b.cpp", '#include "pimbb/homeless.hpp"', "has no room"),
                ("src/cli/b.cpp", '#include "nowhere/a.hpp"', "no such file"),
                ("tools/pimbb-check/b.cpp", '#include "exact/a.hpp"', "shares no code")):
            self.assertIn(why, self.found(path, include), (path, include))
            self.assertIn(f"{path}:2: ", self.found(path, include))


if __name__ == "__main__":
    unittest.main(argv=["test_floors"])

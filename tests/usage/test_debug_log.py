"""The debug log: absent from a usual binary; where it is compiled in, it shows one node's life."""

import os
import re
import subprocess
import sys
import unittest

from workbench import PIMBB, Workbench, environment

COMPILED_IN = sys.argv.pop(2) == "true"
LINE = re.compile(r"LOG search (\d+) node (\d+)(/\d+)?: (.*)")
OPENED = re.compile(r"opened below node (\d+), bound \S+")


class DebugLog(Workbench):
    def lines(self, *arguments, **variables):
        done = subprocess.run([PIMBB, *arguments], cwd=self.dir, env=environment(**variables),
                              capture_output=True, text=True, check=True)
        return [line for line in done.stderr.splitlines() if line.startswith("LOG ")]

    def map(self, **variables):
        return self.lines("map", "--arch", "simple_pim", "--layer", "resnet18:conv5_down",
                          "--objective", "edp", "--quiet", **variables)

    def test_texts_in_the_binary(self):
        with open(PIMBB, "rb") as file:
            text = file.read()
        self.assertEqual(b"PIMBB_LOG" in text, COMPILED_IN)
        self.assertEqual(b"taken as number" in text, COMPILED_IN)
        self.assertEqual(b"dual iteration" in text, COMPILED_IN)

    def test_nothing_unless_asked_for(self):
        self.assertEqual(self.map(), [])
        self.assertEqual(self.map(PIMBB_LOG="none"), [])
        if not COMPILED_IN:
            self.assertEqual(self.map(PIMBB_LOG="all", PIMBB_LOG_NODE="1"), [])

    @unittest.skipUnless(COMPILED_IN, "needs -Ddebug_log=true")
    def test_one_node_and_its_ancestors(self):
        events = [e for e in map(LINE.fullmatch, self.map(PIMBB_LOG="search")) if e]
        self.assertGreater(len(events), 100)
        parents = {}  # of (search, node)
        for event in events:
            search, node, _, text = event.groups()
            opened = OPENED.fullmatch(text)
            if opened:
                parents[search, node] = opened[1]

        def path(search, node):
            above = parents.get((search, node))
            return [node] + (path(search, above) if above else [])

        search, node = max(parents, key=lambda key: (len(path(*key)), key))
        family = set(path(search, node))
        self.assertGreater(len(family), 1)
        expected = [e[0] for e in events if e[1] == search and e[2] in family
                    and (e[2] == node or not e[4].startswith("child of"))]
        followed = self.map(PIMBB_LOG_NODE=f"{search}:{node}")
        self.assertEqual(sorted(followed), sorted(expected))

    @unittest.skipUnless(COMPILED_IN, "needs -Ddebug_log=true")
    def test_linear_programs(self):
        self.write("up.lp", "max\n 2 x + y\nst\n x + 3 y <= 1\nend\n")
        log = self.lines("lp", "up.lp", PIMBB_LOG="lp,search")
        self.assertTrue(any("primal iteration 1: variable 0 enters" in line for line in log), log)
        self.assertEqual(log[-1], "LOG lp 1: optimal after 1 iterations in all")


if __name__ == "__main__":
    unittest.main(argv=["test_debug_log"])

"""src/README.md is complete and correct: every path in it exists, and it lists every header.

A path is a word in backquotes with a slash in it, relative to src/ or include/. A header of src/ is
listed if its path is, or the folder that contains it, written `folder/`, outside of the table of
layers. Every public header is listed by its path.
"""
import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(sys.argv[1])
ROOTS = (SOURCE / "src", SOURCE / "include")
# They only include the others.
OVERVIEWS = ("pimbb/pimbb.hpp", "pimbb/cim.hpp", "pimbb/crossbar.hpp", "pimbb/dram_pim.hpp")


class SourceMap(unittest.TestCase):
    def setUp(self):
        text = (SOURCE / "src/README.md").read_text(encoding="utf-8")
        self.paths = re.findall(r"`([^`\s]*/[^`\s]*)`", text)
        self.listed = set(re.findall(r"`([^`\s]*/[^`\s]*)`", text[text.index("## "):]))

    def test_paths_exist(self):
        paths = [path for path in self.paths if not path.endswith("...")]
        self.assertGreater(len(paths), 100)
        for path in paths:
            with self.subTest(path):
                self.assertTrue(any((root / path).exists() for root in ROOTS)
                                or (SOURCE / path).is_dir())

    def test_headers_are_listed(self):
        for root in ROOTS:
            for header in sorted(root.rglob("*.hpp")):
                path = header.relative_to(root).as_posix()
                folder = header.parent.relative_to(root).as_posix() + "/"
                with self.subTest(path):
                    self.assertTrue(self.listed & {path, folder} or path in OVERVIEWS)


if __name__ == "__main__":
    unittest.main(argv=["test_source_map"])

"""Runs the session of docs/python.md."""

import doctest
import os
import pathlib
import sys
import tempfile
import warnings

SOURCE = pathlib.Path(sys.argv[1]).resolve()

if __name__ == "__main__":
    warnings.simplefilter("error")
    os.chdir(tempfile.mkdtemp())
    failed, tried = doctest.testfile(str(SOURCE / "docs" / "python.md"), module_relative=False)
    print(f"{tried} examples, {failed} failed")
    sys.exit(failed > 0 or tried == 0)

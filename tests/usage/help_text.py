"""What `pimbb --help` says, read as a user reads it: the measure of completions and manual pages."""

import re


def commands(pimbb):
    """Names of all commands; `pimbb` runs it with arguments and returns what it prints."""
    block = pimbb("--help").split("Subcommands:\n")[1].split("\n\n")[0]
    return re.findall(r"^  (\w+) ", block, re.MULTILINE)


def options(pimbb, command):
    """Every option with the placeholder of its value, '' for a flag: {"--arch": "ARCH"}."""
    text = pimbb(*command.split(), "--help")
    found = re.findall(r"^  (?:-\w,)?(--[a-z-]+)(?: ([A-Z]+))?(?: |$)", text, re.MULTILINE)
    return dict(found)

"""Linear programs of Netlib and of MIPLIB that come with two packages of Debian, as MPS files.

coinor-libcoinutils-dev  /usr/share/coin/Data/Sample: MPS files
r-cran-ecosolver         testdata of ECOSolveR: programs of Netlib with slacks, min c x, A x = b, x >= 0,
                         as saved by R (gzip of its XDR serialisation); R is not needed

A package that is not installed may also be unpacked somewhere: `dpkg -x FILE.deb ROOT`.
"""
import gzip
import pathlib
import struct

COIN = "usr/share/coin/Data/Sample"
ECOS = "usr/lib/R/site-library/ECOSolveR/testdata"

# Where Netlib's readme gives an optimum; the others are compared with GLPK only.
COIN_PROGRAMS = {"atm_5_10_1": None, "brandy": 1.5185098965e3, "e226": -1.8751929066e1, "finnis": 1.7279106560e5,
                 "lseu": None, "nw460": None, "p0033": None, "p0201": None, "p0548": None, "retail3": None,
                 "wedding_16": None}
ECOS_PROGRAMS = {"25fv47": 5.5018458883e3, "agg": -3.5991767287e7, "agg2": -2.0239252356e7,
                 "agg3": 1.0312115935e7, "bandm": -1.5862801845e2, "beaconfd": 3.3592485807e4,
                 "bnl1": 1.9776295615e3}


class Serialised:
    """A value that R has saved: lists and vectors as lists, named ones as dictionaries."""

    def __init__(self, data):
        if data[:2] != b"X\n":
            raise ValueError("not in R's XDR format")
        self.data, self.at, self.symbols = data, 2, []
        version, _, _ = self.numbers("i", 3)
        if version >= 3:
            self.taken(self.number())  # the encoding

    def taken(self, size):
        self.at += size
        return self.data[self.at - size:self.at]

    def numbers(self, kind, count):
        return list(struct.unpack(f">{count}{kind}", self.taken(count * struct.calcsize(kind))))

    def number(self):
        return self.numbers("i", 1)[0]

    def item(self):
        flags = self.number()
        kind = flags & 255
        if kind == 254:  # NULL
            return None
        if kind == 255:  # a symbol seen before
            return self.symbols[(flags >> 8 or self.number()) - 1]
        if kind == 1:
            self.symbols.append(self.item())
            return self.symbols[-1]
        if kind == 9:
            return self.taken(max(self.number(), 0)).decode("latin-1")
        if kind == 2:
            return self.pairs(flags)
        return self.vector(kind, flags)

    def pairs(self, flags):
        found = {}
        while flags & 255 == 2:
            if flags & 0x200:
                self.item()  # attributes of the list itself
            tag = self.item() if flags & 0x400 else None
            found[tag] = self.item()
            flags = self.number()
        return found

    def vector(self, kind, flags):
        if kind in (10, 13):
            values = self.numbers("i", self.number())
        elif kind == 14:
            values = self.numbers("d", self.number())
        elif kind in (16, 19):
            values = [self.item() for _ in range(self.number())]
        else:
            raise ValueError(f"R's type {kind} is not read here")
        attributes = self.item() if flags & 0x200 else None
        if kind == 19 and attributes and "names" in attributes:
            return dict(zip(attributes["names"], values))
        return values


def columns_of(starts, rows, values):
    """The entries of each column of a matrix in compressed columns."""
    return [list(zip(rows[begin:end], values[begin:end])) for begin, end in zip(starts, starts[1:])]


def short(value):
    """The decimal that Netlib has, of at most 12 digits: what was saved has gone through arithmetic."""
    return f"{value:.12g}"


def mps_of(problem, name):
    """min c x, G x <= h, A x = b, where the rows of G are bounds: minus an unknown, at most 0."""
    bounds = columns_of(problem["Gjc"], problem["Gir"], problem["Gpr"])
    if any(len(of) != 1 or of[0][1] >= 0 for of in bounds) or any(problem["h"]):
        raise ValueError(f"{name}: more than x >= 0")
    lines = [f"NAME {name}", "ROWS", " N cost"]
    lines += [f" E r{i}" for i in range(len(problem["b"]))]
    lines.append("COLUMNS")
    for j, entries in enumerate(columns_of(problem["Ajc"], problem["Air"], problem["Apr"])):
        if problem["c"][j]:
            lines.append(f" x{j} cost {short(problem['c'][j])}")
        lines += [f" x{j} r{i} {short(value)}" for i, value in entries if value]
    lines.append("RHS")
    lines += [f" b r{i} {short(value)}" for i, value in enumerate(problem["b"]) if value]
    return "\n".join(lines + ["ENDATA"]) + "\n"


def without_constant(text):
    """An MPS text without the objective's right hand side: GLPK adds it, others subtract it."""
    lines, section, objective = [], "", None
    for line in text.splitlines():
        if line[:1] not in (" ", "*", ""):
            section = line.split()[0]
        fields = line.split()
        if section == "ROWS" and fields[0] == "N":
            objective = objective or fields[1]
        if section == "RHS" and objective in fields:
            at = fields.index(objective)
            fields = fields[:at] + fields[at + 2:]
            line = "    " + " ".join(fields) if len(fields) > 1 else "*"
        lines.append(line)
    return "\n".join(lines) + "\n"


def write_all(folder, root):
    """Writes the programs of the packages below `root`; yields family, name, path, known optimum."""
    root, folder = pathlib.Path(root), pathlib.Path(folder)
    for name, optimum in COIN_PROGRAMS.items():
        source = root / COIN / f"{name}.mps"
        if source.exists():
            path = folder / source.name
            path.write_text(without_constant(source.read_text(encoding="latin-1")), encoding="latin-1")
            yield "coin", name, str(path), optimum
    for name, optimum in ECOS_PROGRAMS.items():
        source = root / ECOS / f"lp_{name}_1.RDS"
        if source.exists():
            path = folder / f"{name}.mps"
            path.write_text(mps_of(Serialised(gzip.decompress(source.read_bytes())).item(), name),
                            encoding="latin-1")
            yield "netlib, larger", name, str(path), optimum


def missing(root):
    """Names of packages whose programs are not there."""
    folders = {"coinor-libcoinutils-dev": COIN, "r-cran-ecosolver": ECOS}
    return [package for package, folder in folders.items() if not (pathlib.Path(root) / folder).is_dir()]

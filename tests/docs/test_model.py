"""docs/model.md, worked out by a program that knows nothing but the page.

Random mappings of small layers onto machines with every property that enters a formula are priced
here, section by section of the page, and by `pimbb evaluate`: all terms agree exactly, so the page
leaves nothing out. Then they are changed at random, and both say which of them are still feasible.
"""

import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import unittest
from fractions import Fraction

PIMBB = os.path.abspath(sys.argv[1])

RELEVANT = {"input": "RSPQCN", "weight": "RSCK", "output": "PQKN"}
ORDER = {"weight": "KCSR", "output": "NKQP"}  # of a tensor's dimensions in DRAM


def level(name, entries, blocksize, **more):
    return {"name": name, "entries": entries, "blocksize": blocksize, "instances": 1, "latency": 2,
            "access_cost": 0.25 * len(name), "stores": [True, True, True], **more}


def machine(pe_array, levels, **more):
    return {"name": "m", "pe_array": {"dim_h": 2, "dim_w": 4, "mac_energy": 0.5, **pe_array},
            "memory_hierarchy": levels, **more}


MACHINES = [
    machine({"unit_type": "scalar", "num_macs": 1},
            [level("PE", 8, 4), level("Buffer", 64, 8, num_read_ports=2),
             level("RowBuf", 32, 4, row_buffer_size=32), level("DRAM", -1, 16)],
            dram_timings={"tRCDRD": 6, "tRP": 4.5}, activation_energy=0.75),
    machine({"unit_type": "simd", "num_macs": 2},
            [level("PE", 12, 4, ports="shared"), level("Buf", 96, 8, bypass_defined=False),
             level("Outer", 128, 8, write_bandwidth=3, ports="shared", bypass_defined=False),
             level("RowBuf", 64, 4, row_buffer_size=64), level("DRAM", -1, 16)],
            bits={"input": 8, "weight": 4, "output": 16}, psum_rereads=True, input_order="nhwc",
            interconnect_bandwidth=1.5, dram_timings={"activation_latency": 7}),
    machine({"unit_type": "reduction_tree", "num_macs": 4, "reduction_latency": 3},
            [level("PE", 12, 4, stores=[True, False, True]),
             level("Buf", 48, 8, stores=[False, True, True], bypass_defined=False),
             level("RowBuf", 24, 4, row_buffer_size=24), level("DRAM", -1, 16)],
            interconnect_bandwidth=8),
    machine({"unit_type": "scalar", "num_macs": 1},
            [level("PE", 5, 4), level("Buffer", 21, 8), level("RowBuf", 16, 4, row_buffer_size=10),
             level("DRAM", -1, 16)],
            bits={"input": 5, "weight": 3, "output": 12}, packing="bit", activation_energy=0.75,
            dram_streams="shared"),
]
LAYERS = [
    {"R": 3, "S": 1, "P": 4, "Q": 3, "C": 2, "K": 4, "N": 1},
    {"R": 3, "S": 2, "P": 6, "Q": 4, "C": 4, "K": 2, "N": 2, "stride": [2, 1], "dilation": [1, 2]},
    {"R": 1, "S": 1, "P": 8, "Q": 1, "C": 12, "K": 8, "N": 2},
    {"R": 2, "S": 2, "P": 5, "Q": 5, "C": 3, "K": 3, "N": 1, "stride": [3, 2]},
]


PROBLEM = ("--arch", "arch.json", "--layer", "layer.json")


class Page:
    """One mapping, priced as the page says. Names are those of the page."""

    def __init__(self, architecture, layer, mapping):
        self.architecture, self.levels = architecture, architecture["memory_hierarchy"]
        self.bounds = {j: layer[j] for j in "RSPQCKN"}
        self.stride_w, self.stride_h = layer.get("stride", [1, 1])
        self.dilation_w, self.dilation_h = layer.get("dilation", [1, 1])
        bits = architecture.get("bits", {})
        packed = architecture.get("packing") == "bit"
        self.bits = {t: bits.get(t, 8) if packed else 8 * math.ceil(bits.get(t, 8) / 8)
                     for t in RELEVANT}
        self.spatial = {d: {j: mapping["spatial"][d].get(j, 1) for j in self.bounds}
                        for d in ("H", "W", "internal")}
        self.loops = [at["loops"] for at in mapping["temporal"]]
        self.stores = [mapping["stores"][at["name"]] for at in self.levels]
        self.layout, self.block = mapping["layout"], mapping.get("input_block")
        self.dram, self.rb = len(self.levels) - 1, len(self.levels) - 2
        self.row = 8 * self.levels[self.rb]["row_buffer_size"]  # in bits, as addresses are
        self.c = self.cumulative()

    # Mapping

    def cumulative(self):
        """c[m][j]; c[-1] of the spatial factors alone."""
        c = {-1: {j: math.prod(f[j] for f in self.spatial.values()) for j in self.bounds}}
        for m, loops in enumerate(self.loops):
            factors = dict(loops)
            c[m] = {j: c[m - 1][j] * factors.get(j, 1) for j in self.bounds}
        return c

    def ext_w(self, p, r):
        return self.stride_w * (p - 1) + self.dilation_w * (r - 1) + 1

    def ext_h(self, q, s):
        return self.stride_h * (q - 1) + self.dilation_h * (s - 1) + 1

    def tile(self, t, c):
        if t == "input":
            return c["N"] * c["C"] * self.ext_h(c["Q"], c["S"]) * self.ext_w(c["P"], c["R"])
        return math.prod(c[j] for j in RELEVANT[t])

    def feasible(self):
        """The rules 1 to 7, by number."""
        array, c, pe = self.architecture["pe_array"], self.c, dict.fromkeys(self.bounds, 1)
        for j, f in [*self.spatial["internal"].items(), *self.loops[0]]:
            pe[j] *= f
        extent = {"H": array["dim_h"], "W": array["dim_w"], "internal": array["num_macs"]}
        kinds = {"scalar": ("", "RSPQCKN", "RSPQCKN"), "simd": ("PQKN", "RSPQCKN", "RSPQCKN"),
                 "reduction_tree": ("RSC", "RSPQCKN", "RSPQCKN"),
                 "tensor_core": ("RSC", "PQKN", "PQKN"), "systolic": ("", "K", "C")}
        allowed = dict(zip(("internal", "H", "W"), kinds[array["unit_type"]]))
        rules = {
            1: c[self.dram] == self.bounds,
            2: all(sum(f[j] > 1 for f in self.spatial.values()) <= 1 for j in self.bounds),
            3: all(math.prod(self.spatial[d].values()) <= extent[d] for d in extent),
            4: all(f == 1 or j in allowed[d] for d in extent for j, f in self.spatial[d].items()),
            5: all(self.stored_as_allowed(m) for m in range(self.dram + 1)),
            6: all(self.fits(m, pe if m == 0 else c[m]) for m in range(self.dram + 1))}
        rules[7] = not rules[1] or all(self.laid_out(t) for t in RELEVANT)
        return all(rules.values()), rules

    def stored_as_allowed(self, m):
        may = {t for t, stored in zip(RELEVANT, self.levels[m]["stores"]) if stored}
        does = set(self.stores[m])
        free = not self.levels[m].get("bypass_defined", True) and m < self.rb
        return does <= may if free else does == may

    def fits(self, m, c):
        sizes = [math.ceil(self.tile(t, c) * self.bits[t] / 8) for t in self.stores[m]]
        capacity = self.levels[m]["entries"]
        needed = max(sizes) if m == self.rb else sum(sizes)
        return capacity == -1 or needed <= capacity

    def laid_out(self, t):
        c, b = self.c[self.rb], self.bounds
        if self.layout[t] == "sequential":
            return True
        if t != "input":
            return self.tile(t, c) * self.bits[t] <= self.row
        h, w = self.block["h"], self.block["w"]
        return (self.ext_h(b["Q"], b["S"]) % h == 0 and self.ext_w(b["P"], b["R"]) % w == 0
                and h >= self.ext_h(c["Q"], c["S"]) and w >= self.ext_w(c["P"], c["R"])
                and h * w * c["C"] * c["N"] * self.bits[t] <= self.row)

    # Traffic

    def outside(self, i):
        """Loops outside of level i, outermost first, each with its level."""
        return [(m, j, f) for m in range(self.dram, i, -1) for j, f in self.loops[m]]

    def fills(self, i, t):
        product, moved = 1, False
        for _, j, f in reversed(self.outside(i)):
            moved = moved or j in RELEVANT[t]
            product *= f if moved else 1
        return self.tile(t, self.c[i]) * product

    def inner_store(self, m, t):
        return max((i for i in range(m) if t in self.stores[i]), default=None)

    def reads(self, m, t):
        """A[m][t] and A_total[m][t]."""
        temporal = math.prod(f for _, _, f in self.outside(-1))
        array = math.prod(f for d in "HW" for f in self.spatial[d].values())
        relevant = {d: math.prod(self.spatial[d][j] for j in RELEVANT[t]) for d in self.spatial}
        inner, scale = self.inner_store(m, t), 1
        if inner is not None:
            a = self.fills(inner, t)
        elif m > 0:
            a = temporal * math.prod(relevant.values())
        else:
            a, scale = temporal * relevant["internal"], array
        total = Fraction(a * scale)
        if t == "output" and self.architecture.get("psum_rereads"):
            total = 2 * total - self.tile(t, self.bounds)
        return total / scale, total

    # Row activations: trace

    def addresses(self, t, at, size):
        """Addresses of a tile that begins at the indices `at`, in ascending order."""
        if t == "input":
            h = self.stride_h * at["Q"] + self.dilation_h * at["S"]
            w = self.stride_w * at["P"] + self.dilation_w * at["R"]
            box = [range(at["N"], at["N"] + size["N"]), range(at["C"], at["C"] + size["C"]),
                   range(h, h + self.ext_h(size["Q"], size["S"])),
                   range(w, w + self.ext_w(size["P"], size["R"]))]
            return sorted(self.input_address(*index) for index in itertools.product(*box))
        box = [range(at[j], at[j] + size[j]) for j in ORDER[t]]
        return sorted(self.address(t, index) for index in itertools.product(*box))

    @staticmethod
    def dense(index, sizes):
        number = 0
        for at, size in zip(index, sizes):
            number = number * size + at
        return number

    def address(self, t, index):
        sizes = [self.bounds[j] for j in ORDER[t]]
        if self.layout[t] == "sequential":
            return self.dense(index, sizes) * self.bits[t]
        tiles = [self.c[self.rb][j] for j in ORDER[t]]
        number = self.dense([i // x for i, x in zip(index, tiles)],
                            [size // x for size, x in zip(sizes, tiles)])
        return number * self.row + self.dense([i % x for i, x in zip(index, tiles)],
                                              tiles) * self.bits[t]

    def input_address(self, n, c, h, w):
        b = self.bounds
        height, width = self.ext_h(b["Q"], b["S"]), self.ext_w(b["P"], b["R"])
        if self.layout["input"] == "sequential":
            index, sizes = ((n, c, h, w), (b["N"], b["C"], height, width))
            if self.architecture.get("input_order") == "nhwc":
                index, sizes = (n, h, w, c), (b["N"], height, width, b["C"])
            return self.dense(index, sizes) * self.bits["input"]
        tile, bh, bw = self.c[self.rb], self.block["h"], self.block["w"]
        group = self.dense((n // tile["N"], c // tile["C"], h // bh, w // bw),
                           (b["N"] // tile["N"], b["C"] // tile["C"], height // bh, width // bw))
        inside = self.dense((n % tile["N"], c % tile["C"], h % bh, w % bw),
                            (tile["N"], tile["C"], bh, bw))
        return group * self.row + inside * self.bits["input"]

    def rows_opened(self, addresses, opened=None):
        count = 0
        for address in addresses:
            count += address // self.row != opened
            opened = address // self.row
        return count, opened

    def trace(self, t):
        i = self.inner_store(self.rb, t)
        loops, every = self.outside(-1 if i is None else i), i is None
        size = self.c[-1 if i is None else i]
        total, opened, before = 0, None, None
        for step in itertools.product(*(range(f) for _, _, f in loops)):
            key = [x for x, (_, j, _) in zip(step, loops) if j in RELEVANT[t]]
            if key == before and not every:
                continue
            before = key
            at = dict.fromkeys(self.bounds, 0)
            for x, (m, j, _) in zip(step, loops):
                at[j] += x * self.c[m - 1][j]
            count, opened = self.rows_opened(self.addresses(t, at, size), opened)
            total += count
        return Fraction(total)

    # Row activations: the formulas

    def repeats(self, m, t):
        """Products of the inner and the outer irrelevant loops of level m."""
        inner = outer = 1
        moved = False
        for j, f in reversed(self.loops[m]):
            moved = moved or j in RELEVANT[t]
            if j not in RELEVANT[t]:
                inner, outer = (inner, outer * f) if moved else (inner * f, outer)
        return inner, outer

    def cross(self):
        f = {**dict.fromkeys(self.bounds, 1), **dict(self.loops[self.dram])}
        c = self.c[self.rb]
        total = 0
        for out, kernel, block, stride, dilation, tile in (
                ("Q", "S", self.block["h"], self.stride_h, self.dilation_h,
                 self.ext_h(c["Q"], c["S"])),
                ("P", "R", self.block["w"], self.stride_w, self.dilation_w,
                 self.ext_w(c["P"], c["R"]))):
            straddle = sum((i * stride * c[out] + dilation * c[kernel] * g) % block + tile > block
                           for i in range(f[out]) for g in range(f[kernel]))
            total += straddle * math.prod(f[j] for j in RELEVANT["input"] if j not in (out, kernel))
        return total

    def alone(self):
        """A: the sum of the micro-traces of all input tiles."""
        loops = self.loops[self.dram]
        total = 0
        for step in itertools.product(*(range(f) for _, f in loops)):
            at = dict.fromkeys(self.bounds, 0)
            for x, (j, _) in zip(step, loops):
                at[j] = x * self.c[self.rb][j]
            if all(x == 0 for x, (j, _) in zip(step, loops) if j == "K"):
                total += self.rows_opened(self.addresses("input", at, self.c[self.rb]))[0]
        return total

    def formula(self, model, t):
        reuse3, outer3 = self.repeats(self.dram, t)
        reuse2, outer2 = self.repeats(self.rb, t)
        size = self.tile(t, self.bounds) * self.bits[t]
        divides = self.row % (self.tile(t, self.c[self.rb]) * self.bits[t]) == 0
        stream = max(Fraction(1), Fraction(size, self.row))
        tiles = math.prod(f for j, f in self.loops[self.dram] if j in RELEVANT[t])
        if self.layout[t] == "sequential" and size <= self.row:
            return Fraction(1)
        if model == "analytic":
            if self.layout[t] == "sequential":
                return stream * outer3 * (1 if divides else reuse3 * reuse2 * outer2)
            crossing = 2 * self.cross() * reuse3 * reuse2 * outer2 if t == "input" else 0
            return Fraction(tiles * outer3 + crossing)
        reuse = reuse3 * reuse2
        if self.layout[t] == "row_aligned":
            crossing = 2 * self.cross() * reuse if t == "input" else 0
            return Fraction(tiles * reuse * outer3 * outer2 + crossing)
        if t == "input":
            return Fraction((tiles + (self.alone() - tiles) * reuse) * outer3)
        return stream * reuse * (1 if divides or reuse == 1 else 2) * outer3 * outer2

    # Latency and energy

    def bandwidth(self, m, t):
        at = self.levels[m]
        way = "write" if t == "output" else "read"
        port = at.get(way + "_bandwidth") or Fraction(at["blocksize"], at["latency"])
        return Fraction(port) * at.get(f"num_{way}_ports", 1)

    def metrics(self, model):
        array = self.architecture["pe_array"]
        rows = {t: self.trace(t) if model == "trace" else self.formula(model, t) for t in RELEVANT}
        timings = self.architecture.get("dram_timings", {})
        t_act = Fraction(timings.get("activation_latency",
                                     timings.get("tRCDRD", 14) + timings.get("tRP", 14)))
        internal = any(self.spatial["internal"][j] > 1 for j in "RSC")
        compute = Fraction(math.prod(f for _, _, f in self.outside(-1)))
        compute += array.get("reduction_latency", 0) if internal else 0
        memory, reads = {}, {}
        for m, at in enumerate(self.levels):
            reads[at["name"]] = {t: self.reads(m, t)[1] for t in self.stores[m]}
            if m < self.rb:
                each = [self.reads(m, t)[0] * Fraction(self.bits[t], 8) / self.bandwidth(m, t)
                        for t in self.stores[m]]
                shared = at.get("ports") == "shared"
                memory[at["name"]] = sum(each) if shared else max(each, default=Fraction(0))
        dram = {t: self.reads(self.rb, t)[0] * Fraction(self.bits[t], 8) / self.bandwidth(self.rb, t)
                   + rows[t] * t_act for t in RELEVANT}
        interconnect = Fraction(0)
        if "interconnect_bandwidth" in self.architecture:
            for t in RELEVANT:
                m = next(m for m in range(1, self.dram) if t in self.stores[m])
                interconnect += self.reads(m, t)[0] * Fraction(self.bits[t], 8)
            interconnect /= Fraction(self.architecture["interconnect_bandwidth"])
        energy = math.prod(self.bounds.values()) * Fraction(array["mac_energy"])
        for at in self.levels:
            energy += sum(reads[at["name"]].values()) * Fraction(at["access_cost"])
        energy += sum(rows.values()) * Fraction(self.architecture.get("activation_energy", 0))
        shared = self.architecture.get("dram_streams") == "shared"
        busy = sum(dram.values()) if shared else max(dram.values())
        return {"latency": max(compute, *memory.values(), busy, interconnect),
                "energy": energy, "compute_cycles": compute, "memory_cycles": memory,
                "dram_cycles": dram, "interconnect_cycles": interconnect,
                "reads": {name: values for name, values in reads.items() if values},
                "row_activations": rows}


def changed(mapping, layer, chance):
    """The mapping with one thing changed: a factor moved or doubled, a store bit, a layout."""
    mapping = json.loads(json.dumps(mapping))
    what = chance.choice(["move", "move", "move", "double", "store", "layout"])
    if what == "store":
        stores = mapping["stores"][chance.choice(list(mapping["stores"]))]
        t = chance.choice(list(RELEVANT))
        if t in stores:
            stores.remove(t)
        else:
            stores.append(t)
    elif what == "layout":
        mapping["layout"][chance.choice(list(RELEVANT))] = chance.choice(["sequential", "row_aligned"])
        mapping["input_block"] = {"h": chance.randint(1, 9), "w": chance.randint(1, 9)}
    else:
        places = [*mapping["spatial"].values(), *(dict(at["loops"]) for at in mapping["temporal"])]
        j = chance.choice([j for j in "RSPQCKN" if layer[j] > 1])
        if what == "move":
            source = chance.choice([place for place in places if j in place])
            prime = min(p for p in range(2, source[j] + 1) if source[j] % p == 0)
            source[j] //= prime
        target = chance.choice(places)
        target[j] = target.get(j, 1) * (2 if what == "double" else prime)
        for at, place in zip(mapping["temporal"], places[3:]):  # level 0 has an order of its own
            at["loops"] = [[j, place[j]] for j in "RSPQCKN" if place.get(j, 1) > 1]
        for place in places[:3]:
            for j in [j for j, f in place.items() if f == 1]:
                del place[j]
    if mapping["layout"]["input"] == "sequential":
        mapping.pop("input_block", None)
    return mapping


def exact(document):
    """The same with fractions instead of text."""
    if isinstance(document, dict):
        return {key: exact(value) for key, value in document.items()}
    return Fraction(document)


class Model(unittest.TestCase):
    maxDiff = None

    def pimbb(self, *arguments, codes=(0,)):
        done = subprocess.run([PIMBB, *arguments], cwd=self.directory.name, text=True,
                              capture_output=True, check=False)
        self.assertIn(done.returncode, codes, done.stderr)
        return done

    def write(self, name, document):
        with open(os.path.join(self.directory.name, name), "w", encoding="utf-8") as file:
            json.dump(document, file)

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="pimbb-model-")
        self.addCleanup(self.directory.cleanup)

    def random_mappings(self, count):
        """Feasible mappings of every layer on every machine, each with what it is a mapping of."""
        for architecture, layer in itertools.product(MACHINES, LAYERS):
            self.write("arch.json", architecture)
            self.write("layer.json", {"name": "l", **layer})
            for seed in range(count):
                self.pimbb("map", *PROBLEM, "--method", "random", "--samples", "1", "--seed",
                           str(seed), "--json", "mapping.json", "--quiet", codes=(0, 3))
                with open(os.path.join(self.directory.name, "mapping.json"),
                          encoding="utf-8") as file:
                    yield architecture, layer, json.load(file)["mapping"]

    def evaluate(self, mapping, model, codes=(0,)):
        self.write("mapping.json", mapping)
        return self.pimbb("evaluate", *PROBLEM, "--mapping", "mapping.json", "--row-model", model,
                          "--json", "-", codes=codes)

    def test_costs(self):
        seen = set()
        for architecture, layer, mapping in self.random_mappings(2):
            page = Page(architecture, layer, mapping)
            seen.update((t, page.layout[t]) for t in RELEVANT)
            for model in ("trace", "analytic", "hybrid"):
                done = self.evaluate(mapping, model)
                theirs, ours = exact(json.loads(done.stdout)["metrics"]["exact"]), page.metrics(model)
                self.assertEqual({key: theirs[key] for key in ours}, ours, (layer, mapping, model))
        self.assertEqual(len(seen), 6)  # every tensor in both layouts

    def test_feasibility(self):
        chance, feasible, broken = random.Random(1), 0, set()
        for architecture, layer, mapping in self.random_mappings(1):
            for _ in range(12):
                other = changed(mapping, layer, chance)
                fits, rules = Page(architecture, layer, other).feasible()
                done = self.evaluate(other, "analytic", codes=(0, 2))
                self.assertEqual(done.returncode == 0, fits, (layer, other, rules, done.stderr))
                feasible += fits
                if not fits:
                    self.assertIn("breaks the rule", done.stderr)
                    broken.update(rule for rule, kept in rules.items() if not kept)
        self.assertGreater(feasible, 20)
        self.assertEqual(broken, set(range(1, 8)))


if __name__ == "__main__":
    unittest.main(argv=["test_model"])

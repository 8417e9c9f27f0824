"""A directory of small problems and the executable to run on them, as a user would."""

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

PIMBB = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else "pimbb"

# A few of the cases, where each is slow (sanitizers): PIMBB_SHARE is how many, in per cent.
SHARE = int(os.environ.get("PIMBB_SHARE", "100"))


def chosen(cases):
    """PIMBB_SHARE per cent of a list, at least three, spread evenly."""
    cases = list(cases)
    count = max(min(3, len(cases)), len(cases) * SHARE // 100)
    return [cases[k * len(cases) // count] for k in range(count)]


# Large problems: what they execute, small ones do too.
not_in_slow_builds = unittest.skipIf(SHARE < 10, "slow build")

LAYER = "{name: tiny, R: 3, S: 1, P: 4, Q: 2, C: 4, K: 8, N: 1}\n"
NETWORK = """
name: three
layers:
  - {name: a, R: 1, S: 1, P: 4, Q: 1, C: 4, K: 8, N: 1, repetitions: 2}
  - {name: b, R: 1, S: 1, P: 2, Q: 1, C: 4, K: 8, N: 1, weight: 0.5}
  - {name: a_again, R: 1, S: 1, P: 4, Q: 1, C: 4, K: 8, N: 1}
"""
# Layers that hand their tensors on.
CHAIN = """
name: chain
layers:
  - {name: conv1, R: 3, S: 3, P: 13, Q: 13, C: 16, K: 32, N: 1}
  - {name: conv2, R: 3, S: 3, P: 13, Q: 13, C: 32, K: 16, N: 1}
graph:
  - {node: conv1, layer: conv1}
  - {node: conv2, layer: conv2}
"""
ARCH = """
name: small
pe_array: {dim_h: 2, dim_w: 2, unit_type: scalar, num_macs: 1, mac_energy: 0.1}
memory_hierarchy:
  - {name: PE, entries: PE_BYTES, blocksize: 1, latency: 1, access_cost: 0.001,
     stores: [true, true, true]}
  - {name: GB, entries: 64, blocksize: 4, latency: 1, access_cost: 0.01,
     stores: [true, true, true]}
  - {name: RB, entries: 32, blocksize: 4, latency: 1, access_cost: 0.01,
     stores: [true, true, true], row_buffer_size: 32}
  - {name: DRAM, entries: -1, access_cost: 0.1,
     stores: [true, true, true]}
dram_timings: {tRCDRD: 14, tRP: 14}
"""
# SRAM compute-in-memory.
CIM = """
architecture:
  kind: cim
  name: two_cores
  bits: {input: 8, weight: 8, output: 8, psum: 16}
  leakage: 0.01
  macro: {input_bits_per_cycle: 1, activation_energy: 0.5}
  spatial_axes:
    - {name: cores, size: 2, dims: [P, Q, K, G, N], fan_out: {input: GB, weight: GB, output: GB}}
    - {name: rows, size: 4, dims: [R, S, C], fan_out: {input: IB, weight: Macro, output: Macro0}}
  memory_hierarchy:
    - {name: Macro, size_bits: 128, bandwidth: 32, read_energy: 0, write_energy: 0.001,
       stores: [false, true, false]}
    - {name: IB, size_bits: 512, bandwidth: 32, read_energy: 0, write_energy: 0.001,
       stores: [true, false, false]}
    - {name: Macro0, size_bits: 512, bandwidth: 32, read_energy: 0, write_energy: 0.001,
       stores: [false, false, true]}
    - {name: GB, size_bits: 8192, bandwidth: 64, read_energy: 0.002, write_energy: 0.002,
       stores: [true, true, true]}
    - {name: DRAM, size_bits: -1, bandwidth: 16, read_energy: 0.1, write_energy: 0.1,
       stores: [true, true, true]}
"""
# Two cores with eight crossbars each, and a network for them.
CROSSBAR = """
crossbar_accelerator:
  name: pair
  chips: 1
  cores: 2
  core: {crossbars: 8, rows: 16, columns: 4, cell_bits: 2, max_nodes: 4, vector_bytes: 8,
         vector_time: 1, local_memory: 4096}
  bits: {activation: 16, weight: 16}
  mvm: {time: 8, interval: 2}
  bandwidth: {memory: 64, bus: 25.6, link: 6.4}
  power: {crossbar: 1, vector: 2, local: 3, control: 4, router: 5, cores_per_router: 4, memory: 6,
          link: 7}
"""
CROSSBAR_NETWORK = """
name: two
layers:
  - {name: conv, R: 3, S: 3, P: 4, Q: 4, C: 2, K: 4, N: 1, input: [4, 4]}
  - {name: fc, R: 1, S: 1, P: 1, Q: 1, C: 16, K: 8, N: 1}
graph:
  - {node: conv, layer: conv}
  - {node: pool, op: MaxPool, window: [2, 2], stride: [2, 2]}
  - {node: flatten, op: Flatten}
  - {node: fc, layer: fc}
"""


def environment(**changes):
    """The environment without what changes the output, and with `changes`."""
    kept = {k: v for k, v in os.environ.items()
            if k not in ("LC_ALL", "LC_CTYPE", "LANG", "NO_COLOR", "TERM")}
    return {**kept, **changes}


class Workbench(unittest.TestCase):
    """Each test starts in an empty directory with a layer, a network, a chain and two machines."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="pimbb-usage-")
        self.addCleanup(directory.cleanup)
        self.dir = directory.name
        self.write("layer.yaml", LAYER)
        self.write("network.yaml", NETWORK)
        self.write("chain.yaml", CHAIN)
        self.write("arch.yaml", ARCH.replace("PE_BYTES", "4"))
        self.write("too_small.yaml", ARCH.replace("PE_BYTES", "2"))

    def write(self, name, text):
        with open(os.path.join(self.dir, name), "w", encoding="utf-8") as file:
            file.write(text)

    def read_json(self, name):
        with open(os.path.join(self.dir, name), encoding="utf-8") as file:
            return json.load(file)

    def start(self, *arguments, **options):
        options.setdefault("env", environment())
        return subprocess.Popen([PIMBB, *arguments], cwd=self.dir, text=True, encoding="utf-8",
                                stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                **{"stdout": subprocess.PIPE, **options})

    def run_pimbb(self, *arguments, expect=0, **options):
        """Runs to the end; returns standard output and standard error."""
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, expect, f"{arguments}: {out}{err}")
        if expect in (0, 3, 4):
            self.assertEqual(err, "", arguments)
        else:
            self.assertNotEqual(err, "", arguments)
            self.assertNotIn("internal error", err)
        return out, err

    def map_tiny(self, *arguments, **options):
        return self.run_pimbb("map", "--arch", "arch.yaml", "--layer", "layer.yaml", *arguments,
                              **options)

    def on_a_terminal(self, *arguments, columns=0, **variables):
        """Everything that a terminal is sent, and the exit code. 0 columns: it does not say."""
        pid, screen = pty.fork()
        if pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            os.chdir(self.dir)
            os.execve(PIMBB, [PIMBB, *arguments], environment(TERM="xterm", **variables))
        sent = b""
        while True:
            try:
                part = os.read(screen, 65536)
            except OSError:  # how Linux says that the other side has ended
                break
            if not part:
                break
            sent += part
        os.close(screen)
        return sent.decode(), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

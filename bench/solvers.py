"""Other solvers of mixed-integer programs: how each is called, and how its log is read.

Every run is one process on one thread, measured and limited in CPU seconds (user and system), which
other programs on the machine change little. The solver gets the limit by its own option too, where
it has one, to end in time to say what it knows; past it the system ends the process.

HiGHS is the executable `highs` or, where there is none, the package of that name of npm (HiGHS compiled to
WebAssembly, several times slower), in a folder of NODE_PATH: its answers count, its times do not.
"""
import functools
import os
import pathlib
import re
import resource
import shutil
import subprocess

CLOSED = ("optimal", "infeasible")
NUMBER = r"([-+]?[\d.]+(?:[eE][-+]?\d+)?)"
# The system ends a process at MARGIN times its limit (it counts clock ticks, which may run ahead of
# the time used) and GRACE seconds more, in which a solver ends by itself.
MARGIN = 1.02
GRACE = 5


def cpu_seconds(command, *, limit=None, log=os.devnull, folder=None):
    """Runs to the end, both streams into `log`; user and system time of the process."""
    with open(log, "w", encoding="utf-8") as out:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=subprocess.STDOUT, cwd=folder)
        if limit is not None:
            most = int(MARGIN * limit) + GRACE
            resource.prlimit(process.pid, resource.RLIMIT_CPU, (most, most + GRACE))
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


class Solver:
    """`command(problem, limit, folder, settings)` solves, `read(problem)` reads the file and ends.

    `settings` are those to choose from, each a list of options: none is best for every problem.
    None stands for the solver as it is, with the gap that it tolerates by default.
    """

    def __init__(self, program, command, read, *, version, optimal, infeasible, value, bound,
                 settings=((),), out_of_time=None, found=None):
        self.program = program
        self.found = found or (lambda: shutil.which(program) is not None)
        self.command = command
        self.read = read
        self.settings = settings
        self.patterns = {"version": version, "optimal": optimal, "infeasible": infeasible,
                         "value": value, "bound": bound}
        self.out_of_time = out_of_time  # what a solver says whose clock is the one on the wall

    def installed(self):
        return self.found()

    def best(self, problem, limit, folder):
        """The run with the settings that suit this problem best."""
        runs = []
        for settings in self.settings:
            least = min((run["process"] for run in runs if run["status"] in CLOSED), default=limit)
            runs.append(self.run(problem, least, folder, settings))
        return min(runs, key=lambda run: (run["status"] not in CLOSED, run["process"]))

    def run(self, problem, limit, folder, settings=None):
        """Status, value and bound; CPU seconds of the process, and those without reading."""
        log = os.path.join(folder, self.program + ".log")
        process = cpu_seconds(self.command(problem, limit, folder, settings), limit=limit, log=log,
                              folder=folder)
        reading = cpu_seconds(self.read(problem), folder=folder) if self.read else 0
        with open(log, encoding="utf-8", errors="replace") as file:
            text = file.read()
        answer = self.answer(text)
        limited = self.out_of_time and re.search(self.out_of_time, text)
        if answer["status"] in ("feasible", "unknown") and process < 0.9 * limit and not limited:
            answer = {"status": "failed"}  # ended by a fault of its own, or by somebody
        version = re.search(self.patterns["version"], text)
        return {**answer, "version": version and version[1], "settings": " ".join(settings or ()),
                "process": process,
                "solve": max(process - reading, 0.01)}

    def answer(self, log):
        def last(name):
            found = re.findall(self.patterns[name], log)
            return float(found[-1]) if found else None

        if re.search(self.patterns["infeasible"], log):
            return {"status": "infeasible"}
        value, bound = last("value"), last("bound")
        if value is not None and abs(value) > 1e20:  # how some say that there is none
            value = None
        if value is None:
            return {"status": "unknown", "bound": bound}
        if re.search(self.patterns["optimal"], log):
            return {"status": "optimal", "value": value}
        return {"status": "feasible", "value": value, "bound": bound}


HIGHS_IN_NODE = pathlib.Path(__file__).resolve().with_name("highs_node.js")


@functools.cache
def highs_in_node():
    """Whether HiGHS has to be called, and can be, as a package of node."""
    if shutil.which("highs") or not shutil.which("node"):
        return False
    asked = ["node", "-e", f"require('module').createRequire('{HIGHS_IN_NODE}').resolve('highs')"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


def highs(problem, limit, folder, settings):
    exact = () if settings is None else ("mip_rel_gap = 0", "mip_abs_gap = 0", *settings)
    if highs_in_node():  # has one thread, and no option that says so
        return ["node", str(HIGHS_IN_NODE), problem, str(limit), "\n".join(exact)]
    options = os.path.join(folder, "highs.options")
    with open(options, "w", encoding="utf-8") as file:
        file.write("\n".join(("threads = 1", *exact)) + "\n")
    return ["highs", "--time_limit", str(limit), "--options_file", options, problem]


def highs_reads(problem):
    if highs_in_node():
        return ["node", str(HIGHS_IN_NODE), problem, "0"]
    return ["highs", "--time_limit", "0", problem]


SOLVERS = [
    Solver("cbc",
           lambda problem, limit, _, settings: [
               "cbc", problem, "-timeMode", "cpu", "-sec", str(limit), *(settings or ()),
               "-solve"],
           lambda problem: ["cbc", problem, "-quit"],
           version=r"Version: (\S+)",
           optimal=r"Result - Optimal solution found",
           infeasible=r"Result - (?:Problem proven|Linear.*) infeasible",
           value=r"Objective value: +" + NUMBER,
           bound=r"(?:Lower bound: +|best possible )" + NUMBER,
           settings=((), ("-cuts", "off", "-heur", "off"))),
    Solver("glpsol",  # its own time limit is wall time: the system's is used alone
           lambda problem, _, folder, settings: [
               "glpsol", "--freemps", problem, *(settings or ()), "-w",
               os.path.join(folder, "glpsol.solution")],
           lambda problem: ["glpsol", "--freemps", problem, "--check"],
           version=r"Solver (\S+)",
           optimal=r"INTEGER OPTIMAL SOLUTION FOUND",
           infeasible=r"HAS NO (?:PRIMAL|INTEGER) FEASIBLE SOLUTION",
           value=r"(?:mip =|>>>>>) +" + NUMBER,
           bound=r"(?:mip =|>>>>>) .* >= +" + NUMBER,
           settings=((), ("--cuts",))),
    Solver("highs", highs, highs_reads,
           version=r"Running HiGHS (\S+)",
           optimal=r"Status +Optimal", infeasible=r"Status +Infeasible",
           value=r"Primal bound +" + NUMBER, bound=r"Dual bound +" + NUMBER,
           settings=((), ("mip_heuristic_effort = 0",)),
           out_of_time=r"Status +Time limit reached",
           found=lambda: shutil.which("highs") is not None or highs_in_node()),
    Solver("scip",
           lambda problem, limit, _, settings: [
               "scip", "-c", f"set limits time {limit}", "-c", "set lp threads 1", "-c",
               f"read {problem}", "-c", "optimize", "-c", "quit"],
           lambda problem: ["scip", "-c", f"read {problem}", "-c", "quit"],
           version=r"SCIP version (\S+)",
           optimal=r"\[optimal solution found\]", infeasible=r"\[infeasible\]",
           value=r"Primal Bound +: +" + NUMBER, bound=r"Dual Bound +: +" + NUMBER),
    Solver("gurobi_cl",
           lambda problem, limit, _, settings: [
               "gurobi_cl", f"TimeLimit={limit}", "Threads=1",
               *(() if settings is None else ("MIPGap=0", "MIPGapAbs=0", *settings)), problem],
           None,
           version=r"Gurobi Optimizer version (\S+)",
           optimal=r"Optimal solution found", infeasible=r"Model is infeasible",
           value=r"Best objective " + NUMBER, bound=r"best bound " + NUMBER),
]

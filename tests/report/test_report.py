"""Pages of results: what is on them, and that a browser shows it at every width, in light and dark, and in
print."""

import csv
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "usage"))
from workbench import (CIM, CROSSBAR, CROSSBAR_NETWORK, SHARE, Workbench,  # noqa: E402
                       not_in_slow_builds)

BROWSER = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
needs_browser = unittest.skipIf(BROWSER is None or SHARE < 10, "no browser, or a slow build")

# Runs in the page: what a reader sees, as text of the document.
PROBE = """
<script>
(async () => {
  while (!document.body.dataset.ready) await new Promise((done) => setTimeout(done, 20));
  document.querySelectorAll("details.part").forEach((d) => { d.open = true; });
  await new Promise((done) => setTimeout(done, 50));
  await drawPending();
  const style = getComputedStyle(document.body);
  const seen = {
    ready: document.body.dataset.ready, errors: window.seenErrors, width: innerWidth,
    needs: document.documentElement.scrollWidth, paper: style.backgroundColor, ink: style.color,
    labels: [...document.querySelectorAll(".chart svg [aria-label]")].map((e) => e.getAttribute("aria-label")).filter((t) => !/^[XY]-axis|legend|^Title/.test(t)),
    texts: [...document.querySelectorAll("dl.facts dd")].map((e) => e.textContent),
    cells: [...document.querySelectorAll("td[data-value]")].map((e) => e.dataset.value),
    empty: [...document.querySelectorAll(".chart")].filter((e) => e.clientWidth && !e.querySelector("svg path")).length,
    cut: [...document.querySelectorAll(".chart svg")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).length,
    nests: document.querySelectorAll(".box .name").length,
  };
  document.body.append(element("script", { type: "application/json", id: "probe" }, JSON.stringify(seen).replaceAll("<", "")));
})();
</script>
"""
CATCH = """<script>
window.seenErrors = [];
addEventListener("error", (e) => window.seenErrors.push(e.message));
addEventListener("unhandledrejection", (e) => window.seenErrors.push(String(e.reason)));
for (const level of ["error", "warn"]) { const old = console[level]; console[level] = (...a) => { window.seenErrors.push(a.join(" ")); old(...a); }; }
</script>"""


class Links(html.parser.HTMLParser):
    """Everything that a page would load from elsewhere."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        if tag in ("link", "iframe", "img", "object", "embed"):
            self.found.append(tag)
        self.found += [value for key, value in attrs if key == "src" or (key == "href" and not value.startswith("#"))]


def contrast(paper, ink):
    """The contrast ratio of two CSS colours (WCAG 2)."""
    def luminance(colour):
        parts = [int(n) / 255 for n in re.findall(r"\d+", colour)[:3]]
        parts = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    light, dark = sorted((luminance(paper), luminance(ink)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def leaves(value):
    """All numbers of a JSON document."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield float(value)


class Report(Workbench):
    def result(self, name, *command):
        self.run_pimbb(*command, "--json", name, "--quiet")
        return self.read_json(name)

    def page(self, *files, output="report.html", **options):
        self.run_pimbb("report", *files, "--output", output, **options)
        with open(os.path.join(self.dir, output), encoding="utf-8") as file:
            return file.read()

    def data(self, page):
        return json.loads(re.search(r'<script type="application/json" id="report">(.*?)</script>', page, re.S)[1])

    def parts(self, page):
        def walk(parts):
            for part in parts:
                yield part
                yield from walk(part.get("parts", []))
        return [part for section in self.data(page)["sections"] for part in walk(section["parts"])]

    def browse(self, *switches, output="report.html"):
        profile = os.path.join(self.dir, "profile")
        return subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             f"--user-data-dir={profile}", "--virtual-time-budget=60000", *switches,
             "file://" + os.path.join(self.dir, output)],
            capture_output=True, text=True, timeout=240, check=True).stdout

    def look(self, width, dark=False, output="report.html"):
        """What a reader of that width sees."""
        with open(os.path.join(self.dir, output), encoding="utf-8") as file:
            page = file.read()
        self.write("probed.html", page.replace("<head>", "<head>" + CATCH, 1).replace("</body>", PROBE + "</body>", 1))
        dom = self.browse(f"--window-size={width},900", "--dump-dom",
                          f"--blink-settings=preferredColorScheme={0 if dark else 1}", output="probed.html")
        seen = json.loads(re.search(r'id="probe">(.*?)</script>', dom, re.S)[1].replace("&amp;", "&"))
        self.assertEqual((seen["ready"], seen["errors"]), ("yes", []))
        self.assertLessEqual(seen["needs"], seen["width"], "the page is wider than the window")
        self.assertEqual((seen["empty"], seen["cut"]), (0, 0))
        self.assertGreater(contrast(seen["paper"], seen["ink"]), 7)
        return seen

    def test_figures_of_a_mapping(self):
        document = self.result("best.json", "map", "--arch", "arch.yaml", "--layer", "layer.yaml", "--objective", "edp")
        page = self.page("best.json")
        parts = {part["title"]: part for part in self.parts(page)}
        energy = {(group, tensor): value for group, tensor, value in parts["Where the energy goes"]["rows"]}
        for level, tensors in document["metrics"]["energy_by_level"].items():
            for tensor, value in tensors.items() if isinstance(tensors, dict) else [("MACs", tensors)]:
                self.assertEqual(energy.pop((level, tensor)), value)
        self.assertEqual(energy, {})
        self.assertAlmostEqual(sum(row[2] for row in parts["Where the energy goes"]["rows"]), document["metrics"]["energy"])
        self.assertEqual(max(row[2] for row in parts["Where the cycles go"]["rows"]), document["metrics"]["latency"])
        point = parts["Roofline"]["rows"][0]
        macs = 3 * 4 * 2 * 4 * 8
        self.assertEqual(point[2], macs / document["metrics"]["latency"])
        self.assertEqual(point[1], macs / sum(document["metrics"]["reads"]["DRAM"].values()))
        rows = parts["DRAM rows of one row-buffer tile"]["rows"]
        self.assertTrue(all(0 <= start < end <= 32 for _, _, start, end, _, _ in rows))
        self.assertEqual({category for *_, category, _ in rows}, {"input", "weight", "output"})
        loops = [loop for box in parts["Loop nest"]["levels"] for loop in box["loops"]]
        product = 1
        for loop in loops:
            product *= loop["factor"]
        self.assertEqual(product, macs)

    def test_page_needs_nothing_else(self):
        self.map_tiny("--json", "best.json", "--quiet")
        links = Links()
        links.feed(self.page("best.json"))
        self.assertEqual(links.found, [])

    def test_text_of_results_is_not_markup(self):
        self.write("layer.yaml", '{name: "</script><b>@DATA@", R: 1, S: 1, P: 4, Q: 1, C: 4, K: 8, N: 1}\n')
        self.map_tiny("--json", "best.json", "--quiet")
        page = self.page("best.json")
        self.assertNotIn("</script><b>", page)
        self.assertEqual(self.data(page)["title"], "</script><b>@DATA@ on small")

    def test_tables(self):
        self.result("network.json", "network", "--arch", "arch.yaml", "--network", "network.yaml", "--objective", "energy")
        page = self.page("network.json")
        self.run_pimbb("report", "network.json", "--csv", "tables", "--quiet")
        tables = [part for part in self.parts(page) if "columns" in part]
        self.assertEqual(sorted(os.listdir(os.path.join(self.dir, "tables"))), sorted(part["id"] + ".csv" for part in tables))
        for part in tables:
            with open(os.path.join(self.dir, "tables", part["id"] + ".csv"), encoding="utf-8", newline="") as file:
                header, *rows = csv.reader(file)
            self.assertEqual(header, part["columns"])
            self.assertEqual([[float(c) if isinstance(v, (int, float)) else c for c, v in zip(row, known)] for row, known in zip(rows, part["rows"])],
                             [["" if v is None else v for v in row] for row in part["rows"]])

    def test_two_results_are_compared(self):
        a = self.result("a.json", "map", "--arch", "arch.yaml", "--layer", "layer.yaml")
        b = self.result("b.json", "map", "--arch", "arch.yaml", "--layer", "layer.yaml", "--objective", "energy")
        comparison = self.data(self.page("a.json", "b.json"))["sections"][-1]
        self.assertEqual(comparison["title"], "Comparison")
        figures = {row[0]: row[1:] for row in comparison["parts"][0]["rows"]}
        for key, unit in (("latency", "cycles"), ("energy", "nJ")):
            x, y = a["metrics"][key], b["metrics"][key]
            self.assertEqual(figures[f"{key}, {unit}"], [x, y, y / x])

    def test_bad_files(self):
        self.write("broken.json", '{"format": "pimbb-mapping/1",\n "layer": }')
        self.write("other.json", '{"format": "pimbb-poem/1"}')
        self.write("cut.json", '{"format": "pimbb-mapping/1", "mapping": {"temporal": []}, "metrics": {}}')
        self.write("torn.jsonl", '{"event": "start", "format": "pimbb-log/1"}\nnot json\n')
        for file, message in (("broken.json", "broken.json: line 2: found no valid JSON"),
                              ("other.json", "other.json: key 'format': found 'pimbb-poem/1', allowed are pimbb-audit/1"),
                              ("cut.json", "cut.json: key 'architecture' is missing"),
                              ("torn.jsonl", "torn.jsonl: line 2: found no valid JSON"),
                              ("missing.json", "missing.json")):
            _, err = self.run_pimbb("report", file, "--output", "none.html", expect=2)
            self.assertIn(message, err)
            self.assertFalse(os.path.exists(os.path.join(self.dir, "none.html")))
        self.run_pimbb("report", expect=2)

    def test_log_of_a_killed_run(self):
        self.map_tiny("--log", "search.jsonl", "--quiet")
        with open(os.path.join(self.dir, "search.jsonl"), encoding="utf-8") as file:
            text = file.read()
        self.write("killed.jsonl", text[: len(text) - 20])
        self.assertEqual(len(self.data(self.page("killed.jsonl"))["sections"]), 1)

    def all_kinds(self):
        self.write("cim.yaml", CIM)
        self.write("crossbar.yaml", CROSSBAR)
        self.write("two.yaml", CROSSBAR_NETWORK)
        small = ("--arch", "arch.yaml")
        self.result("map.json", "map", *small, "--layer", "layer.yaml", "--log", "search.jsonl")
        self.result("network.json", "network", *small, "--network", "network.yaml")
        self.result("plan.json", "network", *small, "--network", "chain.yaml", "--agree-layouts")
        self.result("audit.json", "audit", *small, "--layer", "layer.yaml", "--mapping", "map.json")
        self.result("cim.json", "map", "--arch", "cim.yaml", "--layer", "layer.yaml")
        self.result("cim_network.json", "network", "--arch", "cim.yaml", "--network", "network.yaml")
        self.run_pimbb("trace", "--arch", "cim.yaml", "--layer", "layer.yaml", "--mapping", "cim.json", "--output", "events.jsonl", "--quiet")
        self.result("crossbar.json", "network", "--arch", "crossbar.yaml", "--network", "two.yaml", "--simulate")
        self.result("device.json", "map", "--device", "hbm_pim_stack", "--layer", "layer.yaml")
        self.result("bench.json", "bench", "--corpus", "small", *small, "--network", "resnet18:fc")
        self.result("front.json", "pareto", *small, "--layer", "layer.yaml", "--axes", "latency,energy")
        self.result("cim_front.json", "pareto", "--arch", "cim.yaml", "--layer", "layer.yaml")
        self.result("crossbar_front.json", "pareto", "--arch", "crossbar.yaml", "--network", "two.yaml")
        self.result("why.json", "explain", *small, "--layer", "layer.yaml", "--at-most", "latency=1")
        self.result("cim_why.json", "explain", "--arch", "cim.yaml", "--layer", "layer.yaml", "--at-most", "latency=1")
        self.result("cim_top.json", "top", "--arch", "cim.yaml", "--layer", "layer.yaml", "--k", "3")
        self.result("sensitivity.json", "sensitivity", *small, "--layer", "layer.yaml")
        bars = ["--arch", "crossbar.yaml", "--network", "two.yaml"]
        self.result("bars_why.json", "explain", *bars, "--at-most", "ht=1")
        self.result("bars_sensitivity.json", "sensitivity", *bars)
        self.result("bars_top.json", "top", *bars, "--k", "3")
        self.result("top.json", "top", *small, "--layer", "layer.yaml", "--k", "3")
        self.write("space.yaml", "explore: {arch: arch.yaml, networks: [network.yaml], objective: edp, "
                                 "vary: {pe_array.dim_h: [1, 2]}, cost: pe_array.dim_h}")
        self.result("explore.json", "explore", "space.yaml")
        return ["front.json", "cim_front.json", "crossbar_front.json", "why.json", "cim_why.json", "cim_top.json", "sensitivity.json", "bars_why.json", "bars_sensitivity.json", "bars_top.json", "top.json", "explore.json", "map.json", "search.jsonl", "network.json", "plan.json", "audit.json", "cim.json", "cim_network.json",
                "events.jsonl", "crossbar.json", "device.json", "bench.json"]

    @needs_browser
    def test_a_browser_shows_every_kind(self):
        files = self.all_kinds()
        page = self.page(*files)
        # Every number that was drawn is one of the report, and those of results are in their documents.
        known = set()
        for part in self.parts(page):
            known.update(leaves(part.get("rows", [])))
        seen = self.look(1280)
        drawn = [float(n) for label in seen["labels"] for n in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$", label)]
        self.assertGreater(len(drawn), 100)
        self.assertEqual([n for n in drawn if n not in known], [])
        self.assertEqual([c for c in seen["cells"] if float(c) not in known], [])
        self.assertGreater(seen["nests"], 10)
        in_results = set()
        for name in files:
            if name.endswith(".json"):
                in_results.update(leaves(self.read_json(name)))
        bars = [row[2] for part in self.parts(page) if part["title"] in ("Where the energy goes", "Elements moved", "Replication") for row in part["rows"]]
        self.assertEqual([n for n in bars if n not in in_results], [])
        narrow = self.look(390, dark=True)
        self.assertEqual(sorted(narrow["labels"]), sorted(seen["labels"]))

    @needs_browser
    @not_in_slow_builds
    def test_a_hundred_layers(self):
        layers = "".join(f"  - {{name: layer_with_a_long_name_{i}, R: 1, S: 1, P: {1 + i % 7}, Q: 1, C: 4, K: {2 + i % 5}, N: 1}}\n" for i in range(100))
        self.write("many.yaml", "name: many\nlayers:\n" + layers)
        self.result("many.json", "network", "--arch", "arch.yaml", "--network", "many.yaml")
        self.page("many.json")
        for width, dark in ((390, False), (1280, True)):
            self.look(width, dark)

    @needs_browser
    def test_print_and_pictures(self):
        self.map_tiny("--json", "best.json", "--quiet")
        self.run_pimbb("report", "best.json", "--png", "pictures", "--quiet")
        charts = [part["id"] + ".png" for part in self.parts(self.page("best.json"))
                  if part["kind"] not in ("nest", "table", "fold")]
        self.assertEqual(sorted(os.listdir(os.path.join(self.dir, "pictures"))), sorted(charts))
        for name in charts:
            with open(os.path.join(self.dir, "pictures", name), "rb") as file:
                png = file.read()
            self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
            self.assertEqual(int.from_bytes(png[16:20], "big"), 1800, "twice 900 pixels")
            self.assertEqual(png[-8:-4], b"IEND")
        self.browse(f"--print-to-pdf={os.path.join(self.dir, 'page.pdf')}", "--no-pdf-header-footer")
        with open(os.path.join(self.dir, "page.pdf"), "rb") as file:
            self.assertEqual(file.read(5), b"%PDF-")

    def test_pictures_without_a_browser(self):
        self.map_tiny("--json", "best.json", "--quiet")
        _, err = self.run_pimbb("report", "best.json", "--png", "pictures", expect=2, env={**os.environ, "PATH": self.dir})
        self.assertIn("--png: found no browser on the path", err)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])

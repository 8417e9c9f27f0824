#!/usr/bin/env python3
"""Writes the C++ source of the page that `pimbb report` fills: template, style, scripts, and Vega.

    embed_page.py OUTPUT VEGA_DIRECTORY LICENCE_FILE FILE...

FILE: page.html, style.css and the scripts in the order in which they are loaded. Debian has Vega as one
file for each of its modules. Each is a function of `exports`, `module` and `require`; they are put one after
the other, each behind those that it requires.
"""
import html
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from embed_presets import literal  # noqa: E402

# Of Vega what our charts use, each module behind those that it requires: no maps, no forces, no clouds.
MODULES = """util time format loader statistics expression event-selector selection canvas dataflow scale
scenegraph transforms view-transforms encode functions runtime parser view""".split()
# Names that other modules require one by.
ALIASES = {"vega-selection": "vega-selections"}


def vega(directory: Path) -> str:
    parts = ["const vega = (() => {", "const made = {};", "const require = (name) => made[name];"]
    for name in (f"vega-{module}" for module in MODULES):
        text = (directory / f"{name}.min.js").read_text(encoding="utf-8").split("//# sourceMappingURL")[0]
        if "</script" in text:
            raise SystemExit(f"{name}: would end the script of the page")
        names = " = ".join(f'made["{n}"]' for n in (name, ALIASES.get(name)) if n)
        parts.append(f"(() => {{ const module = {{ exports: {{}} }}, exports = module.exports;\n{text}\n{names} = module.exports; }})();")
    shown = ", ".join(f'...made["vega-{m}"]' for m in ("util", "dataflow", "scale", "scenegraph", "parser", "view"))
    parts.append('Object.assign(made["vega-dataflow"].transforms, made["vega-transforms"], made["vega-view-transforms"], made["vega-encode"]);')
    parts.append(f"return {{ {shown} }};")
    parts.append("})();")
    return "\n".join(parts)


def main() -> None:
    output, directory, licence, *files = (Path(argument) for argument in sys.argv[1:])
    texts = {path.suffix: path.read_text(encoding="utf-8") for path in files if path.suffix != ".js"}
    script = "\n".join(path.read_text(encoding="utf-8") for path in files if path.suffix == ".js").replace('"use strict";', "")
    page = texts[".html"]
    for key, text in (("STYLE", texts[".css"]), ("LICENCE", html.escape(licence.read_text(encoding="utf-8"))),
                      ("SCRIPT", '"use strict";\n' + script), ("VEGA", vega(directory))):
        page = page.replace(f"@{key}@", text)
    output.write_text(
        '// Made by tools/embed_page.py.\n#include "report/page.hpp"\n\nnamespace pimbb::report {\n\n'
        f"std::string_view page_template() {{\n  // NOLINTNEXTLINE(*-avoid-c-arrays): too long for the length of a view at compile time\n"
        f"  static constexpr char text[] =\n{literal(page.encode())};\n"
        "  return {text, sizeof text - 1};\n}\n\n}  // namespace pimbb::report\n", encoding="utf-8")


if __name__ == "__main__":
    main()

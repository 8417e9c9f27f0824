#!/usr/bin/env python3
"""Embeds the *installed* library: what a user gets after `ninja install`, and nothing else.

Installs the build directory into a scratch tree, compiles every installed header alone and
examples/embed with nothing but pkg-config's answer, runs the example and checks what it prints.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def run(command, **options):
    """Standard output of a command that must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        words = " ".join(map(str, command))
        sys.exit(f"{words}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def one(tree, pattern):
    """The one file of the installed tree that matches."""
    found = list(tree.rglob(pattern))
    if len(found) != 1:
        sys.exit(f"{pattern}: installed {len(found)} times, want 1")
    return found[0]


def check_flags(flags, more):
    """Only the pimbb tree and the libraries that pimbb links may show up."""
    linked = {flag for flag in flags if flag.startswith("-l")}
    if linked != {"-lpimbb", "-ltbb", "-ltbbmalloc", "-lfmt", "-lyaml-cpp", *(f"-l{name}" for name in more)}:
        sys.exit(f"pkg-config links {sorted(linked)}")
    if any("boost" in flag.lower() or flag.startswith("-DONNX") or flag.startswith("-isystem") for flag in flags):
        sys.exit(f"private flags leak into pimbb.pc: {flags}")


def check_headers(compiler, flags, headers, public):
    """Every public header is installed and compiles alone. Most of the time is the standard library's
    headers: PIMBB_SHARE per cent of the headers by themselves, and all of them after one another, in
    both directions, so that none needs one that stands before it."""
    wanted = {str(header.relative_to(public)) for header in public.rglob("*.hpp")}
    if headers != wanted:
        sys.exit(f"installed headers differ from include/pimbb: {sorted(headers ^ wanted)}")
    in_order = sorted(headers)
    step = max(1, 100 // int(os.environ.get("PIMBB_SHARE", "100")))
    for program in (*([header] for header in in_order[::step]), in_order, in_order[::-1]):
        run([*compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *flags,
             "-x", "c++", "-"], input="".join(f"#include <pimbb/{name}>\n" for name in program))


def check_page(compiler, flags, page, least):
    """The C++ blocks of a page, at least `least`, compile as one program without main()."""
    blocks = re.findall(r"^```cpp\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    if len(blocks) < least:
        sys.exit(f"{page}: {len(blocks)} blocks of C++, want at least {least}")
    run([*compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *flags, "-x", "c++",
         "-"], input="\n".join(blocks))


def check_output(text):
    """The example claims a proven optimum: value and bound agree."""
    pattern = (r"conv5_down on default_pim: optimal, (\S+) cycles, bound (\S+), feasible\n")
    match = re.fullmatch(pattern, text)
    if not match or match[1] != match[2]:
        sys.exit(f"the example printed {text!r}, want {pattern}")


def check_pages(tree, pimbb):
    """A manual page for every command of --help, completions where each shell looks for them."""
    commands = re.findall(r"^  (\w+) ", run([pimbb, "--help"]).split("Subcommands:")[1]
                          .split("\n\n")[0], re.MULTILINE)
    wanted = {"pimbb.1": "man", **{f"pimbb-{name}.1": f"man {name}" for name in commands}}
    found = {page.name for page in tree.rglob("share/man/man1/*")}
    names = {*wanted, "pimbb-check.1"}  # the checker is a program of its own
    if len(commands) < 10 or found != names:
        sys.exit(f"installed manual pages {sorted(found)}, want {sorted(names)}")
    for place, shell in (("bash-completion/completions/pimbb", "bash"),
                         ("zsh/site-functions/_pimbb", "zsh"),
                         ("fish/vendor_completions.d/pimbb.fish", "fish")):
        wanted[f"share/{place}"] = f"completion {shell}"
    for place, command in wanted.items():
        if one(tree, place).read_text(encoding="utf-8") != run([pimbb, *command.split()]):
            sys.exit(f"{place} is not what 'pimbb {command}' writes")


def check_module(tree, pimbb, model):
    """The executable finds the reader of ONNX in the installed tree, and loads it for a model only."""
    def loaded(*command):
        done = subprocess.run([pimbb, *command], capture_output=True, text=True, check=True,
                              env=dict(os.environ, LD_DEBUG="files"))
        return done.stdout, re.search(r"libonnx|libprotobuf|pimbb_onnx", done.stderr) is not None

    if loaded("presets", "resnet18")[1]:
        sys.exit("pimbb loads ONNX although it reads no model")
    text, used = loaded("presets", model, "--batch", "1")
    if not used or "2 Conv, 1 Gemm" not in text:
        sys.exit(f"the installed pimbb does not read {model}: {text}")
    one(tree, "pimbb_onnx.so").unlink()
    done = subprocess.run([pimbb, "presets", model, "--batch", "1"], capture_output=True, text=True,
                          check=False)
    message = "the module that reads it cannot be loaded: there is neither "
    if done.returncode != 2 or message not in done.stderr or done.stderr.count("\n") != 1:
        sys.exit(f"without its module, pimbb ends with {done.returncode}: {done.stderr}")


def check_python(tree, python, pimbb, model):
    """The installed package works where it lies, reads models, and gives the program's answers."""
    package = one(tree, "pimbb/__init__.py").parent
    if not (package / "py.typed").exists() or not list(package.glob("_core.*.so")):
        sys.exit(f"{package} has only {sorted(file.name for file in package.iterdir())}")
    program = ("import json, pimbb, sys\n"
               "print(json.dumps(pimbb.solve('hbm_pim', 'resnet18:fc', objective='edp').to_dict()['objective']))\n"
               "print(sum(each.repetitions for each in pimbb.Network.load(sys.argv[1], batch=1).layers))\n")
    env = dict(os.environ, PYTHONPATH=str(package.parent))
    objective, layers = run([python, "-c", program, model], env=env, cwd=tree).splitlines()
    text = run([pimbb, "map", "--arch", "hbm_pim", "--layer", "resnet18:fc", "--objective", "edp", "--json", "-"])
    if json.loads(objective) != json.loads(text)["objective"] or layers != "3":
        sys.exit(f"the installed Python module answers {objective} and {layers}")


def check_tree(tree, source):
    """Presets that the installed program reads, the pages of both programs, and no test."""
    pimbb, checker = one(tree, "bin/pimbb"), one(tree, "bin/pimbb-check")
    for kind in ("arch", "network"):
        wanted = {file.name for file in (source / "data" / kind).glob("*.yaml")}
        installed = {file.name for file in tree.rglob(f"share/pimbb/{kind}/*.yaml")}
        if installed != wanted:
            sys.exit(f"presets in share/pimbb/{kind}: {sorted(installed)}, want {sorted(wanted)}")
    arch = one(tree, "share/pimbb/arch/hbm_pim.yaml")
    network = one(tree, "share/pimbb/network/resnet18.yaml")
    run([pimbb, "map", "--arch", arch, "--layer", f"{network}:fc"])
    page = one(tree, "man1/pimbb-check.1").read_text(encoding="utf-8").replace("\\-", "-")
    usage = subprocess.run([checker, "--help"], capture_output=True, text=True, check=False)
    options = set(re.findall(r"--[a-z-]+", usage.stdout + usage.stderr)) - {"--proof"}
    if not options or not options <= set(re.findall(r"--[a-z-]+", page)):
        sys.exit(f"the page of pimbb-check lacks some of {sorted(options)}")
    programs = {file.name for file in tree.rglob("bin/*")}
    if programs != {"pimbb", "pimbb-check"}:
        sys.exit(f"installed programs: {sorted(programs)}")


def check_default(build):
    """What `ninja` builds before an installation: no test and no benchmark."""
    targets = run(["ninja", "-C", build, "-t", "query", "all"])
    unwanted = re.findall(r"^\s+((?:tests|bench)/\S+)$", targets, re.MULTILINE)
    if unwanted:
        sys.exit(f"'ninja install' builds {unwanted[:5]}")


READER = """
#include <pimbb/pimbb.hpp>
#include <cstdio>
int main(int, char** arguments) {
  const pimbb::Network network = pimbb::read_network(arguments[1], {.batch = 1});
  std::printf("%zu", network.layers.size());
}
"""


def check_library(compiler, flags, scratch, model):
    """A program that links the static library reads models without the module."""
    source = pathlib.Path(scratch, "reader.cpp")
    source.write_text(READER, encoding="utf-8")
    reader = pathlib.Path(scratch, "reader")
    run([*compiler, "-std=c++20", source, "-o", reader, *flags])
    layers = run([reader, model])
    if layers != "3":
        sys.exit(f"a program with the library reads {layers} layers of {model}, want 3")


def main():
    parser = argparse.ArgumentParser()
    for name in ("--meson", "--build", "--source", "--pkg-config"):
        parser.add_argument(name, required=True)
    parser.add_argument("--python", help="that the Python module of this build is for")
    parser.add_argument("--library", action="append", default=[], help="linked by this build too")
    parser.add_argument("compiler", nargs="+")
    args = parser.parse_args()
    source = pathlib.Path(args.source)

    with tempfile.TemporaryDirectory() as scratch:
        tree = pathlib.Path(scratch, "root")
        run([args.meson, "install", "-C", args.build, "--no-rebuild", "--destdir", tree])
        one(tree, "libpimbb.a")
        pimbb = one(tree, "bin/pimbb")
        check_tree(tree, source)
        check_default(args.build)
        run([pimbb, "--version"])
        check_pages(tree, pimbb)

        pc_dir = one(tree, "pimbb.pc").parent
        env = dict(os.environ, PKG_CONFIG_PATH=str(pc_dir))
        flags = run([args.pkg_config, "--cflags", "--libs", "--static", "pimbb"], env=env).split()
        check_flags(flags, args.library)
        installed = one(tree, "pimbb.hpp").parent
        headers = {str(header.relative_to(installed)) for header in installed.rglob("*.hpp")}
        check_headers(args.compiler, flags, headers, source / "include/pimbb")
        check_page(args.compiler, flags, source / "docs/embedding.md", 5)
        check_page(args.compiler, flags, source / "README.md", 1)

        run(["make", "-C", source / "examples/embed", f"BUILD={scratch}",
             f"PKG_CONFIG={args.pkg_config}", f"CXX={' '.join(args.compiler)}"], env=env)
        check_output(run([pathlib.Path(scratch, "embed")]))
        if "onnx" in args.library:
            model = source / "examples/models/digits.onnx"
            check_library(args.compiler, flags, scratch, model)
            if args.python:
                check_python(tree, args.python, pimbb, model)
            check_module(tree, pimbb, model)


main()

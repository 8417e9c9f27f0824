// The executable: subcommands from a table, and every way to fail turned into an exit code.
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include <CLI/CLI.hpp>

#include "dram_pim/cli/command.hpp"
#include "dram_pim/cli/exit_code.hpp"
#include "pimbb/error.hpp"
#include "terminal/help.hpp"

namespace {

using pimbb::InputError;
using pimbb::dram_pim::cli::Command;
using pimbb::dram_pim::cli::Settings;

constexpr const char* kExitCodes =
    "Exit codes: 0 proven optimal, 2 bad input, 3 not proven (limit hit, interrupted, heuristic),\n"
    "4 infeasible, 1 a fault of pimbb itself.";

const Command kCommands[] = {
    {"map",
     "Find the best mapping of one layer and prove that it is the best",
     "Examples:\n"
     "  pimbb map --layer resnet18:conv2_x\n"
     "  pimbb map --layer resnet18:conv2_x --objective latency,energy --json best.json\n"
     "  pimbb map --arch my_pim.yaml --layer my_layer.yaml --objective edp --time-limit 60\n"
     "  pimbb map --layer resnet18:conv2_x --objective blended --alpha 1 --beta 0.5\n"
     "  pimbb map --layer resnet18:conv2_x --method ws --row-model trace",
     {"--arch",    "--layer",      "--batch",      "--objective",    "--alpha",
      "--beta",    "--row-model",  "--method",     "--seed",         "--samples",
      "--threads", "--time-limit", "--node-limit", "--memory-limit", "--bounds",
      "--without", "--json",       "--proof",      "--log",          "--timeless"},
     pimbb::dram_pim::cli::run_map},
    {"network",
     "Map every layer of a network; equal layers are solved once",
     "Goals are of the network's totals. EDP is total latency * total energy, minimised over all\n"
     "layers together. docs/networks.md tells how, and what layers can be made to agree on.\n"
     "\n"
     "Examples:\n"
     "  pimbb network\n"
     "  pimbb network --network resnet18 --objective latency,energy --json resnet18.json\n"
     "  pimbb network --network model.onnx --batch 8\n"
     "  pimbb network --arch hbm_pim --network resnet50 --objective edp --fix-bypass\n"
     "  pimbb network --arch my_pim.yaml --network my_net.yaml --time-limit 600",
     {"--arch",       "--network",    "--agree-layouts", "--batch",      "--objective",
      "--alpha",      "--beta",       "--row-model",     "--fix-bypass", "--fix-permutation",
      "--per-layer",  "--method",     "--seed",          "--samples",    "--threads",
      "--time-limit", "--node-limit", "--memory-limit",  "--bounds",     "--without",
      "--json",       "--log",        "--timeless"},
     pimbb::dram_pim::cli::run_network},
    {"evaluate",
     "Cost of a given mapping in every term, or the rule that it breaks",
     "Example:\n"
     "  pimbb map --layer resnet18:conv2_x --json best.json\n"
     "  pimbb evaluate --layer resnet18:conv2_x --mapping best.json --row-model hybrid",
     {"--arch", "--layer", "--batch", "--mapping", "--layout", "--row-model", "--json"},
     pimbb::dram_pim::cli::run_evaluate},
    {"audit",
     "How far a given mapping is from the best, term by term, with a proof",
     "The best mapping is found and proven as 'pimbb map' does it, and both are compared in every\n"
     "term. docs/audit.md explains the report and how Timeloop mappings are read.\n"
     "\n"
     "Examples:\n"
     "  pimbb map --layer resnet18:conv2_x --method ws --json ws.json\n"
     "  pimbb audit --layer resnet18:conv2_x --mapping ws.json\n"
     "  pimbb audit --layer resnet18:conv2_x --mapping timeloop.map.yaml --layout best\n"
     "  pimbb audit --layer resnet18:fc --mapping my.json --objective latency,energy --proof "
     "best.proof",
     {"--arch", "--layer", "--batch", "--mapping", "--layout", "--objective", "--alpha", "--beta",
      "--row-model", "--threads", "--time-limit", "--node-limit", "--memory-limit", "--bounds",
      "--without", "--json", "--proof", "--log", "--timeless"},
     pimbb::dram_pim::cli::run_audit},
    {"trace",
     "Write every DRAM access of a given mapping, in order, for a DRAM simulator or a plot",
     "A row that is opened here is an activation of 'pimbb evaluate': each tensor has\n"
     "a bank of its own with one open row. docs/trace-format.md describes formats and addresses.\n"
     "\n"
     "Examples:\n"
     "  pimbb map --layer resnet18:fc --json best.json\n"
     "  pimbb trace --layer resnet18:fc --mapping best.json --output fc.trace\n"
     "  pimbb trace --layer resnet18:fc --mapping best.json --format csv --tensor input --limit "
     "1000",
     {"--arch", "--layer", "--batch", "--mapping", "--layout", "--tensor", "trace:--format",
      "--limit", "--output", "trace:--json"},
     pimbb::dram_pim::cli::run_trace},
    {"export",
     "Write the mapping problem of one layer as a mixed-integer linear program",
     "The program has the same optimum as 'pimbb map'; a remark at its head says in which unit. "
     "The\n"
     "objective is one of latency, energy, activations, blended; the row model analytic or "
     "hybrid.\n"
     "\n"
     "Examples:\n"
     "  pimbb export --layer resnet18:conv2_x --output conv2_x.mps\n"
     "  pimbb export --arch my_pim.yaml --layer my_layer.yaml --objective energy --format lp",
     {"--arch", "--layer", "--batch", "--objective", "--alpha", "--beta", "export:--row-model",
      "--format", "--output"},
     pimbb::dram_pim::cli::run_export},
    {"rowmodel",
     "Compare the published row models with the exact count, for a whole network",
     "Random feasible mappings of every layer are counted by each model; then the mappings that "
     "the\n"
     "cheaper models call optimal are priced exactly. docs/row-models.md explains the tables.\n"
     "\n"
     "Examples:\n"
     "  pimbb rowmodel --network resnet18\n"
     "  pimbb rowmodel --arch hbm_pim --network vgg16 --samples 200 --json rows.json",
     {"--arch", "--network", "--batch", "rowmodel:--samples", "rowmodel:--seed", "--threads",
      "--time-limit", "--json"},
     pimbb::dram_pim::cli::run_rowmodel},
    {"presets",
     "List the architectures and networks that come with pimbb",
     "Examples:\n"
     "  pimbb presets\n"
     "  pimbb presets resnet18      (the layers that --layer resnet18:... can name)\n"
     "  pimbb presets model.onnx",
     {"NAME", "--batch"},
     pimbb::dram_pim::cli::run_presets},
    {"lp",
     "Solve a linear program and prove the answer in exact arithmetic",
     "Examples:\n"
     "  pimbb lp afiro.mps\n"
     "  pimbb lp diet.lp --json diet.json\n\n"
     "Exit code 5: unbounded.",
     {"FILE", "--iteration-limit", "lp:--time-limit", "--json"},
     pimbb::dram_pim::cli::run_lp},
    {"bench",
     "Solve a fixed list of problems: times, nodes, and one signature of all answers",
     "Examples:\n"
     "  pimbb bench --corpus small\n"
     "  pimbb bench --arch simple_pim --network resnet18 --repeat 3 --json bench.json\n"
     "  pimbb bench --corpus small --signature-only --threads 1\n"
     "  pimbb bench --corpus small --ablation\n\n"
     "Exit code 0 means that every case is proven optimal or proven infeasible, 3 that one is not.",
     {"--corpus", "bench:--arch", "bench:--network", "bench:--objective", "bench:--row-model",
      "--threads", "--repeat", "bench:--time-limit", "--node-limit", "--memory-limit", "--bounds",
      "--without", "--ablation", "--signature-only", "--json", "--log", "--timeless"},
     pimbb::dram_pim::cli::run_bench},
    {"completion",
     "Write the completion of commands, options and values for a shell",
     "Examples:\n"
     "  source <(pimbb completion bash)\n"
     "  pimbb completion zsh > ~/.zfunc/_pimbb\n"
     "  pimbb completion fish > ~/.config/fish/completions/pimbb.fish",
     {"SHELL"},
     pimbb::dram_pim::cli::run_completion},
    {"man",
     "Write the manual page of a command",
     "Examples:\n"
     "  pimbb man map | man -l -\n"
     "  pimbb man > pimbb.1",
     {"COMMAND", "man:--format"},
     pimbb::dram_pim::cli::run_man},
};

void add_switches(CLI::App& app, Settings& settings) {
  app.add_flag("-q,--quiet", settings.quiet,
               "No report and no progress, only errors and the exit code")
      ->group("Output");
  app.add_flag("--ascii", settings.ascii, "Draw bars without Unicode characters")->group("Output");
}

void define(CLI::App& app, Settings& settings) {
  app.description(
      "pimbb maps neural-network layers onto DRAM processing-in-memory accelerators\n"
      "and proves that no better mapping exists.");
  app.set_version_flag("--version", "pimbb " PIMBB_VERSION, "Print the version and exit");
  app.formatter(
      pimbb::dram_pim::cli::help_layout());  // inherited by the subcommands, as is the next
  app.failure_message(pimbb::dram_pim::cli::refusal);
  app.require_subcommand(1);
  app.footer(std::string("'pimbb COMMAND --help' explains a command. To begin:\n"
                         "  pimbb map --layer resnet18:conv2_x\n\n") +
             kExitCodes);
  add_switches(app, settings);
  for (const Command& command : kCommands) {
    CLI::App* sub = app.add_subcommand(command.name, command.description);
    sub->footer(std::string(command.examples) + "\n\n" + kExitCodes);
    pimbb::dram_pim::cli::add_options(*sub, settings, command.options);
    add_switches(*sub, settings);
  }
}

int run(CLI::App& app, const Settings& settings) {
  for (const Command& command : kCommands) {
    if (app.got_subcommand(command.name)) return command.run(settings);
  }
  return pimbb::dram_pim::cli::kInternal;  // not reached: the parser requires one of them
}

int parse_and_run(int argc, char** argv) {
  Settings settings;
  CLI::App app("", "pimbb");
  define(app, settings);
  settings.parser = &app;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? pimbb::dram_pim::cli::kProven : pimbb::dram_pim::cli::kBadInput;
  }
  return run(app, settings);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is seen where the output is written
  try {
    return parse_and_run(argc, argv);
  } catch (const InputError& error) {
    std::fprintf(stderr, "pimbb: %s\n", error.what());
    return pimbb::dram_pim::cli::kBadInput;
  } catch (const std::bad_alloc&) {
    std::fputs("pimbb: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pimbb: internal error: %s\n", error.what());
  }
  return pimbb::dram_pim::cli::kInternal;
}

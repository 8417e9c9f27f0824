// pimbb export: the mapping problem as a linear program, for other solvers.
#include <fmt/format.h>

#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/values.hpp"
#include "dram_pim/heuristic/local_search.hpp"
#include "dram_pim/mapper/smallest.hpp"
#include "dram_pim/milp/build.hpp"
#include "lp/format/program_file.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/write_file.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/layer_options.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"

namespace pimbb::dram_pim::cli {
namespace {

constexpr std::array<std::string_view, 2> kProgramFormatNames{"mps", "lp"};

Choices program_formats() { return terminal::one_of(kProgramFormatNames); }

struct ExportSettings {
  LayerSettings layer;
  QuestionSettings question;
  RowModel row_model = RowModel::hybrid;
  std::string_view format;  ///< empty: by the ending of the file
  std::string file = "-";   ///< "-" for standard output
  OutputSettings output;
};

/// All integer columns of the program are binary.
std::string size_of(const lp::MixedIntegerProgram& program) {
  return fmt::format("{} columns ({} binary), {} rows", program.relaxation.columns(),
                     program.integers(), program.relaxation.rows());
}

lp::ProgramFormat format_of(const ExportSettings& settings) {
  const bool is_lp =
      settings.format.empty() ? settings.file.ends_with(".lp") : settings.format == "lp";
  return is_lp ? lp::ProgramFormat::lp : lp::ProgramFormat::mps;
}

/// A good mapping, the same in every run; nothing if there is none at all.
std::optional<Mapping> known_mapping(const Architecture& a, const Workload& w,
                                     const Objective& objective, RowModel row_model) {
  if (!mapper::obstacle(a, w, Method::exact).empty()) return std::nullopt;
  const Mapping smallest = mapper::smallest_mapping(a, w);
  return heuristic::local_search({a, w, objective, row_model}, smallest, smallest).mapping;
}

int run(const ExportSettings& settings) {
  if (settings.layer.layer.empty()) ask_for_layer();
  const Question question = question_of(settings.question);
  const Architecture architecture = read_machine(settings.layer, settings.output);
  const Workload workload = read_layer(settings.layer);
  terminal::refuse_padding(workload, "'pimbb export'");
  milp::require_linear(question.objective, settings.row_model);
  const auto known = known_mapping(architecture, workload, question.objective, settings.row_model);
  const lp::MixedIntegerProgram program =
      milp::build_program(architecture, workload, question.objective, settings.row_model,
                          known ? &*known : nullptr)
          .program;
  const std::string text = lp::write_program(program, format_of(settings));
  Output output(settings.output);
  if (settings.file == "-") {
    output.content(text);
  } else {
    write_file(settings.file, text);
    output.report(fmt::format("{}: {}; {}\n", printable(settings.file), size_of(program),
                              fmt::join(program.remarks, "; ")));
  }
  output.finish();
  return kProven;
}

OptionRows rows(ExportSettings& s) {
  return rows_of({layer_rows(s.layer),
                  objective_rows(s.question),
                  {{"--row-model", "MODEL", groups::kGoal, "hybrid",
                    "How DRAM row activations are counted: analytic, hybrid or none (trace cannot "
                    "be linearised)",
                    [&](auto option, auto& text) { s.row_model = parse_row_model(option, text); },
                    values::linear_row_models},
                   {"--format", "FORMAT", groups::kOutput, "by the file's ending, else mps",
                    "mps (free MPS, which every solver reads) or lp (CPLEX LP, which people read)",
                    [&](auto option, auto& text) {
                      s.format =
                          kProgramFormatNames[place_among(option, text, kProgramFormatNames)];
                    },
                    program_formats},
                   output_row(s.file)}});
}

}  // namespace

Command export_command() {
  return {"export", "Write the mapping problem of one layer as a mixed-integer linear program",
          "The program has the same optimum as 'pimbb map'; a comment in its head states the unit. "
          "The\n"
          "objective is one of latency, energy, activations, blended; the row model analytic, "
          "hybrid or none.\n"
          "\n"
          "Examples:\n"
          "  pimbb export --layer resnet18:conv2_x --output conv2_x.mps\n"
          "  pimbb export --arch my_pim.yaml --layer my_layer.yaml --objective energy --format lp",
          terminal::prepare<ExportSettings>(rows, run)};
}

}  // namespace pimbb::dram_pim::cli

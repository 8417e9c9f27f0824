// Rows of the options that the benches of all kinds have.
#include "terminal/bench/run.hpp"
#include "terminal/layer_options.hpp"
#include "terminal/limit_options.hpp"
#include "terminal/option_values.hpp"

namespace pimbb::terminal {

OptionRows corpus_rows(CorpusSettings& s, const char* help, std::vector<std::string> architectures,
                       std::vector<std::string> corpora) {
  return {{"--corpus", "CORPUS", groups::kProblem, "full", help,
           [&](auto option, auto& text) { s.corpus = not_empty(option, text); },
           [names = std::move(corpora)] { return Choices{.words = names, .files = {"*"}}; }},
          {"--arch", "ARCH", groups::kProblem, "",
           "Only this accelerator instead of the corpus's: a file or the name of a preset",
           [&](auto option, auto& text) { s.arch = not_empty(option, text); },
           [names = std::move(architectures)] {
             return Choices{.words = names, .files = {"yaml", "yml", "json"}};
           }},
          {"--network", "NET", groups::kProblem, "",
           "Only this network, or NETWORK:LAYER, instead of the corpus's: a file or the name of a "
           "preset",
           [&](auto option, auto& text) { s.network = not_empty(option, text); }, network_choices}};
}

OptionRows bench_effort_rows(BenchSettings& s) {
  return {threads_row(s.limits),
          {"--repeat", "N", groups::kEffort, "1",
           "Solve every case N times and report the median time; a case that ends at a limit once",
           [&](auto option, auto& text) { s.repeat = integer(option, text, 1, 1000); }},
          {"--time-limit", "TIME", groups::kEffort, "", "Time limit for each case",
           [&](auto option, auto& text) { s.limits.time_limit = duration_seconds(option, text); }},
          node_limit_row(s.limits),
          memory_limit_row(s.limits)};
}

OptionRows bench_output_rows(BenchSettings& s) {
  return {{"--list", nullptr, groups::kOutput, "",
           "Only print the cases, one on a line; solve none", [&](auto, auto&) { s.list = true; }},
          {"--signature-only", nullptr, groups::kOutput, "",
           "Print only the two hashes: of the exact optima, and of the node counts",
           [&](auto, auto&) { s.signature_only = true; }},
          json_row(s.output),
          csv_row(s.output,
                  "Also write a table with a row for each case, separated by commas; '-' writes "
                  "only the table, to standard output"),
          log_row(s.output),
          timeless_row(s.output, s.limits.timeless)};
}

}  // namespace pimbb::terminal

// pimbb report: results as one page with charts, which any browser shows without a network.
#include "report/command.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "pimbb/error.hpp"
#include "pimbb/write_file.hpp"
#include "report/page.hpp"
#include "report/pictures.hpp"
#include "report/results.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"

namespace pimbb::report {
namespace {

namespace fs = std::filesystem;
using namespace terminal;

struct ReportSettings {
  std::vector<std::string> files;
  std::string page = "report.html";
  std::string title;
  std::string pictures;  ///< folder, empty for none
  std::string tables;    ///< the same
  OutputSettings output;
};

void make_folder(const std::string& option, const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) {
    throw InputError(fmt::format("{}: the folder '{}' cannot be made", option, folder));
  }
}

int run(const ReportSettings& settings) {
  if (settings.files.empty()) {
    throw InputError("RESULT: found no file, allowed are results that pimbb wrote with --json");
  }
  std::vector<Result> results;
  for (const std::string& file : settings.files) results.push_back(read_result(file));
  Output output(settings.output);
  const Report report = report_of(results, settings.title, settings.output.version);
  const std::string page = page_of(report);
  write_file(settings.page, page);
  std::size_t tables = 0;
  if (!settings.tables.empty()) {
    make_folder("--csv", settings.tables);
    for (const Part* part : tables_of(report)) {
      write_file((fs::path(settings.tables) / (part->id + ".csv")).string(), csv_of(*part));
      ++tables;
    }
  }
  std::size_t pictures = 0;
  if (!settings.pictures.empty()) {
    make_folder("--png", settings.pictures);
    draw_pictures(page, [&](const std::string& id, const std::string& png) {
      write_file((fs::path(settings.pictures) / (id + ".png")).string(), png);
      ++pictures;
    });
  }
  if (settings.page != "-") {
    output.report(fmt::format("{}: {} {}, {} KB\n", settings.page, report.sections.size(),
                              report.sections.size() == 1 ? "section" : "sections",
                              (page.size() + 1023) / 1024));
    if (tables > 0) output.report(fmt::format("{}: {} tables\n", settings.tables, tables));
    if (pictures > 0) output.report(fmt::format("{}: {} pictures\n", settings.pictures, pictures));
  }
  output.finish();
  return kProven;
}

OptionRow folder_row(const char* name, std::string& folder, std::string help) {
  return {name,
          "DIR",
          groups::kOutput,
          "",
          std::move(help),
          [&folder](auto option, auto& text) { folder = not_empty(option, text); }};
}

OptionRows rows(ReportSettings& s) {
  return {
      {"RESULT", "FILE", groups::kProblem, "",
       "Results of pimbb: JSON files of map, network, evaluate, audit, bench and others, logs "
       "(--log), event traces of SRAM; two of one format are also compared",
       [&](auto option, auto& text) { s.files.push_back(file(option, text)); },
       [] {
         return Choices{.files = {"json", "jsonl"}};
       },
       /*alone=*/false,
       /*repeats=*/true},
      {"--output", "FILE", groups::kOutput, "report.html", "Page to write; '-' is standard output",
       [&](auto option, auto& text) { s.page = not_empty(option, text); }, any_file},
      {"--title", "TEXT", groups::kOutput, "", "Title of the page, instead of the first result's",
       [&](auto option, auto& text) { s.title = not_empty(option, text); }},
      folder_row("--png", s.pictures,
                 "Also write every chart as a picture to this folder; a Chromium on the path "
                 "draws them"),
      folder_row("--csv", s.tables, "Also write the figures of every chart to this folder")};
}

}  // namespace

Command report_command() {
  return {"report", "Show results as one page with charts",
          "Examples:\n"
          "  pimbb map resnet18:conv2_x --objective edp --json best.json --log search.jsonl\n"
          "  pimbb report best.json search.jsonl --output best.html\n"
          "  pimbb network --network resnet18 --json resnet18.json\n"
          "  pimbb report resnet18.json --output resnet18.html --png pictures --csv tables",
          terminal::prepare<ReportSettings>(rows, run)};
}

}  // namespace pimbb::report

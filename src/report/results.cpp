#include "report/results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "files/source.hpp"
#include "pimbb/error.hpp"
#include "report/sections.hpp"

namespace pimbb::report {
namespace {

constexpr std::size_t kLargestFile = std::size_t{512} << 20;

[[noreturn]] void refuse_json(const std::string& file, std::size_t line) {
  throw InputError(
      fmt::format("{}: line {}: found no valid JSON, allowed are results that pimbb "
                  "wrote with --json, logs and event traces",
                  file, line));
}

/// The first line as an object with the key "event": the file has one such object a line.
bool has_events(const std::string& text) {
  const Json first = Json::parse(text.substr(0, text.find('\n')), nullptr, false);
  return first.is_object() && first.contains("event");
}

std::vector<Json> read_lines(const std::string& file, const std::string& text) {
  std::vector<Json> lines;
  std::size_t from = 0;
  for (std::size_t number = 1; from < text.size(); ++number) {
    const std::size_t end = text.find('\n', from);
    Json line = Json::parse(text.substr(from, end - from), nullptr, false);
    const bool torn = end == std::string::npos;
    if (line.is_discarded() && torn) break;
    if (!line.is_object() || !line.contains("event")) refuse_json(file, number);
    lines.push_back(std::move(line));
    if (torn) break;
    from = end + 1;
  }
  return lines;
}

void check_format(const Result& result) {
  const Value document(result.document, result.file);
  const std::string format = document.at("format").text();
  const auto& makers = section_makers();
  if (makers.contains(format)) return;
  std::vector<std::string> allowed;
  for (const auto& [name, maker] : makers) allowed.push_back(name);
  throw InputError(fmt::format("{}: key 'format': found '{}', allowed are {}", result.file, format,
                               fmt::join(allowed, ", ")));
}

Section section_of(const Result& result) {
  if (result.document.is_null()) {
    const bool log = result.lines.front().contains("format");
    return log ? log_section(result.file, result.lines)
               : timeline_section(result.file, result.lines);
  }
  const Value document(result.document, result.file);
  return section_makers().find(document.at("format").text())->second(document);
}

/// The only two results, if they are of one format.
bool are_comparable(const std::vector<Result>& results) {
  std::vector<const Json*> documents;
  for (const Result& result : results) {
    if (!result.document.is_null()) documents.push_back(&result.document);
  }
  return documents.size() == 2 && documents[0]->at("format") == documents[1]->at("format");
}

}  // namespace

Result read_result(const std::string& path) {
  const files::Source source = files::load_file(path, kLargestFile);
  Result result;
  result.file = std::filesystem::path(path).filename().string();
  if (has_events(source.text)) {
    result.lines = read_lines(source.label, source.text);
    return result;
  }
  try {
    result.document = Json::parse(source.text);
  } catch (const Json::out_of_range&) {
    throw InputError(source.label + ": found a number beyond 1e308, allowed are smaller ones");
  } catch (const Json::parse_error& error) {
    const auto end =
        source.text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, source.text.size()));
    refuse_json(source.label,
                1 + static_cast<std::size_t>(std::count(source.text.begin(), end, '\n')));
  }
  check_format(result);
  return result;
}

Report report_of(const std::vector<Result>& results, const std::string& title,
                 const std::string& version) {
  Report report;
  std::vector<std::string> files;
  for (const Result& result : results) {
    report.sections.push_back(section_of(result));
    files.push_back(result.file);
  }
  if (are_comparable(results)) {
    std::vector<Value> two;
    for (const Result& result : results) {
      if (!result.document.is_null()) two.emplace_back(result.document, result.file);
    }
    report.sections.push_back(comparison_section(two[0], two[1]));
  }
  report.title = title.empty() ? report.sections.front().title : title;
  report.made = fmt::format("{}; from {}", version, fmt::join(files, ", "));
  name_parts(report);
  return report;
}

}  // namespace pimbb::report

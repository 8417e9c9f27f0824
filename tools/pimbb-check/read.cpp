// The document, line by line. Its first line says which format it has.
#include <new>
#include <string_view>

#include "check.hpp"
#include "cim/check.hpp"
#include "cim/front.hpp"
#include "crossbar/check.hpp"
#include "crossbar/front.hpp"
#include "device/check.hpp"
#include "front.hpp"
#include "lines.hpp"
#include "padded.hpp"

namespace pimbb_check {
namespace {

/// The R.S.P.Q.C.K.N of "n R.S.P.Q.C.K.N w", or R.S.P.Q.C.K.N.G where G is not 1.
Factors tile_in(const std::string& line) {
  Factors c = kOnes;
  const char* at = line.c_str() + 2;
  for (std::size_t j = 0; j < kDims; ++j) {
    c[j] = plain_number(at);
    const char separator = *at++;
    if (j == N && separator == ' ') break;
    require(separator == (j < G ? '.' : ' '), "a tile has seven factors, or eight with groups");
    require(j != G || c[G] > 1, "a tile has a factor of groups above 1 or none");
  }
  require(at + 1 == line.c_str() + line.size(), "a tile is followed by a class of loops");
  return c;
}

void event(const Lines& lines, Checker& checker) {
  const std::string& line = lines.line();
  const char key = line.size() > 2 && line[1] == ' ' ? line[0] : ' ';
  if (key == 'n' || key == 'b' || key == 'c' || key == 'e') {
    return checker.node(static_cast<Record>(key), tile_in(line), line.back());
  }
  if (line.starts_with("mapping ")) return checker.incumbent(line.substr(8));
  if (line == "infeasible") return checker.infeasible();
  const std::vector<std::string> word = lines.words();
  if (word[0] == "goal" && word.size() == 3) return checker.goal(word[1], word[2]);
  if (word[0] == "thresholds") return checker.thresholds({word.begin() + 1, word.end()});
  if (key == 's' && word.size() == 2) return checker.storage(word[1]);
  if (key == 'a' && word.size() == 2) return checker.storage_closed(word[1]);
  if (key == 'l' && word.size() == 2) return checker.ordered(word[1]);
  require(key == 'o' && word.size() == 3, "an unknown record");
  const char* at = word[2].c_str();
  const auto level = static_cast<std::size_t>(plain_number(at));
  require(*at == '\0', "a level is a number");
  checker.overflow(word[1], level);
}

void cim_event(const Lines& lines, cim::Checker& checker) {
  const std::string& line = lines.line();
  if (const auto record = cim::scheme_record(line)) return checker.scheme(*record);
  if (line.starts_with("mapping ")) return checker.incumbent(line.substr(8));
  if (line == "infeasible") return checker.infeasible();
  const std::vector<std::string> word = lines.words();
  require(word[0] == "goal" && word.size() == 3, "an unknown record");
  checker.goal(word[1], word[2]);
}

/// Reads all lines after the first one; `report` is what the reader has found out.
template <class Read>
Report outcome(Lines& lines, const Report& report, const Read& read) {
  std::string reason;
  bool out_of_memory = false;
  try {
    read();
    lines.finish();
  } catch (const std::bad_alloc&) {
    reason = "it needs more memory than the limit";
    out_of_memory = true;
  } catch (const std::exception& error) {
    reason = error.what();
  }
  Report result = report;
  result.accepted = reason.empty();
  result.out_of_memory = out_of_memory;
  if (!reason.empty()) result.reason = "line " + std::to_string(lines.number()) + ": " + reason;
  result.bytes = lines.bytes();
  return result;
}

/// The lines after the first one, to the end of the proof.
template <class AnyChecker, class Event>
void read_proof(Lines& lines, AnyChecker& checker, const Event& read_event) {
  const std::string hash = lines.field("sha256");
  checker.begin(hash, lines.field("instance"));
  while (lines.next() != "end") read_event(lines, checker);
  checker.end();
}

template <class AnyChecker, class Event>
Report read_events(Lines& lines, AnyChecker& checker, const Event& read_event) {
  return outcome(lines, checker.report(), [&] { read_proof(lines, checker, read_event); });
}

/// The tree of one slice, to its end.
Report read_part(Lines& lines, const std::string& instance, const Whole& whole) {
  Checker checker;
  checker.part(instance, whole);
  while (lines.next() != "end") event(lines, checker);
  checker.end();
  return checker.report();
}

Report read_padded(Lines& lines, const std::optional<std::string>& instance) {
  Report report;
  const auto read_slice = [&](const std::string& of) {
    Checker checker(of);
    read_proof(lines, checker, event);
    return checker.report();
  };
  return outcome(lines, report, [&] { check_padded(lines, instance, read_slice, report); });
}

}  // namespace

Report check(std::istream& proof, const std::optional<std::string>& instance) {
  Lines lines(proof);
  std::string format;
  try {
    format = lines.next();
    require(format == "pimbb-proof/1" || format == "pimbb-cim-proof/1" ||
                format == "pimbb-crossbar-proof/1" || format == "pimbb-padded-proof/1" ||
                format == "pimbb-device-proof/1" || format == "pimbb-front-proof/1" ||
                format == "pimbb-cim-front-proof/1" || format == "pimbb-crossbar-front-proof/1",
            "the format is none of pimbb-proof/1, pimbb-padded-proof/1, pimbb-device-proof/1, "
            "pimbb-front-proof/1, pimbb-cim-proof/1, pimbb-cim-front-proof/1, "
            "pimbb-crossbar-proof/1, pimbb-crossbar-front-proof/1");
  } catch (const std::exception& error) {
    Report report;
    report.reason = std::string("line 1: ") + error.what();
    report.bytes = lines.bytes();
    return report;
  }
  if (format == "pimbb-crossbar-proof/1") {
    Report report;
    return outcome(lines, report, [&] { crossbar::check(lines, instance, report); });
  }
  const auto read_tree = [&](const std::string& of, const Whole& whole) {
    return read_part(lines, of, whole);
  };
  if (format == "pimbb-front-proof/1") {
    Report report;
    return outcome(lines, report, [&] { check_front(lines, instance, read_tree, report); });
  }
  if (format == "pimbb-cim-front-proof/1") {
    Report report;
    return outcome(lines, report, [&] { cim::check_front(lines, instance, report); });
  }
  if (format == "pimbb-crossbar-front-proof/1") {
    Report report;
    return outcome(lines, report, [&] { crossbar::check_front(lines, instance, report); });
  }
  if (format == "pimbb-device-proof/1") {
    Report report;
    return outcome(lines, report, [&] { device::check(lines, instance, read_tree, report); });
  }
  if (format == "pimbb-padded-proof/1") return read_padded(lines, instance);
  if (format == "pimbb-cim-proof/1") {
    cim::Checker checker(instance);
    return read_events(lines, checker, cim_event);
  }
  Checker checker(instance);
  return read_events(lines, checker, event);
}

}  // namespace pimbb_check

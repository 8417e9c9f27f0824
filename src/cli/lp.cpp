// pimbb lp: a linear program from a file, solved in floating point and proved in exact arithmetic.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>

#include "cli/commands.hpp"
#include "files/json_text.hpp"
#include "lp/certificate.hpp"
#include "lp/format/program_file.hpp"
#include "lp/simplex.hpp"
#include "lp/slack_basis.hpp"
#include "pimbb/error.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::cli {
namespace {

using namespace terminal;

struct LpSettings {
  std::string file;
  std::optional<std::int64_t> iteration_limit;
  std::optional<double> time_limit;
  OutputSettings output;
};

constexpr std::size_t kReadableFraction = 40;  // characters

struct Answer {
  lp::SimplexStatus status;
  lp::Certificate certificate;
  bool interrupted = false;
  double seconds = 0;
  double simplex_cpu_seconds = 0;
  double proof_cpu_seconds = 0;
};

double cpu_seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

Answer solve_and_prove(const LpSettings& settings, lp::Simplex& simplex) {
  const auto start = std::chrono::steady_clock::now();
  Interrupt interrupt;
  lp::SimplexLimits limits;
  limits.iterations = settings.iteration_limit;
  limits.seconds = settings.time_limit;
  limits.stop = interrupt.token();
  std::clock_t cpu_start = std::clock();
  Answer answer{simplex.solve(limits), {}};
  answer.simplex_cpu_seconds = cpu_seconds_since(cpu_start);
  cpu_start = std::clock();
  answer.certificate = certify(simplex, answer.status);
  answer.proof_cpu_seconds = cpu_seconds_since(cpu_start);
  answer.interrupted = interrupt.requested();
  answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return answer;
}

const char* status_name(lp::SimplexStatus status) {
  switch (status) {
    case lp::SimplexStatus::optimal: return "optimal";
    case lp::SimplexStatus::infeasible: return "infeasible";
    case lp::SimplexStatus::unbounded: return "unbounded";
    case lp::SimplexStatus::limit: return "limit";
    case lp::SimplexStatus::numerical_failure: break;
  }
  return "unsettled";
}

int exit_code_of(lp::SimplexStatus status) {
  switch (status) {
    case lp::SimplexStatus::optimal: return kProven;
    case lp::SimplexStatus::infeasible: return kInfeasible;
    case lp::SimplexStatus::unbounded: return kUnbounded;
    default: return kUnproven;
  }
}

/// The objective in the file's sense: the exact one if there is one, else what the doubles say.
double objective(const lp::MixedIntegerProgram& file, const lp::Simplex& simplex,
                 const Answer& answer) {
  if (answer.certificate.objective) {
    return file.objective(*answer.certificate.objective).to_double();
  }
  const double sum = simplex.objective();
  return file.constant.to_double() + (file.maximise ? -sum : sum);
}

std::string described(const lp::MixedIntegerProgram& file, const std::string& path) {
  std::string text = fmt::format(
      "{}: {}, {} rows, {} columns, {} entries", printable(file.name.empty() ? path : file.name),
      file.maximise ? "maximise" : "minimise", number(std::int64_t{file.relaxation.rows()}),
      number(std::int64_t{file.relaxation.columns()}),
      number(static_cast<std::int64_t>(file.relaxation.entries())));
  if (file.integers() > 0) {
    text += fmt::format(
        "\n{} columns are declared integer; this is the relaxation, which lets them be any number",
        number(std::int64_t{file.integers()}));
  }
  return text + "\n";
}

std::string bound_text(const lp::MixedIntegerProgram& file, const lp::Certificate& certificate) {
  const char* side = file.maximise ? "upper" : "lower";
  if (!certificate.bound) return fmt::format("no safe {} bound", side);
  double bound = file.objective(*certificate.bound).to_double();
  if (!certificate.is_proved) {  // the nearest double may be the wrong side of the exact bound
    bound = std::nextafter(bound, file.maximise ? HUGE_VAL : -HUGE_VAL);
  }
  return fmt::format("safe {} bound {}", side, bound);
}

std::string optimum_text(const lp::MixedIntegerProgram& file, const lp::Simplex& simplex,
                         const Answer& answer) {
  std::string text = fmt::format("objective {}", objective(file, simplex, answer));
  if (answer.certificate.is_proved) {
    const std::string exact = file.objective(*answer.certificate.objective).to_string();
    if (exact.find('/') != std::string::npos && exact.size() <= kReadableFraction) {
      text += " = " + exact;
    }
  }
  return text + ", " + bound_text(file, answer.certificate);
}

std::string verdict(const Style& style, const lp::MixedIntegerProgram& file,
                    const lp::Simplex& simplex, const Answer& answer) {
  const bool proved = answer.certificate.is_proved;
  const char* claim = proved ? ", proven" : ", to within rounding errors";
  switch (answer.status) {
    case lp::SimplexStatus::optimal:
      return (proved ? style.good("optimal, proven")
                     : style.warning(std::string("optimal") + claim)) +
             ": " + optimum_text(file, simplex, answer);
    case lp::SimplexStatus::infeasible:
      return style.bad("infeasible") + claim + ": no point satisfies all rows and bounds";
    case lp::SimplexStatus::unbounded:
      return style.bad("unbounded") + claim + ": the objective has no limit";
    case lp::SimplexStatus::limit:
      return style.warning(answer.interrupted ? "interrupted" : "limit hit") + ": " +
             bound_text(file, answer.certificate);
    case lp::SimplexStatus::numerical_failure: break;
  }
  return style.warning("unsettled") + ": rounding errors were too large; " +
         bound_text(file, answer.certificate);
}

std::string effort(const lp::SimplexStatistics& s, double seconds) {
  return fmt::format("{} iterations ({} dual, {} primal), {} factorizations, {} bound flips, {}",
                     number(s.iterations()), number(s.dual_iterations), number(s.primal_iterations),
                     number(s.refactorizations), number(s.flips), duration(seconds));
}

files::Json rational_json(const Rational& value) {
  return {{"value", value.to_double()}, {"exact", value.to_string()}};
}

files::Json statistics_json(const lp::SimplexStatistics& s, const Answer& answer) {
  return {{"iterations", s.iterations()},
          {"dual_iterations", s.dual_iterations},
          {"primal_iterations", s.primal_iterations},
          {"bland_iterations", s.bland_iterations},
          {"refactorizations", s.refactorizations},
          {"flips", s.flips},
          {"perturbations", s.perturbations},
          {"repairs", s.repairs},
          {"seconds", std::round(answer.seconds * 1e6) / 1e6},
          {"cpu_seconds",
           {{"simplex", answer.simplex_cpu_seconds}, {"proof", answer.proof_cpu_seconds}}}};
}

std::string document(const std::string& path, const lp::MixedIntegerProgram& file,
                     const lp::Simplex& simplex, const Answer& answer) {
  const lp::Certificate& certificate = answer.certificate;
  files::Json json = files::Json::object();
  json["format"] = "pimbb-lp/1";
  json["file"] = path;
  json["name"] = file.name;
  json["sense"] = file.maximise ? "maximise" : "minimise";
  json["rows"] = file.relaxation.rows();
  json["columns"] = file.relaxation.columns();
  json["entries"] = file.relaxation.entries();
  json["integers_relaxed"] = file.integers();
  json["status"] = status_name(answer.status);
  json["proved"] = certificate.is_proved;
  if (certificate.objective) {
    json["objective"] = rational_json(file.objective(*certificate.objective));
  } else if (answer.status == lp::SimplexStatus::optimal) {
    json["objective"] = {{"value", objective(file, simplex, answer)}};
  }
  if (certificate.bound) json["bound"] = rational_json(file.objective(*certificate.bound));
  if (answer.status == lp::SimplexStatus::optimal) {
    files::Json values = files::Json::object();
    for (lp::ColIndex j; j.value() < file.relaxation.columns(); ++j) {
      if (simplex.value(j) != 0) values[file.relaxation.name(j)] = simplex.value(j);
    }
    json["nonzero_values"] = values;
  }
  json["stats"] = statistics_json(simplex.statistics(), answer);
  return files::to_text(json);
}

int run(const LpSettings& settings) {
  if (settings.file.empty()) {
    throw InputError(
        "FILE: found none; allowed is a linear program in MPS (.mps) or LP format (.lp)");
  }
  const lp::MixedIntegerProgram file = lp::read_program(settings.file);
  Output output(settings.output);
  const Style style = style_of(settings.output);
  output.report(described(file, settings.file));
  lp::Simplex simplex(file.relaxation);
  simplex.set_basis(lp::slack_basis(file.relaxation));
  const Answer answer = solve_and_prove(settings, simplex);
  output.report(verdict(style, file, simplex, answer) + "\n" +
                style.faint(effort(simplex.statistics(), answer.seconds)) + "\n");
  output.json([&] { return document(settings.file, file, simplex, answer); });
  output.finish();
  return exit_code_of(answer.status);
}

OptionRows rows(LpSettings& s) {
  return {
      {"FILE", "", groups::kProblem, "",
       "Linear program: MPS, fixed or free (.mps), or LP format (.lp); integer columns are relaxed",
       [&](auto option, auto& text) { s.file = not_empty(option, text); },
       [] {
         return Choices{.files = {"mps", "lp"}};
       }},
      {"--iteration-limit", "N", groups::kEffort, "",
       "Stop after this number of simplex iterations; reproducible, unlike a time limit",
       [&](auto option, auto& text) {
         s.iteration_limit = integer<std::int64_t>(option, text, 0, std::int64_t{1} << 62);
       }},
      {"--time-limit", "TIME", groups::kEffort, "",
       "Stop after this time and report the bound reached",
       [&](auto option, auto& text) { s.time_limit = duration_seconds(option, text); }},
      json_row(s.output)};
}

}  // namespace

terminal::Command lp_command() {
  return {"lp", "Solve a linear program and prove the answer in exact arithmetic",
          "Examples:\n"
          "  pimbb lp afiro.mps\n"
          "  pimbb lp diet.lp --json diet.json\n\n"
          "Exit code 5: unbounded.",
          terminal::prepare<LpSettings>(rows, run)};
}

}  // namespace pimbb::cli

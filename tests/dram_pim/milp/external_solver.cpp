// Running the programs and reading their answers.
#include "dram_pim/milp/external_solver.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "lp/format/program_file.hpp"

namespace testkit {
namespace {

namespace fs = std::filesystem;

class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "pimbb-milp-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch directory");
    path_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { fs::remove_all(path_); }
  [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// cbc's solution file begins "Optimal - objective value 12.5".
void read_cbc(const std::string& solution, Answer& answer) {
  const std::string head = solution.substr(0, solution.find('\n'));
  const std::string mark = "objective value";
  const std::size_t at = head.find(mark);
  if (head.starts_with("Optimal") && at != std::string::npos) {
    answer.verdict = Verdict::optimal;
    answer.value = std::stod(head.substr(at + mark.size()));
  } else if (head.starts_with("Infeasible") || head.starts_with("Integer infeasible")) {
    answer.verdict = Verdict::infeasible;
  }
}

/// glpsol's raw solution has a line "s mip ROWS COLUMNS STATUS VALUE"; STATUS is o for optimal, n
/// for no solution. Where presolving already finds none, it says so and the status is u.
void read_glpsol(const std::string& solution, Answer& answer) {
  std::istringstream lines(solution);
  std::string line;
  while (std::getline(lines, line)) {
    if (!line.starts_with("s mip")) continue;
    std::istringstream words(line.substr(5));
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::string status;
    words >> rows >> columns >> status >> answer.value;
    if (status == "o") answer.verdict = Verdict::optimal;
    if (status == "n") answer.verdict = Verdict::infeasible;
  }
  for (const char* proof :
       {"HAS NO PRIMAL FEASIBLE SOLUTION", "HAS NO INTEGER FEASIBLE SOLUTION"}) {
    if (answer.output.find(proof) != std::string::npos) answer.verdict = Verdict::infeasible;
  }
}

}  // namespace

bool ExternalSolver::installed() const {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

Answer ExternalSolver::solve(const pimbb::lp::MixedIntegerProgram& mip, int seconds) const {
  const Scratch scratch;
  const std::string problem = scratch.file(reads_lp ? "problem.lp" : "problem.mps");
  const std::string solution = scratch.file("solution");
  const std::string log = scratch.file("log");
  std::ofstream(problem) << pimbb::lp::write_program(
      mip, reads_lp ? pimbb::lp::ProgramFormat::lp : pimbb::lp::ProgramFormat::mps);
  const std::string limit = std::to_string(seconds);
  std::string command = program;
  if (program == "cbc") {
    command += " " + problem + " -sec " + limit + " -solve -solu " + solution;
  } else {
    command += std::string(reads_lp ? " --lp " : " --freemps ") + problem + " --tmlim " + limit +
               " -w " + solution;
  }
  const int ignored = std::system((command + " >" + log + " 2>&1").c_str());
  Answer answer;
  answer.output = contents(log);
  if (ignored != 0) return answer;
  (program == "cbc" ? read_cbc : read_glpsol)(contents(solution), answer);
  return answer;
}

}  // namespace testkit

// Solving a linear program with programs that share nothing with pimbb: cbc and glpsol.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lp/format/mixed_integer_program.hpp"

namespace testkit {

enum class Verdict { optimal, infeasible, no_answer };

struct Answer {
  Verdict verdict = Verdict::no_answer;
  double value = 0;  ///< of the objective as written
  std::string output;
};

struct ExternalSolver {
  std::string program;
  bool reads_lp;  ///< hand it the LP file, else free MPS

  [[nodiscard]] bool installed() const;
  /// Runs the program in a directory of its own, for at most `seconds`.
  [[nodiscard]] Answer solve(const pimbb::lp::MixedIntegerProgram& mip, int seconds) const;
};

}  // namespace testkit

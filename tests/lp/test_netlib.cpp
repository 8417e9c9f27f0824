// The instances of the Netlib folder, against the optima and statuses that its index gives: right
// to 1e-9 in floating point, and proved exactly.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lp/certificate.hpp"
#include "lp/format/program_file.hpp"
#include "lp/simplex.hpp"

using pimbb::Rational;
using namespace pimbb::lp;
namespace fs = std::filesystem;

namespace {

struct Known {
  std::string file;
  std::string kind;
  std::string optimum;
};

fs::path folder() {
  const char* shared = std::getenv("PIMBB_SHARED");
  return shared == nullptr ? fs::path() : fs::path(shared) / "netlib";
}

std::vector<Known> index() {
  std::vector<Known> known;
  std::ifstream stream(folder() / "INDEX.tsv");
  for (std::string line; std::getline(stream, line);) {
    std::istringstream fields(line);
    Known entry;
    std::getline(fields, entry.file, '\t');
    std::getline(fields, entry.kind, '\t');
    fields >> entry.optimum;  // what follows the number is a remark
    if (!line.starts_with('#') && fs::exists(folder() / entry.file)) known.push_back(entry);
  }
  return known;
}

double last_digit_tolerance(double optimum) { return 1e-9 * std::max(1.0, std::fabs(optimum)); }

void check(const fs::path& path, const Known& known, const SimplexOptions& options) {
  const MixedIntegerProgram file = read_program(path.string());
  Simplex simplex(file.relaxation, options);
  const SimplexStatus status = simplex.solve();
  const Certificate certificate = certify(simplex, status);
  CHECK(certificate.is_proved);
  if (known.optimum == "infeasible") {
    CHECK(status == SimplexStatus::infeasible);
    return;
  }
  REQUIRE(status == SimplexStatus::optimal);
  const double optimum = Rational::parse(known.optimum).to_double();
  const double found =
      (file.maximise ? -simplex.objective() : simplex.objective()) + file.constant.to_double();
  CHECK(std::fabs(found - optimum) <= last_digit_tolerance(optimum));
  const double exact = file.objective(*certificate.objective).to_double();
  CHECK(std::fabs(exact - optimum) <= last_digit_tolerance(optimum));
}

}  // namespace

TEST_CASE("every instance has its known status and optimum, and a proof") {
  const std::vector<Known> all = index();
  if (all.empty()) MESSAGE("skipped: no $PIMBB_SHARED/netlib");
  for (const Known& known : all) {
    CAPTURE(known.file);
    check(folder() / known.file, known, {});
    check(folder() / known.file, known, {false, 0, false});  // Bland's rule as the only guard
  }
}

TEST_CASE("larger instances that Debian's package of CoinUtils has") {
  const fs::path samples = "/usr/share/coin/Data/Sample";
  if (!fs::exists(samples)) MESSAGE("skipped: coinor-libcoinutils-dev is not installed");
  // Optima of Netlib in Koch's digits; that of e226 plus the constant of its objective, 7.113.
  const Known all[] = {
      {"brandy.mps", "feasible", "0.15185098964881283835426751550618e4"},
      {"e226.mps", "feasible", "-0.11638929066370549e2"},
      {"finnis.mps", "feasible", "0.1727910655956116e6"},
      {"nw460.mps", "integer columns without bounds", "-138366181/613082"},
      {"galenet.mps", "infeasible", "infeasible"},
  };
  for (const Known& known : all) {
    CAPTURE(known.file);
    if (fs::exists(samples / known.file)) check(samples / known.file, known, {});
  }
}

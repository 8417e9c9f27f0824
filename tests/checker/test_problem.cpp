// What the checker reads: numbers, the largest layer, and the steps between elements in DRAM.
#include <doctest/doctest.h>

#include "pimbb-check/addresses.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "support/texts.hpp"

namespace check = pimbb_check;
using pimbb::Dim;
using pimbb::index;

namespace {

std::string canonical(const pimbb::Workload& w) {
  return pimbb::dram_pim::canonical_instance(texts::small_architecture(), w,
                                             pimbb::dram_pim::Objective::parse("latency"),
                                             pimbb::dram_pim::RowModel::trace);
}

std::string complaint_about(const pimbb::Workload& w) {
  try {
    const check::Problem problem(canonical(w));
  } catch (const check::Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

}  // namespace

TEST_CASE("rational numbers: lowest terms, plain digits, nothing else") {
  for (const char* text :
       {"",    "x", "1x", "x1", "-1",   "+1",   " 1",  "1 ",  "01",  "00",  "0x1",   "1e3",
        "1.5", "/", "1/", "/2", "1/02", "01/2", "1/0", "2/1", "2/4", "0/2", "1/2/3", "1/-2"}) {
    CAPTURE(text);
    CHECK_THROWS_AS((void)check::parse_rational(text), check::Refusal);
  }
  CHECK(check::parse_rational("0") == 0);
  CHECK(check::parse_rational("10") == 10);
  CHECK(check::parse_rational("8/9") == check::Rational(8, 9));
}

// Inputs of 2^53 elements and more are refused, however few MACs there are.
TEST_CASE("the largest layer") {
  pimbb::Workload w;
  w.bounds[index(Dim::P)] = 2;
  w.stride_w = (std::int64_t{1} << 30) - 1;  // the input is 2^30 wide
  w.bounds[index(Dim::C)] = (std::int64_t{1} << 23) - 1;
  CHECK(complaint_about(w) == "");
  w.bounds[index(Dim::C)] += 1;
  CHECK(complaint_about(w) == "instance: the layer is too large");
}

TEST_CASE("steps of the input: none where a dimension has no loop") {
  pimbb::Workload w;
  w.bounds[index(Dim::P)] = 4;
  w.bounds[index(Dim::R)] = 3;
  w.bounds[index(Dim::C)] = 5;
  w.stride_w = 2;
  w.stride_h = 7;
  const check::Problem problem(canonical(w));
  // One line of 2 * 3 + 2 + 1 bytes for each channel.
  CHECK(check::strides(problem, check::kInput, false) == check::Factors{1, 0, 2, 0, 9, 0, 0, 0});
  // Or 5 bytes for each column.
  CHECK(check::strides(problem, check::kInput, true) == check::Factors{5, 0, 10, 0, 1, 0, 0, 0});
}

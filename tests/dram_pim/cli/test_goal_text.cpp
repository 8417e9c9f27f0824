// Values of goals as people read them.
#include <doctest/doctest.h>

#include "dram_pim/cli/goal_text.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using namespace pimbb::dram_pim::cli;

TEST_CASE("values carry the unit of their goal") {
  CHECK(with_unit(Goal::latency, Rational(1806336)) == "1,806,336 cycles");
  CHECK(with_unit(Goal::energy, Rational(5, 2)) == "2.5 nJ");
  CHECK(with_unit(Goal::blended, Rational(7)) == "7");
}

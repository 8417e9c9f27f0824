// Addresses of elements in a frame, by hand and looked up part by part.
#include <doctest/doctest.h>

#include "dram_pim/rows/element_map.hpp"

using namespace pimbb::dram_pim::rows;

TEST_CASE("addresses in a frame, by hand and looked up part by part") {
  const Indices frame{2, 1, 3, 6, 7};
  const Indices first{0, 0, 0, 2, 1};  // a border of two lines above and one column
  const ElementMap map = dense_map(frame, 4, kRowMajor, first);
  const Indices begin{0, 0, 1, 1, 2};
  const Indices extent{2, 1, 2, 3, 4};
  const Indices name{10, 0, 1, 5, 3};
  const AddressTable table(map, begin, extent, name);
  for (std::int64_t n = 0; n < 2; ++n) {
    for (std::int64_t c = 1; c < 3; ++c) {
      for (std::int64_t h = 1; h < 4; ++h) {
        for (std::int64_t w = 2; w < 6; ++w) {
          const std::int64_t place = ((n * 3 + c) * 6 + h + 2) * 7 + w + 1;
          CHECK(map.address({n, 0, c, h, w}) == 4 * place);
          CHECK(table.part(0, 10 + n) + table.part(1, 0) + table.part(2, c) + table.part(3, h + 4) +
                    table.part(4, w + 1) ==
                4 * place);
        }
      }
    }
  }
}

// The elements of a box in ascending address order, as runs of neighbours.
//
// Two nested odometers: over the blocks that the box touches, and over the rows of elements inside
// each. A reader pays for a run, not for an element, and next to nothing is stored.
#pragma once

#include "dram_pim/rows/element_map.hpp"

namespace pimbb::dram_pim::rows {

/// `count` elements that follow one another in memory.
struct ElementRun {
  std::int64_t address;  ///< of the first byte of the first element, in the tensor's bank
  std::int64_t count;    ///< >= 1
  std::int64_t step;     ///< bytes from one element to the next
  Indices first;         ///< the first element
  std::size_t axis;      ///< which of its indices grows by one from element to element

  [[nodiscard]] std::int64_t last_address() const { return address + (count - 1) * step; }
};

class ElementRuns {
 public:
  explicit ElementRuns(const ElementMap& map) : axes_(map.axes), first_(map.first) {}
  /// A box with at least one element.
  void begin(const Indices& origin, const Indices& extent);
  /// False after the last run.
  bool next(ElementRun& run);

 private:
  struct Span {  ///< an axis of the box, and of the piece of it that lies in one block
    std::int64_t begin, end;
    std::int64_t block;
    std::int64_t low, high;
    std::int64_t at;
    std::int64_t offset;  ///< what `at` adds to the address
  };
  void enter_block(std::size_t k, std::int64_t block);
  bool advance();

  std::array<ElementAxis, kAxes> axes_;
  std::int64_t first_;
  std::array<Span, kAxes> spans_{};
  bool more_ = false;
};

}  // namespace pimbb::dram_pim::rows

// Ranges cut in two.
#include "dram_pim/plan/cells.hpp"

#include <algorithm>
#include <cassert>

namespace pimbb::dram_pim::network {

bool Cell::is_single() const {
  if (range.row_aligned) return !has_sequential() && range.least == range.most;
  return range.sequential != range.channels_last;
}

std::vector<InputOrder> Cell::orders() const {
  std::vector<InputOrder> all;
  if (range.sequential) all.push_back(InputOrder::nchw);
  if (range.channels_last) all.push_back(InputOrder::nhwc);
  return all;
}

Cell own_places(const LayoutBox& sizes) {
  Cell cell;
  cell.range.most = sizes;
  cell.range.channels_last = false;
  return cell;
}

Cell only_sequential(bool framed, InputOrder order) {
  Cell cell;
  cell.framed = framed;
  cell.range.sequential = order == InputOrder::nchw;
  cell.range.channels_last = !cell.range.sequential;
  cell.range.row_aligned = false;
  return cell;
}

Cell only_aligned(const LayoutBox& sizes) {
  Cell cell = own_places(sizes);
  cell.range.sequential = false;
  return cell;
}

CellCut cut_between(const Cell& cell, const LayoutBox& box, const LayoutBox& other) {
  if (cell.has_sequential() && cell.range.row_aligned) return {};
  if (cell.has_sequential()) return {.by = CellCut::By::order};
  std::size_t widest = box.size();
  double ratio = 0;
  for (std::size_t k = 0; k < box.size(); ++k) {
    if (cell.range.least[k] == cell.range.most[k]) continue;
    const double apart = static_cast<double>(std::max(box[k], other[k])) /
                         static_cast<double>(std::min(box[k], other[k]));
    if (apart > ratio) {
      ratio = apart;
      widest = k;
    }
  }
  const std::size_t k = widest;
  std::int64_t last = std::min(box[k], other[k]);  // of the lower part
  if (last < cell.range.least[k] || last >= cell.range.most[k] || ratio == 1) {
    last = box[k] < cell.range.most[k] ? box[k] : box[k] - 1;
  }
  return {.by = CellCut::By::axis, .axis = k, .last = last};
}

std::pair<Cell, Cell> split(const Cell& cell, const CellCut& cut) {
  assert(!cell.is_single());
  Cell low = cell;
  Cell high = cell;
  switch (cut.by) {
    case CellCut::By::kind:
      low.range.row_aligned = false;
      high.range.sequential = high.range.channels_last = false;
      break;
    case CellCut::By::order:
      low.range.channels_last = false;
      high.range.sequential = false;
      break;
    case CellCut::By::axis:
      assert(cell.range.least[cut.axis] <= cut.last && cut.last < cell.range.most[cut.axis]);
      low.range.most[cut.axis] = cut.last;
      high.range.least[cut.axis] = cut.last + 1;
      break;
    case CellCut::By::rank: {
      const auto last = static_cast<std::size_t>(cut.last);
      const auto order = static_cast<std::size_t>(cut.towards);
      assert(cell.ranks.at(order).admit(last) && last < cell.ranks.at(order).last);
      low.ranks.at(order).last = last;
      high.ranks.at(order).first = last + 1;
      break;
    }
  }
  return {low, high};
}

}  // namespace pimbb::dram_pim::network

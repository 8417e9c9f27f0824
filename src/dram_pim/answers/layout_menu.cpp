// Layouts tensor by tensor; the input's blocks and orders once a tile.
#include "dram_pim/answers/layout_menu.hpp"

namespace pimbb::dram_pim::answers {

std::vector<InputOrder> LayoutMenu::input_orders() const {
  const LayoutRange& range = layouts_[index(Tensor::input)];
  std::vector<InputOrder> orders;
  const bool free = instance_.architecture.has_free_input_order();
  if (range.sequential) {
    orders.push_back(free ? InputOrder::nchw : instance_.architecture.input_order);
  }
  if (free && range.channels_last) orders.push_back(InputOrder::nhwc);
  return orders;
}

const LayoutMenu::InputTile& LayoutMenu::input_tile(mapper::TileIndex i) const {
  const mapper::Lattice& lattice = instance_.lattice;
  const mapper::TileIndex sample = lattice.without(lattice[i], Dim::K);
  const std::scoped_lock lock(mutex_);
  const auto [entry, fresh] = inputs_.try_emplace(sample);
  if (!fresh) return entry->second;
  const Factors& c = lattice[sample].c;
  for (const Block& block : instance_.rows.admissible_blocks(sample)) {
    entry->second.crossings.emplace_back(block, rows::crossing_tiles(instance_.workload, c, block));
  }
  for (const InputOrder order : input_orders()) {
    const Architecture ordered = instance_.architecture.with_input_order(order);
    entry->second.micro.push_back(traits(instance_.model).micro
                                      ? rows::micro_trace_sum(ordered, instance_.workload, c)
                                      : Int128{0});
  }
  return entry->second;
}

std::vector<PricedLayout> LayoutMenu::of(mapper::TileIndex i, Tensor t,
                                         const rows::RowReuse& reuse) const {
  const Architecture& a = instance_.architecture;
  rows::RowTile tile = rows::row_tile(a, instance_.workload, t, instance_.lattice[i].c);
  std::vector<PricedLayout> layouts;
  const auto add = [&](const LayoutPick& pick) {
    layouts.push_back(
        {pick, rows::activations(instance_.model, t, pick.layout, a.row_units(), tile, reuse)});
  };
  if (t != Tensor::input) {
    if (layouts_[index(t)].sequential) add({});
    if (instance_.rows.can_align(i, t)) add({.layout = Layout::row_aligned});
    return layouts;
  }
  const InputTile& input = input_tile(i);
  const std::vector<InputOrder> orders = input_orders();
  for (std::size_t k = 0; k < orders.size(); ++k) {
    tile.micro = input.micro[k];
    add({.layout = Layout::sequential, .block = {}, .input_order = orders[k]});
  }
  for (const auto& [block, cross] : input.crossings) {
    tile.cross = cross;
    add({.layout = Layout::row_aligned, .block = block});
  }
  return layouts;
}

}  // namespace pimbb::dram_pim::answers

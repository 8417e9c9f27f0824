// Labels by state.
#include "dram_pim/mapper/dominance.hpp"

namespace pimbb::dram_pim::mapper {

std::uint64_t Dominance::key(const PartialMapping& node) {
  return (static_cast<std::uint64_t>(node.state.tile) << 32 | node.state.anchor) * kTensors *
             kMaxLevels +
         index(node.state.stationary) * kMaxLevels + node.level;
}

search::Admission Dominance::admit(const PartialMapping& node, std::uint64_t id) {
  using search::Admission;
  const bool full = bytes() + kStateBytes + sizeof(Label) > room_;
  const auto known = labels_.find(key(node));
  if (full && known == labels_.end()) return Admission::unlabelled;
  std::vector<Label>& labels = known == labels_.end() ? labels_[key(node)] : known->second;
  for (const Label& label : labels) {
    if (target_.no_worse(label.sums, node.sums, open_count_)) return Admission::dominated;
  }
  // When there is no room a label can still take the place of those that it dominates.
  const std::size_t dominated = std::erase_if(labels, [&](const Label& label) {
    const bool is_dominated = target_.no_worse(node.sums, label.sums, open_count_);
    if (is_dominated) bury(label.id);
    return is_dominated;
  });
  label_count_ -= dominated;
  if (full && dominated == 0) return Admission::unlabelled;
  labels.push_back({id, node.sums});
  ++label_count_;
  return Admission::labelled;
}

void Dominance::bury(std::uint64_t id) {
  if (id >= dead_.size()) dead_.resize(id + 1);
  dead_[id] = true;
}

}  // namespace pimbb::dram_pim::mapper

// The groups of all states, found by state and listed by cell.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "cim/mapper/group.hpp"
#include "cim/mapper/state.hpp"

namespace pimbb::cim::mapper {

template <class Rule, std::size_t More>
class GroupTable {
 public:
  using G = Group<Rule, More>;

  GroupTable(std::uint32_t cells, const Exchange& exchange) : exchange_(exchange), at_(cells) {}

  /// The number of a state's group, made if it is new.
  std::uint32_t open(const State& state, const Prospect<More>& prospect) {
    const std::uint32_t number = index_.number(state);
    if (number < groups_.size()) return number;
    groups_.emplace_back();
    groups_.back().prospect = prospect;
    at_[state.cell].push_back(number);
    return number;
  }
  [[nodiscard]] std::optional<std::uint32_t> find(const State& state) const {
    return index_.find(state);
  }
  G& operator[](std::uint32_t number) { return groups_[number]; }
  [[nodiscard]] const State& state(std::uint32_t number) const { return index_[number]; }
  /// The groups of a cell, in the order in which they were made.
  [[nodiscard]] const std::vector<std::uint32_t>& at(std::uint32_t cell) const { return at_[cell]; }
  [[nodiscard]] std::size_t size() const { return index_.size(); }

  bool insert(G& group, const Label<More>& label) {
    const std::size_t before = group.labels.size();
    const bool is_new = group.insert(label, exchange_);
    labels_ += group.labels.size();
    labels_ -= before;
    return is_new;
  }
  void replace(std::uint32_t number, std::vector<Label<More>> labels) {
    labels_ -= groups_[number].labels.size() - labels.size();
    groups_[number].labels = std::move(labels);
  }
  /// Frees what belongs to a cell.
  void release(std::uint32_t cell) {
    for (const std::uint32_t number : at_[cell]) replace(number, {});
    std::vector<std::uint32_t>().swap(at_[cell]);
  }
  [[nodiscard]] std::uint64_t bytes() const {
    return labels_ * sizeof(Label<More>) +
           index_.size() * (sizeof(State) + 5 * sizeof(std::uint32_t) + sizeof(G));
  }

 private:
  Exchange exchange_;
  StateIndex index_;
  std::deque<G> groups_;                        // by number of state
  std::vector<std::vector<std::uint32_t>> at_;  // groups of each cell
  std::uint64_t labels_ = 0;                    // in memory
};

}  // namespace pimbb::cim::mapper

// A table over a few axes to which one index of an axis is added after the other.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace pimbb::search {

/// Calls visit() for every place of a table of these sizes, which `place` then has; its values on
/// axes that `fixed` marks stay.
template <class Visit>
void for_each_place(const std::vector<std::size_t>& sizes, const std::vector<char>& fixed,
                    std::vector<std::size_t>& place, const Visit& visit) {
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (fixed[k] == 0) place[k] = 0;
  }
  while (true) {
    visit();
    std::size_t k = sizes.size();
    while (k-- > 0) {
      if (fixed[k] != 0) continue;
      if (++place[k] < sizes[k]) break;
      place[k] = 0;
    }
    if (k == static_cast<std::size_t>(-1)) return;
  }
}

template <class T>
class GrowingTable {
 public:
  /// No axes: one place.
  explicit GrowingTable(std::vector<std::size_t> sizes) : sizes_(std::move(sizes)), room_(sizes_) {
    all_.resize(set_steps());
  }

  [[nodiscard]] const std::vector<std::size_t>& sizes() const { return sizes_; }
  [[nodiscard]] std::size_t step(std::size_t axis) const { return steps_[axis]; }
  [[nodiscard]] std::size_t offset(const std::vector<std::size_t>& place) const {
    std::size_t offset = 0;
    for (std::size_t k = 0; k < steps_.size(); ++k) offset += place[k] * steps_[k];
    return offset;
  }
  T& operator[](std::size_t offset) { return all_[offset]; }
  const T& operator[](std::size_t offset) const { return all_[offset]; }

  /// One more index of an axis, with what `index` has.
  void repeat(std::size_t axis, std::size_t index) {
    if (sizes_[axis] == room_[axis]) widen(axis);
    const std::size_t away = (sizes_[axis] - index) * steps_[axis];
    std::vector<char> fixed(sizes_.size(), 0);
    fixed[axis] = 1;
    std::vector<std::size_t> place(sizes_.size());
    place[axis] = index;
    for_each_place(sizes_, fixed, place, [&] {
      const std::size_t from = offset(place);
      all_[from + away] = all_[from];
    });
    ++sizes_[axis];
  }

 private:
  /// The number of places there is room for.
  std::size_t set_steps() {
    steps_.resize(room_.size());
    std::size_t all = 1;
    for (std::size_t k = steps_.size(); k-- > 0;) {
      steps_[k] = all;
      all *= room_[k];
    }
    return all;
  }

  /// Twice the room along an axis.
  void widen(std::size_t axis) {
    GrowingTable wider = *this;
    wider.room_[axis] *= 2;
    wider.all_.assign(wider.set_steps(), T{});
    std::vector<std::size_t> place(sizes_.size());
    for_each_place(sizes_, std::vector<char>(sizes_.size(), 0), place,
                   [&] { wider.all_[wider.offset(place)] = std::move(all_[offset(place)]); });
    *this = std::move(wider);
  }

  std::vector<std::size_t> sizes_;
  std::vector<std::size_t> room_;   // along each axis
  std::vector<std::size_t> steps_;  // from one index to the next
  std::vector<T> all_;
};

}  // namespace pimbb::search

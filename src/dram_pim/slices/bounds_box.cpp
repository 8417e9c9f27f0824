// Numbers as vectors of bounds, the last dimension first.
#include "dram_pim/slices/bounds_box.hpp"

#include "pimbb/error.hpp"

namespace pimbb::dram_pim::slices {
namespace {

constexpr std::uint64_t kMostVectors = std::uint64_t{1} << 22;

}  // namespace

BoundsBox::BoundsBox(const Workload& layer) : least_(layer.bounds), most_(layer.tops()) {
  for (std::size_t j = 0; j < kDims; ++j) {
    const auto choices = static_cast<std::uint64_t>(most_[j] - least_[j]) + 1;
    if (__builtin_mul_overflow(size_, choices, &size_) || size_ > kMostVectors) {
      throw InputError("layer '" + layer.name + "': pad: found more than " +
                       std::to_string(kMostVectors) +
                       " combinations of padded bounds; allowed is less padding, or of fewer "
                       "dimensions");
    }
  }
  validate(with_bounds(layer, most_));
}

Factors BoundsBox::operator[](std::uint64_t number) const {
  Factors bounds = least_;
  for (std::size_t j = kDims; j-- > 0;) {
    const auto choices = static_cast<std::uint64_t>(most_[j] - least_[j]) + 1;
    bounds[j] += static_cast<std::int64_t>(number % choices);
    number /= choices;
  }
  return bounds;
}

}  // namespace pimbb::dram_pim::slices

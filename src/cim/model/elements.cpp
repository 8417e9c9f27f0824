// Strides and dilations without their common divisor.
#include "cim/model/elements.hpp"

#include <limits>
#include <numeric>

namespace pimbb::cim {

Elements::Elements(const Workload& workload) {
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  const auto window = [](std::int64_t stride, std::int64_t dilation, std::int64_t most) {
    const std::int64_t common = std::gcd(stride, dilation);
    return Window{stride / common, dilation / common, most};
  };
  const auto& plane = workload.input_plane;
  width_ = window(workload.stride_w, workload.dilation_w, plane ? plane->width : kNone);
  height_ = window(workload.stride_h, workload.dilation_h, plane ? plane->height : kNone);
}

}  // namespace pimbb::cim

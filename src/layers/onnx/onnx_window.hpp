// The moving window of Conv and ConvTranspose: kernel, strides, dilations and padding of each axis.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "layers/onnx/onnx_operator.hpp"

namespace pimbb::layers {

/// One spatial axis.
struct WindowAxis {
  std::int64_t input = 1;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pad = 0;     ///< both ends together
  std::int64_t before = 0;  ///< that of the begin
  std::int64_t output = 1;
  /// Input elements that the kernel covers.
  [[nodiscard]] std::int64_t extent() const { return dilation * (kernel - 1) + 1; }
};

struct Window {
  std::vector<WindowAxis> axes;  ///< height and width, or the width alone
  std::string auto_pad = "NOTSET";
  /// Whether the padding follows from the size of the output.
  [[nodiscard]] bool same() const { return auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER"; }
};

/// The window of `op`, whose operands X and W have these shapes; `output` is not yet known, `pad`
/// and `before` are those of the attribute `pads`. Throws UnsupportedOperator for three axes.
Window read_window(const OnnxOperator& op, const Shape& x, const Shape& w);

/// The plane of X, without padding; in one dimension its height is 1.
Plane input_plane(const Window& window);

/// The attribute as a list of `size` integers of at least `least`; null if there is none.
const std::vector<std::int64_t>* integer_list(const OnnxOperator& op, std::string_view name,
                                              std::size_t size, std::int64_t least);

/// The attribute `group`, at least 1.
std::int64_t group_count(const OnnxOperator& op);

}  // namespace pimbb::layers

// Tile sizes of a layer, and the range in which all of its arithmetic is exact.
#include "pimbb/workload.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include "pimbb/error.hpp"

namespace pimbb {
namespace {

using boost::multiprecision::cpp_int;

void check_positive(const Workload& workload, std::string_view key, std::int64_t value) {
  if (value >= 1) return;
  throw InputError("layer '" + workload.name + "': " + std::string(key) + ": found " +
                   std::to_string(value) + ", allowed are integers >= 1");
}

void check_range(const Workload& workload, std::string_view what, const cpp_int& value) {
  if (value < (cpp_int(1) << 53)) return;
  throw InputError("layer '" + workload.name + "': " + std::string(what) + " = " + value.str() +
                   " is too large; allowed is less than 2^53 = 9007199254740992");
}

void check_frame(const Workload& workload, Tensor t, std::int64_t height, std::int64_t width,
                 std::int64_t planes) {
  const Frame frame = workload.frame(t);
  const auto inside = [](std::int64_t first, std::int64_t count, std::int64_t of) {
    return first >= 0 && of >= count && first <= of - count;
  };
  if (!inside(frame.top, height, frame.height) || !inside(frame.left, width, frame.width)) {
    throw InputError("layer '" + workload.name + "': frame of the " + std::string(name(t)) +
                     ": found " + std::to_string(frame.height) + " x " +
                     std::to_string(frame.width) + " with the tensor at row " +
                     std::to_string(frame.top) + ", column " + std::to_string(frame.left) +
                     ", needed is room for " + std::to_string(height) + " x " +
                     std::to_string(width));
  }
  check_range(workload, "elements of the frame of the " + std::string(name(t)),
              cpp_int(frame.height) * frame.width * planes);
}

}  // namespace

std::int64_t Workload::tile_elements(Tensor t, const Factors& c) const {
  const auto at = [&](Dim d) { return c[index(d)]; };
  switch (t) {
    case Tensor::input:
      return at(Dim::N) * at(Dim::G) * at(Dim::C) * extent_h(at(Dim::Q), at(Dim::S)) *
             extent_w(at(Dim::P), at(Dim::R));
    case Tensor::weight: return at(Dim::G) * at(Dim::K) * at(Dim::C) * at(Dim::S) * at(Dim::R);
    default: return at(Dim::N) * at(Dim::G) * at(Dim::K) * at(Dim::Q) * at(Dim::P);
  }
}

Frame Workload::frame(Tensor t) const {
  const bool input = t == Tensor::input;
  const std::optional<Frame>& given = input ? input_frame : output_frame;
  if (given) return *given;
  return input ? Frame{input_height(), input_width()} : Frame{bound(Dim::Q), bound(Dim::P)};
}

Workload with_bounds(const Workload& workload, const Factors& bounds) {
  Workload grown = workload;
  grown.bounds = bounds;
  grown.padding.reset();
  const auto grow = [&](std::optional<Frame>& frame, Tensor t) {
    if (!frame) return;
    const bool input = t == Tensor::input;
    frame->height += input ? grown.input_height() - workload.input_height()
                           : grown.bound(Dim::Q) - workload.bound(Dim::Q);
    frame->width += input ? grown.input_width() - workload.input_width()
                          : grown.bound(Dim::P) - workload.bound(Dim::P);
  };
  grow(grown.input_frame, Tensor::input);
  grow(grown.output_frame, Tensor::output);
  return grown;
}

void validate(const Workload& workload) {
  cpp_int macs = 1;
  for (const Dim d : kAllDims) {
    check_positive(workload, name(d), workload.bound(d));
    macs *= workload.bound(d);
  }
  check_positive(workload, "stride", workload.stride_w);
  check_positive(workload, "stride", workload.stride_h);
  check_positive(workload, "dilation", workload.dilation_w);
  check_positive(workload, "dilation", workload.dilation_h);
  if (workload.input_plane) {
    check_positive(workload, "input", workload.input_plane->width);
    check_positive(workload, "input", workload.input_plane->height);
  }
  if (workload.weight.sign() < 0) {
    throw InputError("layer '" + workload.name + "': weight: found " + workload.weight.to_string() +
                     ", allowed are numbers >= 0");
  }
  check_range(workload, "MACs", macs);
  // A window of p outputs and r taps is at most (stride + dilation) * p * r wide, so no count of
  // input elements moved exceeds this product.
  const cpp_int width = cpp_int(workload.stride_w) + workload.dilation_w;
  const cpp_int height = cpp_int(workload.stride_h) + workload.dilation_h;
  check_range(workload, "MACs * (stride + dilation) of both axes", macs * width * height);
  check_frame(workload, Tensor::input, workload.input_height(), workload.input_width(),
              workload.bound(Dim::N) * workload.bound(Dim::G) * workload.bound(Dim::C));
  check_frame(workload, Tensor::output, workload.bound(Dim::Q), workload.bound(Dim::P),
              workload.bound(Dim::N) * workload.bound(Dim::G) * workload.bound(Dim::K));
}

}  // namespace pimbb

// pimbb without the library of ONNX: the files are known, but cannot be read.
#include "layers/onnx/onnx.hpp"
#include "pimbb/error.hpp"

namespace pimbb::layers {

Graph parse_onnx_graph(std::string_view /*bytes*/, const std::string& label,
                       const NetworkOptions& /*options*/) {
  throw InputError(label +
                   ": found an ONNX model, but pimbb was built without ONNX; install libonnx-dev "
                   "and libprotobuf-dev and build it with -Donnx=enabled");
}

}  // namespace pimbb::layers

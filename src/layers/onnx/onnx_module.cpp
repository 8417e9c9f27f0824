// The only symbol of the module pimbb_onnx.so.
#include "layers/onnx/onnx_module.hpp"

#include "layers/onnx/onnx.hpp"

extern "C" {
[[gnu::visibility("default")]] extern const pimbb::layers::OnnxModule pimbb_onnx_module;
const pimbb::layers::OnnxModule pimbb_onnx_module{PIMBB_VERSION, pimbb::layers::kExchangedSizes,
                                                  &pimbb::layers::parse_onnx_graph};
}

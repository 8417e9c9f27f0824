// libFuzzer's entry: PIMBB_FUZZ names the target.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/targets.hpp"

namespace {
const fuzz::Target* chosen = nullptr;
}

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  const char* name = std::getenv("PIMBB_FUZZ");
  chosen = fuzz::find_target(name == nullptr ? "" : name);
  if (chosen == nullptr) {
    std::fprintf(stderr, "PIMBB_FUZZ: found '%s', allowed are the names in tests/fuzz/corpus\n",
                 name == nullptr ? "" : name);
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({reinterpret_cast<const char*>(data), size});
  return 0;
}

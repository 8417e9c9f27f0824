// Shapes and sizes, as in the literature's example of a small DRAM-PIM and in He et al. 2016.
#include "support/full_size.hpp"

#include <algorithm>

#include "support/cases.hpp"

namespace testkit {
namespace {

using namespace pimbb;
using namespace pimbb::dram_pim;

MemoryLevel level(const char* name, std::optional<std::int64_t> capacity, std::int64_t blocksize,
                  const char* access_cost) {
  MemoryLevel level;
  level.name = name;
  level.capacity = capacity;
  level.blocksize = blocksize;
  level.access_cost = Rational::parse(access_cost);
  return level;
}

/// A square convolution: kernel, output plane, channels in and out, stride.
Workload conv(const char* name, std::int64_t kernel, std::int64_t plane, std::int64_t in,
              std::int64_t out, std::int64_t stride) {
  Workload w;
  w.name = name;
  w.bounds = {kernel, kernel, plane, plane, in, out, 1, 1};
  w.stride_w = stride;
  w.stride_h = stride;
  return w;
}

}  // namespace

Architecture simple_pim() {
  Architecture a;
  a.name = "simple_pim";
  a.pe_array.height = 8;
  a.pe_array.width = 8;
  a.pe_array.mac_energy = Rational::parse("0.00056");
  a.levels = {level("PELocalBuffer", 16, 4, "0.001"), level("GlobalBuffer", 128, 4, "0.01"),
              level("RowBuffer", 1024, 16, "0.01"), level("LocalDRAM", {}, 1024, "0.1")};
  a.levels[0].instances = 64;
  a.levels[1].read_bandwidth = 32;
  a.levels[1].write_bandwidth = 32;
  a.levels[1].num_read_ports = 8;
  a.levels[2].row_buffer_size = 1024;
  a.levels[2].read_bandwidth = 16;
  a.levels[2].write_bandwidth = 16;
  a.levels[3].latency = 25;
  a.levels[3].row_buffer_size = 1024;
  return a;
}

Architecture free_bypass_pim() {
  Architecture a = simple_pim();
  a.levels.insert(a.levels.begin() + 2, a.levels[1]);
  a.levels[2].name = "SecondBuffer";
  for (std::size_t m = 0; m < a.row_buffer(); ++m) a.levels[m].bypass_free = true;
  return a;
}

std::vector<Workload> resnet18_layers() {
  return {conv("conv1", 7, 112, 3, 64, 2),        conv("conv2_x", 3, 56, 64, 64, 1),
          conv("conv3_1", 3, 28, 64, 128, 2),     conv("conv3_down", 1, 28, 64, 128, 2),
          conv("conv3_x", 3, 28, 128, 128, 1),    conv("conv4_1", 3, 14, 128, 256, 2),
          conv("conv4_down", 1, 14, 128, 256, 2), conv("conv4_x", 3, 14, 256, 256, 1),
          conv("conv5_1", 3, 7, 256, 512, 2),     conv("conv5_down", 1, 7, 256, 512, 2),
          conv("conv5_x", 3, 7, 512, 512, 1),     conv("fc", 1, 1, 512, 1000, 1)};
}

Workload resnet18_layer(std::size_t k) {
  Workload layer = resnet18_layers()[k];
  if (cases(100) == 100) return layer;
  for (const Dim j : {Dim::P, Dim::Q, Dim::C, Dim::K}) {
    layer.bounds[index(j)] = std::max<std::int64_t>(1, layer.bound(j) / 4);
  }
  return layer;
}

}  // namespace testkit

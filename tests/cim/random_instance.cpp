// Chains with and without an output buffer, sometimes a second level that tensors share.
#include "cim/random_instance.hpp"

namespace naive {

using namespace pimbb;
using namespace pimbb::cim;

namespace {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  std::int64_t number(std::int64_t from, std::int64_t to) {
    return from + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(to - from + 1));
  }
  bool one_in(std::int64_t n) { return number(1, n) == 1; }
  Rational energy() { return {number(1, 900), number(1, 4) == 1 ? 100000 : 10000}; }

  Level level(const char* name, TensorFlags stores, std::int64_t most_bits) {
    Level level;
    level.name = name;
    level.size_bits = number(1, most_bits / 8) * 8;
    level.bandwidth = number(1, 6) * 8;
    level.read_energy = energy();
    level.write_energy = energy();
    level.stores = stores;
    return level;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace

Instance random_instance(std::uint64_t seed, std::int64_t products) {
  Draw draw(seed);
  Instance instance;
  Architecture& a = instance.architecture;
  a.name = "random";
  a.macro = {draw.number(1, 4), draw.energy()};
  a.leakage = draw.energy();
  if (draw.one_in(3)) a.bits.psum = 32;
  a.levels.push_back(draw.level("Macro", {false, true, false}, 32));
  a.levels.push_back(draw.level("InputRegister", {true, false, false}, 16));
  a.levels.push_back(draw.level("OutputRegister", {false, false, true}, 32));
  a.levels[1].always_charged = draw.one_in(2);
  a.levels[2].always_charged = draw.one_in(2);
  if (draw.one_in(4)) a.levels[0].double_buffer = true;
  if (draw.one_in(2)) a.levels.push_back(draw.level("InputBuffer", {true, false, false}, 256));
  if (draw.one_in(3)) a.levels.push_back(draw.level("Shared", {true, false, true}, 256));
  a.levels.push_back(draw.level("GlobalBuffer", {true, true, true}, 1024));
  a.levels.push_back(draw.level("DRAM", {true, true, true}, 64));
  a.levels.back().size_bits.reset();
  const std::size_t global = a.levels.size() - 2;
  a.axes.resize(3);
  a.axes[0] = {"cores", draw.number(1, 3), {}, {global, global, global}};
  a.axes[1] = {"rows", draw.number(1, 3), {}, {global, global, 2}};
  a.axes[2] = {"columns", draw.number(1, 2), {}, {1, global, global}};
  for (const Dim d : {Dim::P, Dim::Q, Dim::K, Dim::G, Dim::N}) a.axes[0].dims[index(d)] = true;
  for (const Dim d : {Dim::R, Dim::S, Dim::C}) a.axes[1].dims[index(d)] = true;
  a.axes[2].dims[index(Dim::K)] = true;

  Workload& w = instance.layer;
  std::int64_t left = products;
  for (int k = 0; k < 6; ++k) {
    const std::size_t d = static_cast<std::size_t>(draw.number(0, kDims - 1));
    const std::int64_t f = draw.number(2, 3);
    if (left / f < 1) continue;
    w.bounds[d] *= f;
    left /= f;
  }
  w.stride_w = draw.number(1, 3);
  w.stride_h = draw.one_in(2) ? w.stride_w : draw.number(1, 3);
  w.dilation_w = draw.one_in(3) ? 2 : 1;
  if (draw.one_in(3)) w.input_plane = Plane{draw.number(1, 6), draw.number(1, 6)};
  return instance;
}

}  // namespace naive

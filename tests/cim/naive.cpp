// Definitions, word by word.
#include "cim/naive.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

namespace naive {

using namespace pimbb;
using namespace pimbb::cim;

namespace {

using Int = std::int64_t;

/// Positions of one direction that p outputs and r taps touch.
Int touched(Int p, Int r, Int stride, Int dilation, Int plane) {
  std::set<Int> positions;
  for (Int i = 0; i < p; ++i) {
    for (Int j = 0; j < r; ++j) positions.insert(i * stride + j * dilation);
  }
  return std::min<Int>(static_cast<Int>(positions.size()), plane);
}

Int volume(const Workload& w, Tensor t, const Factors& x) {
  const auto at = [&](Dim d) { return x[index(d)]; };
  if (t == Tensor::input) {
    const Int width = w.input_plane ? w.input_plane->width : Int{1} << 60;
    const Int height = w.input_plane ? w.input_plane->height : Int{1} << 60;
    return touched(at(Dim::P), at(Dim::R), w.stride_w, w.dilation_w, width) *
           touched(at(Dim::Q), at(Dim::S), w.stride_h, w.dilation_h, height) * at(Dim::C) *
           at(Dim::N) * at(Dim::G);
  }
  if (t == Tensor::weight) {
    return at(Dim::R) * at(Dim::S) * at(Dim::C) * at(Dim::K) * at(Dim::G);
  }
  return at(Dim::P) * at(Dim::Q) * at(Dim::K) * at(Dim::N) * at(Dim::G);
}

struct View {
  const Architecture& a;
  const Workload& w;
  const Mapping& m;

  [[nodiscard]] std::size_t n() const { return m.loops.size(); }
  [[nodiscard]] std::size_t level(std::size_t i, Tensor t) const {
    return m.loops[i].level[index(t)];
  }
  [[nodiscard]] bool used(std::size_t level_, Tensor t) const {
    for (std::size_t i = 0; i < n(); ++i) {
      if (level(i, t) == level_) return true;
    }
    return false;
  }
  /// Extents of loops whose level is inside `level_`, or at it too; with the axes at `level_`.
  [[nodiscard]] Int extent(std::size_t level_, Tensor t, bool with_own) const {
    Factors x = kOnes;
    for (std::size_t u = 0; u < a.axes.size(); ++u) {
      if (level_ >= a.axes[u].fan_out[index(t)]) x = times(x, m.spatial[u]);
    }
    for (const Loop& loop : m.loops) {
      const std::size_t at = loop.level[index(t)];
      if (at < level_ || (with_own && at == level_)) x[index(loop.dim)] *= loop.factor;
    }
    return volume(w, t, x);
  }
  [[nodiscard]] Int data(std::size_t l, Tensor t) const { return extent(l, t, true); }
  [[nodiscard]] Int tile(std::size_t l, Tensor t) const { return extent(l, t, false); }
  [[nodiscard]] Int instances(std::size_t l, Tensor t) const {
    Int product = 1;
    for (std::size_t u = 0; u < a.axes.size(); ++u) {
      if (a.axes[u].fan_out[index(t)] <= l) continue;
      for (const Int f : m.spatial[u]) product *= f;
    }
    return product;
  }
  [[nodiscard]] Int bits(std::size_t l, Tensor t) const {
    if (t == Tensor::output) {
      for (std::size_t i = 0; i < n(); ++i) {
        if (is_reduction(m.loops[i].dim) && level(i, t) >= l) return a.bits.psum;
      }
    }
    return a.bits.tensor[index(t)];
  }
  /// The used level next inside, or -1 for the MAC array.
  [[nodiscard]] int next(std::size_t l, Tensor t) const {
    for (int x = static_cast<int>(l) - 1; x >= 0; --x) {
      if (used(static_cast<std::size_t>(x), t)) return x;
    }
    return -1;
  }
  [[nodiscard]] std::size_t innermost(Tensor t) const {
    std::size_t l = 0;
    while (!a.levels[l].stores[index(t)]) ++l;
    return l;
  }
  [[nodiscard]] bool doubled(std::size_t i, Tensor t) const {
    const int x = next(level(i, t), t);
    return x >= 0 && m.doubled[static_cast<std::size_t>(x)][index(t)];
  }
  /// The loop that the transfer of loop i's block sits on; the block must have one.
  [[nodiscard]] std::size_t seat(std::size_t i, Tensor t) const {
    std::size_t begin = i;
    std::size_t end = i;
    while (begin > 0 && level(begin - 1, t) == level(i, t)) --begin;
    while (end + 1 < n() && level(end + 1, t) == level(i, t)) ++end;
    for (std::size_t k = end + 1; k-- > begin;) {
      if (relevant(t, m.loops[k].dim)) return k;
    }
    return begin;
  }
  [[nodiscard]] bool has_transfer(std::size_t i, Tensor t) const {
    if (t == Tensor::weight && level(i, t) == innermost(t)) return false;
    return seat(i, t) == i;
  }
  [[nodiscard]] Rational time(std::size_t i, Tensor t, int semantics) const {
    if (!has_transfer(i, t)) return 0;
    const std::size_t l = level(i, t);
    const Int amount = tile(l, t) * bits(l, t);
    const Int bandwidth = a.levels[l].bandwidth;
    const Rational raw(amount, bandwidth);
    const Int b = next(l, t) < 0 && l != innermost(t) ? 1 : 0;
    if (semantics == 0) return max(Rational(1), raw) + Rational(b);
    if (semantics == 1) return raw;
    return Rational((amount + bandwidth - 1) / bandwidth + b);
  }
  [[nodiscard]] Int fires(std::size_t i) const {
    Int product = 1;
    for (std::size_t k = 0; k <= i; ++k) product *= m.loops[k].factor;
    return product;
  }
  [[nodiscard]] Int products() const { return n() == 0 ? 1 : fires(n() - 1); }
  [[nodiscard]] bool boots(Tensor t) const { return n() == 0 || level(0, t) != a.dram(); }
  [[nodiscard]] Rational boot(Tensor t) const {
    if (!boots(t)) return 0;
    return {volume(w, t, w.bounds) * a.bits.tensor[index(t)], a.levels[a.dram()].bandwidth};
  }
};

Rational ways(Tensor t) { return t == Tensor::output ? 2 : 1; }
Rational over(Int x) { return x > 0 ? x : 0; }

struct Passes {
  std::vector<PerTensor<Rational>> p;
  PerTensor<Rational> s{};
  std::vector<Rational> critical;
};

Passes passes(const View& v) {
  const Rational t_mvm = v.a.product_cycles();
  Passes all;
  auto& p = all.p;
  p.assign(v.n() + 1, {t_mvm, t_mvm, t_mvm});
  all.critical.resize(v.n());
  for (std::size_t i = v.n(); i-- > 0;) {
    Rational body = 0;
    for (const Tensor t : kAllTensors) {
      Rational x = p[i + 1][index(t)];
      if (t != Tensor::output && i + 1 < v.n() && v.doubled(i + 1, t)) x -= v.time(i + 1, t, 0);
      body = max(body, x);
    }
    Rational critical = body;
    for (const Tensor t : kAllTensors) {
      const Rational move = ways(t) * v.time(i, t, 0);
      critical = max(critical, move);
      if (!v.doubled(i, t)) critical = max(critical, move + body);
    }
    for (const Tensor t : kAllTensors) {
      const Rational move = v.time(i, t, 0);
      p[i][index(t)] =
          ways(t) * move + p[i + 1][index(t)] + Rational(v.m.loops[i].factor - 1) * critical;
      all.s[index(t)] += move;
    }
    all.critical[i] = critical;
  }
  return all;
}

Rational latency_of(const View& v, const PerTensor<Rational>& p, const PerTensor<Rational>& s) {
  Rational begin = 0;
  Rational end = 0;
  for (const Tensor t : kAllTensors) {
    begin = max(begin, v.boot(t) + s[index(t)]);
    Rational x = p[index(t)] - s[index(t)];
    if (t == Tensor::output) x += v.boot(t);
    end = max(end, x);
  }
  return begin + end;
}

Rational recursion_with_cuts(const View& v) {
  const Passes all = passes(v);
  PerTensor<Rational> p = all.p[0];
  Rational least = 0;
  for (const Tensor t : kAllTensors) {
    std::vector<Int> smallest;
    for (const Loop& loop : v.m.loops) smallest.push_back(loop.factor);
    std::ranges::sort(smallest);
    Rational floor = Rational(v.a.product_cycles()) * Rational(v.products());
    for (std::size_t i = 0; i < v.n(); ++i) {
      Rational times = ways(t) * v.time(i, t, 0);
      for (std::size_t k = 0; k < i; ++k) times *= Rational(smallest[k]);
      floor += times;
    }
    p[index(t)] = max(p[index(t)], floor);
    const Level& dram = v.a.levels[v.a.dram()];
    least = max(least, ways(t) * Rational(volume(v.w, t, v.w.bounds) * v.bits(v.a.dram(), t),
                                          dram.bandwidth));
  }
  return max(least, latency_of(v, p, all.s));
}

std::vector<LoopIteration> iterations(const View& v) {
  const Passes all = passes(v);
  std::vector<LoopIteration> loops(v.n());
  for (std::size_t i = 0; i < v.n(); ++i) {
    loops[i].inside = all.p[i + 1];
    loops[i].cycles = all.critical[i];
    for (const Tensor t : kAllTensors) {
      loops[i].move[index(t)] = ways(t) * v.time(i, t, 0);
      loops[i].hidden[index(t)] = v.doubled(i, t);
    }
  }
  return loops;
}

Rational table3(const View& v) {
  const Rational t_mvm = v.a.product_cycles();
  PerTensor<Rational> p{t_mvm, t_mvm, t_mvm};
  Rational whole = t_mvm;
  for (std::size_t i = v.n(); i-- > 0;) {
    const Int f = v.m.loops[i].factor;
    Rational l = whole;
    for (const Tensor t : kAllTensors) {
      const Rational move = v.time(i, t, 1);
      const Rational& inside = p[index(t)];
      l = max(l, v.doubled(i, t) ? max(move, inside) : move + inside);
    }
    for (const Tensor t : kAllTensors) {
      const Rational move = v.time(i, t, 1);
      const Rational inside = p[index(t)];
      const bool d = v.doubled(i, t);
      Rational& out = p[index(t)];
      if (!v.has_transfer(i, t)) {
        out = l * Rational(f - 1) + inside;
      } else if (t != Tensor::output && !d) {
        out = l * over(f - 2) + move + move + inside;
      } else if (t != Tensor::output) {
        out = max(l * over(f - 3) + move + move + max(move, inside), move * Rational(f));
      } else if (!d) {
        out = l * Rational(f - 1) + move + move + inside;
      } else {
        out = l * over(f - 2) + move + max(move, l) + max(move, inside);
      }
    }
    whole = l * Rational(f);
  }
  Rational latency = 0;
  for (const Tensor t : kAllTensors) latency = max(latency, p[index(t)] + ways(t) * v.boot(t));
  return latency;
}

/// Timers, stepped through every iteration. Level -1, the MAC array, is the last.
class Stepper {
 public:
  explicit Stepper(const View& v) : v_(v), time_(v.a.levels.size() + 1) {}

  Rational run() {
    const std::size_t dram = v_.a.dram();
    if (v_.n() == 0) {
      for (const Tensor t : kAllTensors) {
        const Int amount = v_.tile(dram, t) * v_.bits(dram, t);
        const Int bandwidth = v_.a.levels[dram].bandwidth;
        bring(dram, -1, t, Rational((amount + bandwidth - 1) / bandwidth + 1), false);
      }
      multiply();
      const Tensor o = Tensor::output;
      const Int amount = v_.tile(dram, o) * v_.bits(dram, o);
      const Int bandwidth = v_.a.levels[dram].bandwidth;
      at(-1, o) = max(at(dram, o), at(-1, o)) + Rational((amount + bandwidth - 1) / bandwidth + 1);
      at(dram, o) = at(-1, o);
    } else {
      for (const Tensor t : kAllTensors) boot(t);
      loop(0);
      boot(Tensor::output);
    }
    Rational latest = 0;
    for (std::size_t l = 0; l <= dram; ++l) {
      for (const Tensor t : kAllTensors) latest = max(latest, at(static_cast<int>(l), t));
    }
    return latest;
  }

 private:
  Rational& at(std::size_t l, Tensor t) { return time_[l][index(t)]; }
  Rational& at(int l, Tensor t) {
    return time_[l < 0 ? time_.size() - 1 : static_cast<std::size_t>(l)][index(t)];
  }
  void boot(Tensor t) {
    if (!v_.boots(t)) return;
    at(v_.a.dram(), t) += v_.boot(t);
    at(v_.level(0, t), t) += v_.boot(t);
  }
  void bring(std::size_t cur, int nxt, Tensor t, const Rational& move, bool doubled) {
    if (doubled) {
      at(cur, t) += move;
      at(nxt, t) = max(at(nxt, t), at(cur, t));
    } else {
      at(cur, t) = max(at(cur, t), at(nxt, t)) + move;
      at(nxt, t) = at(cur, t);
    }
  }
  void loop(std::size_t i) {
    if (i == v_.n()) return multiply();
    const Tensor o = Tensor::output;
    const std::size_t cur = v_.level(i, o);
    const int nxt = v_.next(cur, o);
    const Rational move = v_.time(i, o, 2);
    const bool doubled = v_.doubled(i, o);
    const auto behind = [&] { at(cur, o) = max(at(cur, o), at(nxt, o)) + move; };
    for (Int k = 0; k < v_.m.loops[i].factor; ++k) {
      for (const Tensor t : kAllTensors) {
        bring(v_.level(i, t), v_.next(v_.level(i, t), t), t, v_.time(i, t, 2), v_.doubled(i, t));
      }
      if (k > 0 && move.sign() > 0 && doubled) behind();
      loop(i + 1);
      if (!doubled) {
        at(nxt, o) = max(at(cur, o), at(nxt, o)) + move;
        at(cur, o) = at(nxt, o);
      }
    }
    if (move.sign() > 0 && doubled) behind();
  }
  void multiply() {
    Rational end = 0;
    for (const Tensor t : kAllTensors) end = max(end, at(-1, t));
    end += Rational(v_.a.product_cycles());
    for (const Tensor t : kAllTensors) {
      at(-1, t) = end;
      const std::size_t u = v_.n() == 0 ? v_.a.dram() : v_.level(v_.n() - 1, t);
      if (!v_.m.doubled[u][index(t)]) at(u, t) = end;
    }
  }

  const View& v_;
  std::vector<PerTensor<Rational>> time_;
};

Rational dynamic_energy(const View& v) {
  Rational sum = 0;
  const auto rho = [&](std::size_t l, Tensor t) {
    return l == v.innermost(t) ? Rational(0) : v.a.levels[l].read_energy;
  };
  const auto omega = [&](std::size_t l) { return v.a.levels[l].write_energy; };
  for (const Tensor t : kAllTensors) {
    const Rational o = t == Tensor::output ? 1 : 0;
    const auto amount = [&](Int elements, std::size_t l) {
      return Rational(elements) * Rational(v.bits(l, t)) * Rational(v.instances(l, t));
    };
    for (std::size_t i = 0; i < v.n(); ++i) {
      if (!v.has_transfer(i, t)) continue;
      const std::size_t l = v.level(i, t);
      Rational each = amount(v.tile(l, t), l) * (rho(l, t) + o * omega(l));
      const int next = v.next(l, t);
      if (next >= 0) {
        const auto x = static_cast<std::size_t>(next);
        each += amount(v.data(x, t), x) * (omega(x) + o * rho(x, t));
      }
      sum += Rational(v.fires(i)) * each;
    }
    const std::size_t z = v.innermost(t);
    if (v.a.levels[z].always_charged && !v.used(z, t)) {
      sum += Rational(v.products()) * amount(v.data(z, t), z) * omega(z) * (Rational(1) + o);
    }
    if (v.boots(t)) {
      const std::size_t dram = v.a.dram();
      sum += Rational(volume(v.w, t, v.w.bounds)) * Rational(v.a.bits.tensor[index(t)]) *
             (rho(dram, t) + o * omega(dram));
      if (v.n() > 0) {
        const std::size_t l = v.level(0, t);
        sum += amount(v.data(l, t), l) * (omega(l) + o * rho(l, t));
      }
    }
  }
  Int cores = 1;
  for (const Int f : v.m.spatial[0]) cores *= f;
  return sum + v.a.macro.activation_energy * Rational(v.products()) * Rational(cores);
}

bool fits(const View& v) {
  for (std::size_t l = 0; l < v.a.levels.size(); ++l) {
    if (!v.a.levels[l].size_bits) continue;
    Int needed = 0;
    for (const Tensor t : kAllTensors) {
      if (!v.used(l, t)) continue;
      needed += (v.m.doubled[l][index(t)] ? 2 : 1) * v.data(l, t) * v.bits(l, t);
    }
    if (needed > *v.a.levels[l].size_bits) return false;
  }
  return true;
}

class Exhaustion {
 public:
  Exhaustion(const Architecture& a, const Workload& w,
             const std::function<void(const Mapping&)>& visit, bool grow)
      : a_(a), given_(w), w_(w), visit_(visit), grow_(grow) {
    m_.spatial.assign(a.axes.size(), kOnes);
    m_.doubled.assign(a.levels.size(), TensorFlags{});
  }
  void run() { spatial(0, 0); }

 private:
  void spatial(std::size_t u, std::size_t d) {
    if (u == a_.axes.size()) {
      w_ = grow_ ? grown(given_, m_) : given_;
      Factors left = w_.bounds;
      for (const Factors& f : m_.spatial) {
        for (std::size_t j = 0; j < kDims; ++j) left[j] /= f[j];
      }
      return loops(left);
    }
    if (d == kDims) return spatial(u + 1, 0);
    for (Int f = 1; f <= (a_.axes[u].dims[d] ? given_.bounds[d] : 1); ++f) {
      m_.spatial[u][d] = f;
      Int lanes = 1;
      for (const Int g : m_.spatial[u]) lanes *= g;
      Int all = 1;
      for (const Factors& g : m_.spatial) all *= g[d];
      const bool divides = grow_ ? all <= given_.bounds[d] : given_.bounds[d] % all == 0;
      if (lanes <= a_.axes[u].size && divides) spatial(u, d + 1);
    }
    m_.spatial[u][d] = 1;
  }

  /// Appends loops inwards; every level of every tensor that is not outside the last one.
  void loops(const Factors& left) {
    if (left == kOnes) return flags(0);
    for (const Dim d : kAllDims) {
      for (Int f = 2; f <= left[index(d)]; ++f) {
        if (left[index(d)] % f != 0) continue;
        Factors rest = left;
        rest[index(d)] /= f;
        for_each_levels(d, [&](const PerTensor<std::uint8_t>& levels) {
          m_.loops.push_back({d, f, levels});
          loops(rest);
          m_.loops.pop_back();
        });
      }
    }
  }

  template <class Visit>
  void for_each_levels(Dim d, const Visit& visit) const {
    PerTensor<std::vector<std::uint8_t>> allowed;
    for (const Tensor t : kAllTensors) {
      const std::size_t most = m_.loops.empty() ? a_.dram() : m_.loops.back().level[index(t)];
      bool first = true;
      for (std::size_t l = 0; l <= most; ++l) {
        if (!a_.levels[l].stores[index(t)]) continue;
        if (!(first && d == Dim::G)) allowed[index(t)].push_back(static_cast<std::uint8_t>(l));
        first = false;
      }
    }
    for (const std::uint8_t i : allowed[0]) {
      for (const std::uint8_t w : allowed[1]) {
        for (const std::uint8_t o : allowed[2]) visit({i, w, o});
      }
    }
  }

  void flags(std::size_t k) {
    if (k == a_.levels.size() * kTensors) {
      if (fits({a_, w_, m_})) visit_(m_);
      return;
    }
    const std::size_t l = k / kTensors;
    const std::size_t t = k % kTensors;
    flags(k + 1);
    const Level& level = a_.levels[l];
    if (!level.stores[t] || !View{a_, w_, m_}.used(l, static_cast<Tensor>(t))) return;
    bool inner = true;
    for (std::size_t x = 0; x < l; ++x) inner = inner && !a_.levels[x].stores[t];
    if (!level.double_buffer.value_or(l + 1 != a_.levels.size() && !inner)) return;
    m_.doubled[l][t] = true;
    flags(k + 1);
    m_.doubled[l][t] = false;
  }

  const Architecture& a_;
  const Workload& given_;
  Workload w_;
  const std::function<void(const Mapping&)>& visit_;
  bool grow_;
  Mapping m_;
};

}  // namespace

std::string broken(const Architecture& a, const Workload& layer, const Mapping& m) {
  return fits({a, layer, m}) ? "" : "capacity";
}

Cost cost(const Architecture& a, const Workload& layer, const Mapping& m) {
  const View v{a, layer, m};
  Cost cost;
  const Passes loops = passes(v);
  cost.latency[0] = latency_of(v, loops.p[0], loops.s);
  cost.with_cuts = recursion_with_cuts(v);
  cost.loops = iterations(v);
  cost.latency[1] = table3(v);
  cost.latency[2] = Stepper(v).run();
  cost.dynamic = dynamic_energy(v);
  for (int semantics = 0; semantics < 3; ++semantics) {
    for (std::size_t l = 0; l < a.levels.size(); ++l) {
      Rational all = 0;
      for (const Tensor t : kAllTensors) {
        Rational busy = l == a.dram() ? v.boot(t) : Rational(0);
        for (std::size_t i = 0; i < v.n(); ++i) {
          if (v.level(i, t) == l) busy += Rational(v.fires(i)) * v.time(i, t, semantics);
        }
        busy *= ways(t);
        cost.ports[semantics] = max(cost.ports[semantics], busy);
        all += busy;
      }
      cost.bus[semantics] = max(cost.bus[semantics], all);
    }
  }
  return cost;
}

void for_each_mapping(const Architecture& a, const Workload& layer,
                      const std::function<void(const Mapping&)>& visit, bool grow) {
  Exhaustion(a, layer, visit, grow).run();
}

Workload grown(const Workload& layer, const Mapping& m) {
  Workload w = layer;
  for (std::size_t d = 0; d < kDims; ++d) {
    Int all = 1;
    for (const Factors& factors : m.spatial) all *= factors[d];
    while (w.bounds[d] % all != 0) ++w.bounds[d];
  }
  return w;
}

}  // namespace naive

// Products of spatial factors and their costs.
#include "dram_pim/milp/array.hpp"

#include <algorithm>

#include "nest/lattice.hpp"

namespace pimbb::dram_pim::milp {
namespace {

class Array {
 public:
  Array(Problem& problem, const Tiling& tiling, const Routes& routes, Costs& costs)
      : problem_(problem), tiling_(tiling), routes_(routes), costs_(costs) {}

  void charge() {
    const Choice pes = product(problem_.program, "pes", {along(Direction::H), along(Direction::W)});
    PerTensor<Choice> inside;
    for (const Tensor t : kAllTensors) inside[index(t)] = internal_part(t);
    charge_compute(pes, inside);
    for (const Tensor t : kAllTensors) {
      const Choice multicast = spatial_part(t);
      for (const Hop& hop : routes_.into(kPes, t)) {
        if (hop.outer == 0) {
          charge_level_0(hop, t, pes, inside[index(t)]);
        } else {
          const bool as_box = t == Tensor::input && static_cast<std::size_t>(hop.outer) ==
                                                        problem_.architecture.row_buffer();
          charge_feed(hop, t, as_box ? box_reads() : reads_of(t, multicast));
        }
      }
    }
  }

 private:
  [[nodiscard]] Admits within(std::int64_t extent) const {
    return [extent](const Key& key) { return key[0] <= extent; };
  }

  /// Key {product of all factors on H or on W}.
  Choice along(Direction d) {
    std::vector<Choice> parts;
    for (const auto& unrolled : tiling_.unrolled) parts.push_back(unrolled[index(d)]);
    return product(problem_.program, label("array", d), parts,
                   within(problem_.architecture.pe_array.extent(d)));
  }

  /// Key {product of the internal factors of the dimensions irrelevant to t}.
  Choice internal_part(Tensor t) {
    std::vector<Choice> parts;
    for (const Dim j : kAllDims) {
      if (!relevant(t, j)) {
        parts.push_back(tiling_.unrolled[index(j)][index(Direction::internal)]);
      }
    }
    return product(problem_.program, label("internal", t), parts,
                   within(problem_.architecture.pe_array.num_macs));
  }

  /// Key {product of all spatial factors of the dimensions irrelevant to t}.
  Choice spatial_part(Tensor t) {
    std::vector<Choice> parts;
    for (const Dim j : kAllDims) {
      if (!relevant(t, j)) parts.push_back(tiling_.spatial[index(j)]);
    }
    return product(problem_.program, label("multicast", t), parts);
  }

  /// Temporal iterations, and the reduction latency if a reduction dimension is internal.
  void charge_compute(const Choice& pes, const PerTensor<Choice>& inside) {
    const auto first = [](const Key& key) { return Key{key[0], 1}; };
    const auto both = [](const Key& key) { return Key{key[0], key[0] > 1 ? 2 : 1}; };
    const Choice& groups = tiling_.unrolled[index(Dim::G)][index(Direction::internal)];
    const Choice internal =
        product(problem_.program, "internal",
                {rekeyed(groups, first), rekeyed(inside[index(Tensor::input)], first),
                 rekeyed(inside[index(Tensor::weight)], first),
                 rekeyed(inside[index(Tensor::output)], both)},
                within(problem_.architecture.pe_array.num_macs));
    const Choice macs = product(problem_.program, "macs", {rekeyed(pes, first), internal});
    costs_.compute = expectation(macs, [&](const Key& key) {
      const Int128 reduction = key[1] > 1 ? problem_.scale.reduction : 0;
      return problem_.workload.macs() / key[0] * problem_.scale.cycle + reduction;
    });
  }

  void charge_level_0(const Hop& hop, Tensor t, const Choice& pes, const Choice& inside) {
    // Key {PEs, internal part of t}.
    const Choice fed = joint(problem_.program, label("feed_0", t),
                             rekeyed(pes,
                                     [](const Key& key) {
                                       return Key{key[0], 1};
                                     }),
                             rekeyed(inside,
                                     [](const Key& key) {
                                       return Key{1, key[0]};
                                     }),
                             hop.taken);
    const auto reads = [&](const Key& key) {
      return static_cast<Int128>(problem_.reads.reads(t, problem_.workload.macs() / key[1]));
    };
    add(costs_.cycles[0][index(t)], expectation(fed, [&](const Key& key) {
          return reads(key) * problem_.scale.transfer[0][index(t)] / key[0];
        }));
    add(costs_.energy, expectation(fed, reads), problem_.scale.access[0]);
  }

  /// Key {elements of t that the PEs are fed with}, from any level but the row buffer.
  Choice reads_of(Tensor t, const Choice& multicast) {
    return rekeyed(multicast, [&](const Key& key) {
      return Key{problem_.reads.reads(t, problem_.workload.macs() / key[0])};
    });
  }

  /// The same of the input from the row buffer, which moves the box that the PEs cover.
  Choice box_reads() {
    std::vector<Choice> parts;
    for (const Dim j : kAllDims) {
      parts.push_back(rekeyed(tiling_.spatial[index(j)], [j](const Key& key) {
        Key factors(kDims, 1);
        factors[index(j)] = key[0];
        return factors;
      }));
    }
    const Choice unrolled = product(problem_.program, "box", parts);
    return rekeyed(unrolled, [&](const Key& key) {
      Factors spatial;
      std::copy(key.begin(), key.end(), spatial.begin());
      const std::int64_t all = nest::product_over(spatial, nest::kEveryDim);
      return Key{problem_.workload.macs() / all *
                 problem_.workload.tile_elements(Tensor::input, spatial)};
    });
  }

  void charge_feed(const Hop& hop, Tensor t, const Choice& reads) {
    const std::string subject = label("feed", hop.outer, t);
    costs_.hand_over(problem_, hop, t, split(problem_.program, subject, reads, {hop.taken})[0]);
  }

  Problem& problem_;
  const Tiling& tiling_;
  const Routes& routes_;
  Costs& costs_;
};

}  // namespace

void charge_array(Problem& problem, const Tiling& tiling, const Routes& routes, Costs& costs) {
  Array(problem, tiling, routes, costs).charge();
}

}  // namespace pimbb::dram_pim::milp

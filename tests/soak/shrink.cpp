// Edits, from the most drastic one to the smallest; one that does not apply changes nothing.
#include "soak/shrink.hpp"

#include <utility>
#include <vector>

namespace soak {
namespace {

using namespace pimbb;
using namespace pimbb::dram_pim;

using Edits = EditsOf<Problem>;

void add_options(Edits& edits) {
  edits.emplace_back([](Problem& p) { p.method = Method::exact; });
  edits.emplace_back([](Problem& p) { p.threads = 1; });
  edits.emplace_back([](Problem& p) { p.node_limit.reset(); });
  edits.emplace_back([](Problem& p) { p.rules = {}; });
  for (std::size_t k = 0; k < kRules; ++k) {
    edits.emplace_back([k](Problem& p) { p.rules.set(static_cast<Rule>(k), true); });
  }
}

void add_question(Edits& edits) {
  for (std::size_t g = 0; g < kGoalNames.size(); ++g) {
    edits.emplace_back([g](Problem& p) {
      std::vector<Goal>& goals = p.instance.objective.goals;
      if (g < goals.size()) goals.erase(goals.begin() + static_cast<std::ptrdiff_t>(g));
    });
  }
  edits.emplace_back([](Problem& p) { p.instance.objective.goals.resize(1); });
  edits.emplace_back([](Problem& p) { p.instance.objective.goals = {Goal::latency}; });
  edits.emplace_back([](Problem& p) { p.instance.objective.alpha = 1; });
  edits.emplace_back([](Problem& p) { p.instance.objective.beta = 1; });
  edits.emplace_back([](Problem& p) { p.instance.row_model = RowModel::analytic; });
}

void add_bounds(Edits& edits) {
  for (const Dim j : kAllDims) {
    const auto bound = [j](Problem& p) -> std::int64_t& {
      return p.instance.workload.bounds[index(j)];
    };
    edits.emplace_back([bound](Problem& p) { bound(p) = 1; });
    for (const std::int64_t prime : {5, 3, 2}) {
      edits.emplace_back([bound, prime](Problem& p) {
        if (bound(p) % prime == 0) bound(p) /= prime;
      });
    }
    edits.emplace_back([bound](Problem& p) {
      if (bound(p) > 1) --bound(p);
    });
  }
}

void add_strides(Edits& edits) {
  for (const auto field :
       {&Workload::stride_w, &Workload::stride_h, &Workload::dilation_w, &Workload::dilation_h}) {
    edits.emplace_back([field](Problem& p) { p.instance.workload.*field = 1; });
  }
}

/// Sets one field of something to what it is by default.
template <class Whole, class Field>
void add_default(Edits& edits, const std::function<Whole*(Problem&)>& whole, Field Whole::*field) {
  edits.emplace_back([whole, field](Problem& p) {
    if (Whole* const one = whole(p)) one->*field = Whole{}.*field;
  });
}

void add_levels(Edits& edits, std::size_t levels) {
  for (std::size_t m = 0; m < levels; ++m) {
    edits.emplace_back([m](Problem& p) {
      std::vector<MemoryLevel>& all = p.instance.architecture.levels;
      if (m < all.size()) all.erase(all.begin() + static_cast<std::ptrdiff_t>(m));
    });
  }
  for (std::size_t m = 0; m < levels; ++m) {
    const std::function<MemoryLevel*(Problem&)> level = [m](Problem& p) {
      std::vector<MemoryLevel>& all = p.instance.architecture.levels;
      return m < all.size() ? &all[m] : nullptr;
    };
    add_default(edits, level, &MemoryLevel::capacity);
    add_default(edits, level, &MemoryLevel::blocksize);
    add_default(edits, level, &MemoryLevel::latency);
    add_default(edits, level, &MemoryLevel::access_cost);
    add_default(edits, level, &MemoryLevel::stores);
    add_default(edits, level, &MemoryLevel::bypass_free);
    add_default(edits, level, &MemoryLevel::read_bandwidth);
    add_default(edits, level, &MemoryLevel::write_bandwidth);
    add_default(edits, level, &MemoryLevel::num_read_ports);
    add_default(edits, level, &MemoryLevel::num_write_ports);
    add_default(edits, level, &MemoryLevel::shared_ports);
  }
}

void add_machine(Edits& edits) {
  const std::function<PeArray*(Problem&)> pe = [](Problem& p) {
    return &p.instance.architecture.pe_array;
  };
  add_default(edits, pe, &PeArray::unit_type);
  add_default(edits, pe, &PeArray::height);
  add_default(edits, pe, &PeArray::width);
  add_default(edits, pe, &PeArray::num_macs);
  add_default(edits, pe, &PeArray::internal_dim);
  add_default(edits, pe, &PeArray::mac_energy);
  add_default(edits, pe, &PeArray::reduction_latency);
  const std::function<Architecture*(Problem&)> machine = [](Problem& p) {
    return &p.instance.architecture;
  };
  add_default(edits, machine, &Architecture::dram_timings);
  add_default(edits, machine, &Architecture::activation_energy);
  add_default(edits, machine, &Architecture::interconnect_bandwidth);
  add_default(edits, machine, &Architecture::bits);
  add_default(edits, machine, &Architecture::psum_rereads);
  add_default(edits, machine, &Architecture::input_order);
  add_default(edits, machine, &Architecture::shared_streams);
}

Edits all_edits(const Problem& p) {
  Edits edits;
  add_options(edits);
  add_question(edits);
  add_bounds(edits);
  add_strides(edits);
  add_levels(edits, p.instance.architecture.levels.size());
  add_machine(edits);
  return edits;
}

}  // namespace

Problem shrink(Problem problem, const std::function<bool(const Problem&)>& fails) {
  return shrink_by<Problem>(std::move(problem), all_edits, fails);
}

}  // namespace soak

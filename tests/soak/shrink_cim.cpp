// Edits of problems of SRAM compute-in-memory, from the most drastic one to the smallest; one that
// does not apply changes nothing.
#include <algorithm>

#include "soak/shrink.hpp"

namespace soak_cim {
namespace {

using namespace pimbb;
using namespace pimbb::cim;

using Edits = soak::EditsOf<Problem>;

/// Sets one field of something to what it is by default.
template <class Whole, class Field>
void add_default(Edits& edits, const std::function<Whole*(Problem&)>& whole, Field Whole::*field) {
  edits.emplace_back([whole, field](Problem& p) {
    if (Whole* const one = whole(p)) one->*field = Whole{}.*field;
  });
}

void add_question(Edits& edits) {
  edits.emplace_back([](Problem& p) { p.threads = 1; });
  edits.emplace_back([](Problem& p) { p.node_limit.reset(); });
  edits.emplace_back([](Problem& p) { p.question.caps.clear(); });
  edits.emplace_back([](Problem& p) { p.question.objective.goals.resize(1); });
  edits.emplace_back([](Problem& p) { p.question.objective.goals = {Goal::latency}; });
  edits.emplace_back([](Problem& p) {
    if (p.question.objective.goals.size() > 1) {
      p.question.objective.goals.erase(p.question.objective.goals.begin());
    }
  });
  edits.emplace_back([](Problem& p) { p.question.objective.alpha = 1; });
  const std::function<Question*(Problem&)> question = [](Problem& p) { return &p.question; };
  add_default(edits, question, &Question::method);
  add_default(edits, question, &Question::factors);
  add_default(edits, question, &Question::schemes);
  add_default(edits, question, &Question::doubling);
  const std::function<Pricing*(Problem&)> pricing = [](Problem& p) { return &p.question.pricing; };
  add_default(edits, pricing, &Pricing::semantics);
  add_default(edits, pricing, &Pricing::contention);
  add_default(edits, pricing, &Pricing::padding);
}

void add_layer(Edits& edits) {
  for (const Dim j : kAllDims) {
    const auto bound = [j](Problem& p) -> std::int64_t& {
      return p.instance.layer.bounds[index(j)];
    };
    edits.emplace_back([bound](Problem& p) { bound(p) = 1; });
    for (const std::int64_t prime : {3, 2}) {
      edits.emplace_back([bound, prime](Problem& p) {
        if (bound(p) % prime == 0) bound(p) /= prime;
      });
    }
  }
  for (const auto field :
       {&Workload::stride_w, &Workload::stride_h, &Workload::dilation_w, &Workload::dilation_h}) {
    edits.emplace_back([field](Problem& p) { p.instance.layer.*field = 1; });
  }
  edits.emplace_back([](Problem& p) { p.instance.layer.input_plane.reset(); });
}

/// Without level m; what spread there spreads at the DRAM.
void drop_level(Architecture& a, std::size_t m) {
  if (m >= a.dram()) return;
  a.levels.erase(a.levels.begin() + static_cast<std::ptrdiff_t>(m));
  for (Axis& axis : a.axes) {
    for (std::size_t& at : axis.fan_out) {
      at = at == m ? a.dram() : at > m ? at - 1 : at;
    }
  }
  for (std::size_t l = 0; l < a.levels.size(); ++l) {  // only innermost levels may say this
    const bool innermost =
        std::ranges::any_of(kAllTensors, [&](Tensor t) { return a.innermost(t) == l; });
    if (!innermost) a.levels[l].always_charged = false;
  }
}

void add_levels(Edits& edits, std::size_t levels) {
  for (std::size_t m = 0; m < levels; ++m) {
    edits.emplace_back([m](Problem& p) { drop_level(p.instance.architecture, m); });
  }
  for (std::size_t m = 0; m < levels; ++m) {
    const std::function<Level*(Problem&)> level = [m](Problem& p) {
      std::vector<Level>& all = p.instance.architecture.levels;
      return m < all.size() ? &all[m] : nullptr;
    };
    add_default(edits, level, &Level::size_bits);
    add_default(edits, level, &Level::bandwidth);
    add_default(edits, level, &Level::read_energy);
    add_default(edits, level, &Level::write_energy);
    add_default(edits, level, &Level::double_buffer);
    add_default(edits, level, &Level::always_charged);
  }
}

void add_machine(Edits& edits) {
  for (std::size_t u = 0; u < 3; ++u) {
    edits.emplace_back([u](Problem& p) {
      std::vector<Axis>& axes = p.instance.architecture.axes;
      if (u < axes.size()) axes[u].size = 1;
    });
  }
  const std::function<Architecture*(Problem&)> machine = [](Problem& p) {
    return &p.instance.architecture;
  };
  add_default(edits, machine, &Architecture::bits);
  add_default(edits, machine, &Architecture::macro);
  add_default(edits, machine, &Architecture::leakage);
}

Edits cim_edits(const Problem& p) {
  Edits edits;
  add_question(edits);
  add_layer(edits);
  add_levels(edits, p.instance.architecture.levels.size());
  add_machine(edits);
  return edits;
}

}  // namespace
}  // namespace soak_cim

namespace soak {

soak_cim::Problem shrink(soak_cim::Problem problem,
                         const std::function<bool(const soak_cim::Problem&)>& fails) {
  return shrink_by<soak_cim::Problem>(std::move(problem), soak_cim::cim_edits, fails);
}

}  // namespace soak

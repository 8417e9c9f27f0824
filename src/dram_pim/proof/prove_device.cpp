// The proof of a layer on a whole device: the slices that their least costs do not close, under any
// of their splits, with a tree each.
#include "dram_pim/device/split_space.hpp"
#include "dram_pim/io/result_json.hpp"
#include "dram_pim/proof/device_claim.hpp"
#include "dram_pim/proof/forest.hpp"
#include "dram_pim/proof/provable.hpp"
#include "dram_pim/slices/cost_floor.hpp"
#include "files/sha256.hpp"
#include "pimbb/dram_pim/device_proof.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "run/clock.hpp"
#include "run/limited.hpp"

namespace pimbb::dram_pim {
namespace proof {
namespace {

using device::Offer;

/// "1.1.56.56.64.64.1", with the groups at the end if there are several.
std::string slice_name(const Factors& bounds) {
  std::string text;
  for (const Dim j : kAllDims) {
    if (j == Dim::G && bounds[index(j)] == 1) continue;
    text += (text.empty() ? "" : ".") + std::to_string(bounds[index(j)]);
  }
  return text;
}

/// The mapping with its split, as the document has it.
std::string mapping_text(const Device& device, const DeviceMapping& mapping) {
  nlohmann::ordered_json split = nlohmann::ordered_json::array();
  for (const Factors& factors : mapping.split) split.push_back(factors);
  return R"({"split":)" + split.dump() + R"(,"slice":)" +
         nlohmann::ordered_json(mapping.slice).dump() + R"(,"mapping":)" +
         io::mapping_json(device.unit, mapping.mapping).dump() + "}";
}

/// The question about slices: what is claimed of them are no goals of theirs.
Question about_slices(Question question) {
  question.objective = {};
  question.caps.clear();
  return question;
}

class DeviceProver {
 public:
  DeviceProver(const Device& device, const Workload& layer, const Moves& moves,
               const Question& question, const RunLimits& limits,
               const std::function<void(std::string_view)>& sink)
      : device_(device),
        layer_(layer),
        moves_(moves),
        question_(about_slices(question)),
        clock_(limits),
        guard_{[this] { return clock_.stopped(); }, limits.memory_limit},
        sink_([this, &sink](std::string_view text) {
          size_.bytes += text.size();
          sink(text);
        }),
        space_(device, layer, moves),
        floor_(device.unit, slice_of(layer, layer.tops()), question.row_model),
        optimum_{device, question.objective, question.caps, {}} {}

  DeviceProofSize run(const Question& question, const DeviceSolution& solution) {
    const std::string instance = canonical_instance(device_, layer_, moves_, question);
    std::string head =
        "pimbb-device-proof/1\nsha256 " + files::sha256(instance) + "\ninstance " + instance + "\n";
    if (solution.mapping) {
      head += "optimum";
      for (const GoalResult& goal : solution.goals) {
        optimum_.values.push_back(goal.value);
        head += " " + goal.value.to_string();
      }
      head += "\nmapping " + mapping_text(device_, *solution.mapping) + "\n";
    } else {
      head += "infeasible\n";
    }
    sink_(head);
    std::size_t number = 0;
    space_.for_each_slice([&](const Factors& bounds, std::int64_t units) {
      if (number++ % 64 == 0) guard_.check();
      look(bounds, units);
      return true;
    });
    sink_("end\n");
    return size_;
  }

 private:
  /// Writes the tree of a slice, unless it is closed without one.
  void look(const Factors& bounds, std::int64_t units) {
    const GoalCosts least = floor_.costs(bounds);
    Offer none;  // less than any split offers
    none.units = units;
    if (device_.phases == Phases::sequential) none.time = device_.launch;
    if (!optimum_.refuted_by(none, least)) return;
    const Workload slice = slice_of(layer_, bounds);
    if (overflows_dram(device_.unit, slice)) return;
    std::vector<Offer> offers =
        device::offers_of(device_, layer_, moves_, space_.splits(bounds), bounds);
    std::erase_if(offers, [&](const Offer& o) { return !optimum_.refuted_by(o, least); });
    if (!offers.empty()) write_tree(slice, offers, least);
  }

  void write_tree(const Workload& slice, const std::vector<Offer>& offers, const GoalCosts& least) {
    sink_("slice " + slice_name(slice.bounds) + "\n");
    ProofWriter writer(sink_);
    const Forest forest(device_.unit, slice, question_, guard_);
    const DeviceClaim claim(forest.scale(), optimum_, offers, least);
    writer.none_within(forest.latencies(claim.thresholds()));
    forest.close(claim, claim.thresholds(), {&writer});
    writer.end();
    ++size_.trees;
    size_.leaves += writer.leaves();
  }

  const Device& device_;
  const Workload& layer_;
  const Moves& moves_;
  const Question question_;
  run::Clock clock_;
  run::Guard guard_;
  DeviceProofSize size_;
  std::function<void(std::string_view)> sink_;
  const device::SplitSpace space_;
  const slices::CostFloor floor_;
  DeviceOptimum optimum_;
};

}  // namespace
}  // namespace proof

DeviceProofSize prove(const Device& device, const Workload& layer, const Moves& moves,
                      const Question& question, const RunLimits& limits,
                      const DeviceSolution& solution,
                      const std::function<void(std::string_view)>& sink) {
  validate(device);
  validate(layer);
  validate(device, question);
  proof::check_provable(layer, question, solution.status);
  DeviceProofSize size;
  run::limited(limits, "proof", [&] {
    size =
        proof::DeviceProver(device, layer, moves, question, limits, sink).run(question, solution);
  });
  return size;
}

}  // namespace pimbb::dram_pim

// The problems of an exploration as solves of single layers.
#include "pimbb/dram_pim/explore.hpp"

#include <map>
#include <mutex>

#include "answers/explorable.hpp"
#include "answers/layer_parts.hpp"
#include "dram_pim/io/architecture_presets.hpp"
#include "dram_pim/mapper/known_bounds.hpp"
#include "dram_pim/network/fitting_blend.hpp"
#include "files/changes.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/padded.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace {

/// Goals of explorations, in the order of GoalCosts.
constexpr std::array<Goal, 3> kExploredGoals{Goal::latency, Goal::energy, Goal::activations};

class ChangedMachine final : public answers::PointMachine {
 public:
  ChangedMachine(Architecture architecture, RowModel row_model)
      : architecture_(std::move(architecture)) {
    Architecture nameless = architecture_;
    nameless.name.clear();
    text_ = canonical_instance(nameless, Workload{}, Objective{}, row_model, {}, {});
  }

  [[nodiscard]] const std::string& text() const override { return text_; }
  [[nodiscard]] const Architecture& architecture() const { return architecture_; }

  /// Which blends the layers of a network can compute with.
  [[nodiscard]] const network::FittingBlend& blends(const Network& network,
                                                    std::size_t number) const {
    const std::lock_guard lock(mutex_);
    auto known = blends_.find(number);
    if (known == blends_.end()) {
      std::vector<const Workload*> layers;
      for (const NetworkLayer& layer : network.layers) layers.push_back(&layer.workload);
      known = blends_.emplace(number, network::FittingBlend(architecture_, layers)).first;
    }
    return known->second;
  }

 private:
  Architecture architecture_;
  std::string text_;
  mutable std::mutex mutex_;
  mutable std::map<std::size_t, network::FittingBlend> blends_;  // by network
};

class LayersOfSpace final : public answers::Explorable {
 public:
  LayersOfSpace(const Space& space, RowModel row_model)
      : source_(io::architecture_table().load(space.arch)),
        row_model_(row_model),
        base_(parse_architecture(source_.text, source_.label).name),
        layers_(networks_of(space)) {}

  [[nodiscard]] Kind kind() const override { return Kind::dram_pim; }
  [[nodiscard]] std::string architecture() const override { return base_; }
  [[nodiscard]] std::vector<std::string> networks() const override { return layers_.names(); }
  [[nodiscard]] std::vector<std::string> goals() const override {
    std::vector<std::string> names;
    for (const Goal goal : kExploredGoals) names.emplace_back(name(goal));
    return names;
  }
  [[nodiscard]] bool has_product() const override { return true; }
  [[nodiscard]] std::string terms() const override { return std::string(name(row_model_)); }

  [[nodiscard]] std::optional<Rational> figure(const std::string& path) const override {
    return files::number_at(files::Document(source_.text, source_.label), path);
  }

  [[nodiscard]] std::shared_ptr<const answers::PointMachine> machine(
      const std::vector<std::string>& changes) const override {
    return std::make_shared<ChangedMachine>(
        parse_architecture(source_.text, source_.label, changes), row_model_);
  }

  [[nodiscard]] const std::vector<answers::NetworkPart>& parts(std::size_t network) const override {
    return layers_.parts(network);
  }

  [[nodiscard]] search::Blend fitting(const answers::PointMachine& machine, std::size_t network,
                                      const search::Blend& blend) const override {
    return of(machine).blends(layers_.network(network), network).of(blend, blend, 96);
  }

  /// Padded bounds are the layer's own at least, and so are its operations and tensors.
  [[nodiscard]] std::vector<Rational> floor(const answers::PointMachine& machine,
                                            std::size_t network, std::size_t part) const override {
    const Architecture& a = of(machine).architecture();
    const Workload& layer = layers_.layer(network, part);
    const mapper::Scale scale = mapper::make_scale(a, layer);
    const mapper::KnownBounds known(a, layer, row_model_, scale);
    std::vector<Rational> floors;
    for (const Goal goal : kExploredGoals) {
      const mapper::Target target(scale, {{goal}}, goal);
      floors.push_back(target.unscaled(known.of(target)));
    }
    return floors;
  }

  [[nodiscard]] answers::PartAnswer solve(const answers::PointMachine& machine, std::size_t network,
                                          std::size_t part, const answers::Ask& ask,
                                          const RunLimits& limits) const override {
    Question question;
    question.row_model = row_model_;
    question.objective = objective_of(ask);
    const Solution solution =
        solve_padded(of(machine).architecture(), layers_.layer(network, part), question, limits);
    answers::PartAnswer answer;
    answer.status = solution.status;
    answer.nodes = solution.nodes;
    if (!solution.goals.empty()) answer.bound = solution.goals.front().bound;
    if (solution.metrics) {
      answer.costs = {solution.metrics->latency, solution.metrics->energy,
                      solution.metrics->activations()};
    }
    return answer;
  }

 private:
  static const ChangedMachine& of(const answers::PointMachine& machine) {
    return static_cast<const ChangedMachine&>(machine);
  }

  static std::vector<Network> networks_of(const Space& space) {
    std::vector<Network> networks;
    for (const std::string& name : space.networks) {
      networks.push_back(without_input_planes(read_network(name)));
      validate(networks.back());
    }
    return networks;
  }

  static Objective objective_of(const answers::Ask& ask) {
    Objective objective;
    objective.goals.clear();
    for (const std::size_t goal : ask.order) objective.goals.push_back(kExploredGoals.at(goal));
    if (!ask.order.empty()) return objective;
    objective.goals = {Goal::blended};
    objective.alpha = ask.blend.alpha;
    objective.beta = ask.blend.beta;
    return objective;
  }

  files::Source source_;
  RowModel row_model_;
  std::string base_;
  answers::LayerParts layers_;
};

}  // namespace

Exploration explore(const Space& space, const ExploreOptions& options, RowModel row_model,
                    const OnExplored& on_progress) {
  return answers::explore(space, LayersOfSpace(space, row_model), options, on_progress);
}

}  // namespace pimbb::dram_pim

// The problems of an exploration as solves of single layers.
#include "pimbb/cim/explore.hpp"

#include "answers/changed_machine.hpp"
#include "answers/explorable.hpp"
#include "answers/layer_parts.hpp"
#include "cim/io/architecture_presets.hpp"
#include "cim/io/result_json.hpp"
#include "cim/mapper/label_search.hpp"
#include "cim/mapper/target.hpp"
#include "cim/network/fitting_blend.hpp"
#include "files/changes.hpp"
#include "files/document.hpp"
#include "pimbb/cim/io.hpp"
#include "pimbb/cim/solver.hpp"
#include "pimbb/error.hpp"
#include "pimbb/io.hpp"

namespace pimbb::cim {
namespace {

constexpr std::array<Goal, 2> kExploredGoals{Goal::latency, Goal::energy};

using Machine = answers::ChangedMachine<Architecture>;

class LayersOfSpace final : public answers::Explorable {
 public:
  LayersOfSpace(const Space& space, Question question)
      : source_(io::architecture_table().load(space.arch)),
        question_(std::move(question)),
        base_(parse_architecture(source_.text, source_.label).name),
        layers_(networks_of(space)) {}

  [[nodiscard]] Kind kind() const override { return Kind::cim; }
  [[nodiscard]] std::string architecture() const override { return base_; }
  [[nodiscard]] std::vector<std::string> networks() const override { return layers_.names(); }
  [[nodiscard]] std::vector<std::string> goals() const override {
    std::vector<std::string> names;
    for (const Goal goal : kExploredGoals) names.emplace_back(name(goal));
    return names;
  }
  [[nodiscard]] bool has_product() const override { return true; }

  [[nodiscard]] std::string terms() const override {
    files::Json json = files::Json::object();
    io::add_question(json, question_);
    return json.dump();
  }

  [[nodiscard]] std::optional<Rational> figure(const std::string& path) const override {
    return files::number_at(files::Document(source_.text, source_.label), path);
  }

  [[nodiscard]] std::shared_ptr<const answers::PointMachine> machine(
      const std::vector<std::string>& changes) const override {
    return std::make_shared<Machine>(
        parse_architecture(source_.text, source_.label, changes),
        [](const Architecture& a) { return io::architecture_json(a).dump(); });
  }

  [[nodiscard]] const std::vector<answers::NetworkPart>& parts(std::size_t network) const override {
    return layers_.parts(network);
  }

  [[nodiscard]] search::Blend fitting(const answers::PointMachine& /*machine*/,
                                      std::size_t /*network*/,
                                      const search::Blend& blend) const override {
    return network::fitting_blend(blend);
  }

  /// Padded bounds are the layer's own at least. Bounds are about the closed semantics.
  [[nodiscard]] std::vector<Rational> floor(const answers::PointMachine& machine,
                                            std::size_t network, std::size_t part) const override {
    std::vector<Rational> floors(kExploredGoals.size());
    if (question_.pricing.semantics == Semantics::simulator) return floors;
    const Architecture& a = of(machine);
    const Workload& layer = layers_.layer(network, part);
    const cost::Units units(a);
    const Elements elements(layer);
    const mapper::Problem problem(a, layer, question_, units, elements);
    const mapper::SchemeBound bound = mapper::space_bound(problem);
    for (std::size_t g = 0; g < floors.size(); ++g) {
      const mapper::Target target(units, question_, kExploredGoals[g]);
      floors[g] = target.unscaled(target.value(bound.latency, bound.total));
    }
    return floors;
  }

  [[nodiscard]] answers::PartAnswer solve(const answers::PointMachine& machine, std::size_t network,
                                          std::size_t part, const answers::Ask& ask,
                                          const RunLimits& limits) const override {
    Question question = question_;
    question.objective = objective_of(ask);
    const Solution solution =
        cim::solve(of(machine), layers_.layer(network, part), question, limits);
    answers::PartAnswer answer;
    answer.status = solution.status;
    answer.nodes = solution.labels;
    if (!solution.goals.empty()) answer.bound = solution.goals.front().bound;
    if (solution.metrics) answer.costs = {solution.metrics->latency, solution.metrics->energy};
    return answer;
  }

 private:
  static const Architecture& of(const answers::PointMachine& machine) {
    return static_cast<const Machine&>(machine).architecture();
  }

  static std::vector<Network> networks_of(const Space& space) {
    std::vector<Network> networks;
    for (const std::string& name : space.networks) {
      networks.push_back(read_network(name));
      validate(networks.back());
      for (const NetworkLayer& layer : networks.back().layers) {
        if (!layer.workload.may_be_padded()) continue;
        throw InputError(space.networks_place + ": " + name + ": layer '" + layer.workload.name +
                         "': found padding, which an architecture of kind cim cannot use; allowed "
                         "is none");
      }
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
  Question question_;
  std::string base_;
  answers::LayerParts layers_;
};

}  // namespace

Exploration explore(const Space& space, const ExploreOptions& options, const Question& question,
                    const OnExplored& on_progress) {
  if (!question.caps.empty()) {
    throw InputError("at most: found a limit on a goal of a space, allowed with one layer");
  }
  return answers::explore(space, LayersOfSpace(space, question), options, on_progress);
}

}  // namespace pimbb::cim

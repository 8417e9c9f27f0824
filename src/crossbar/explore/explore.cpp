// The problems of an exploration: one search for each network and point.
#include "pimbb/crossbar/explore.hpp"

#include <algorithm>

#include "answers/changed_machine.hpp"
#include "answers/explorable.hpp"
#include "crossbar/io/architecture_json.hpp"
#include "crossbar/io/architecture_presets.hpp"
#include "crossbar/io/formats.hpp"
#include "files/changes.hpp"
#include "files/document.hpp"
#include "pimbb/crossbar/io.hpp"
#include "pimbb/crossbar/minimise.hpp"
#include "pimbb/crossbar/proof.hpp"
#include "pimbb/crossbar/solver.hpp"
#include "pimbb/error.hpp"
#include "pimbb/io.hpp"

namespace pimbb::crossbar {
namespace {

using Machine = answers::ChangedMachine<Architecture>;

/// All of a network that a search depends on.
std::string text_of(const NodeGraph& graph) {
  NodeGraph nameless = graph;
  nameless.name.clear();
  std::string text = canonical_instance(Architecture{}, nameless, {});
  for (const Node& node : graph.nodes) text += "\n" + node.operation;
  return text;
}

class NetworksOfSpace final : public answers::Explorable {
 public:
  NetworksOfSpace(const Space& space, const SpaceQuestion& question)
      : source_(io::architecture_table().load(space.arch)), seed_(question.seed) {
    const Architecture base = parse_architecture(source_.text, source_.label);
    base_ = base.name;
    for (const std::string& name : space.networks) {
      graphs_.push_back(read_graph(name, space.networks_place));
      parts_.push_back({{graphs_.back().name, 1, text_of(graphs_.back())}});
    }
    const std::string first = space.objective.substr(0, space.objective.find(','));
    const auto named = std::ranges::find(kEstimateNames, first);
    const auto estimate = static_cast<Estimate>(named - kEstimateNames.begin());
    mode_ = question.mode.value_or(
        named != kEstimateNames.end() && is_latency(estimate) ? Mode::ll : Mode::ht);
    find_goals(base);
  }

  [[nodiscard]] Kind kind() const override { return Kind::crossbar; }
  [[nodiscard]] std::string architecture() const override { return base_; }
  [[nodiscard]] std::vector<std::string> networks() const override {
    std::vector<std::string> names;
    for (const NodeGraph& graph : graphs_) names.push_back(graph.name);
    return names;
  }
  [[nodiscard]] std::vector<std::string> goals() const override {
    std::vector<std::string> names;
    for (const Estimate goal : goals_) names.emplace_back(name(goal));
    return names;
  }
  [[nodiscard]] bool has_product() const override { return false; }
  [[nodiscard]] std::string terms() const override {
    return std::string(kModeNames[static_cast<std::size_t>(mode_)]) + " seed " +
           std::to_string(seed_);
  }

  [[nodiscard]] std::optional<Rational> figure(const std::string& path) const override {
    return files::number_at(files::Document(source_.text, source_.label), path,
                            io::kArchitectureKey);
  }

  [[nodiscard]] std::shared_ptr<const answers::PointMachine> machine(
      const std::vector<std::string>& changes) const override {
    return std::make_shared<Machine>(
        parse_architecture(source_.text, source_.label, changes),
        [](const Architecture& a) { return io::architecture_json(a).dump(); });
  }

  [[nodiscard]] const std::vector<answers::NetworkPart>& parts(std::size_t network) const override {
    return parts_[network];
  }

  [[nodiscard]] search::Blend fitting(const answers::PointMachine& /*machine*/,
                                      std::size_t /*network*/,
                                      const search::Blend& blend) const override {
    return blend;  // there are no blends
  }

  [[nodiscard]] std::vector<Rational> floor(const answers::PointMachine& /*machine*/,
                                            std::size_t /*network*/,
                                            std::size_t /*part*/) const override {
    return std::vector<Rational>(goals_.size());
  }

  [[nodiscard]] answers::PartAnswer solve(const answers::PointMachine& machine, std::size_t network,
                                          std::size_t /*part*/, const answers::Ask& ask,
                                          const RunLimits& limits) const override {
    const Architecture& a = static_cast<const Machine&>(machine).architecture();
    const Partition partition = make_partition(a, graphs_[network]);
    std::vector<Estimate> order;
    for (const std::size_t goal : ask.order) order.push_back(goals_.at(goal));
    if (order.size() == 1 && order[0] == Estimate::ht) {
      return searched(a, partition, Goal::ht, limits);
    }
    if (order.size() == 1 && order[0] == Estimate::ll) {
      return searched(a, partition, Goal::ll, limits);
    }
    RunLimits own = limits;
    own.node_limit = limits.node_limit.value_or(kDefaultEvaluations);
    const BestFound found = minimise(a, partition, {order, mode_, seed_}, own);
    const Rational bound = found.results.empty() ? Rational() : found.results.front().bound;
    return answer_of(found, bound, found.evaluations);
  }

 private:
  static NodeGraph read_graph(const std::string& source, const std::string& place) {
    const Network network = read_network(source);
    for (const NetworkLayer& layer : network.layers) {
      if (!layer.workload.may_be_padded()) continue;
      throw InputError(place + ": " + source + ": layer '" + layer.workload.name +
                       "': found padding, which an architecture of kind crossbar cannot use; "
                       "allowed is none");
    }
    try {
      return node_graph(network);
    } catch (const InputError& error) {
      throw InputError(place + ": " + source + ": " + error.what());
    }
  }

  /// The estimates that every network has.
  void find_goals(const Architecture& base) {
    for (std::size_t e = 0; e < kEstimateNames.size(); ++e) {
      const auto estimate = static_cast<Estimate>(e);
      const bool all_have = std::ranges::all_of(graphs_, [&](const NodeGraph& graph) {
        try {
          require_latency(make_partition(base, graph), estimate, mode_);
          return true;
        } catch (const InputError&) {
          return false;
        }
      });
      if (all_have) goals_.push_back(estimate);
    }
  }

  /// Without a limit of nodes a time limit would be used up by every search.
  [[nodiscard]] answers::PartAnswer searched(const Architecture& a, const Partition& partition,
                                             Goal goal, const RunLimits& limits) const {
    RunLimits own = limits;
    own.node_limit = limits.node_limit.value_or(kDefaultNodes[static_cast<std::size_t>(goal)]);
    const Solution found = crossbar::solve(a, partition, {goal, seed_}, own);
    return answer_of(found, found.result.bound, found.nodes);
  }

  template <class Found>
  [[nodiscard]] answers::PartAnswer answer_of(const Found& found, const Rational& bound,
                                              std::uint64_t nodes) const {
    answers::PartAnswer answer{found.status, {}, bound, nodes};
    if (!found.metrics) return answer;
    for (const Estimate goal : goals_) answer.costs.push_back(value(*found.metrics, goal, mode_));
    return answer;
  }

  files::Source source_;
  std::uint64_t seed_;
  std::string base_;
  Mode mode_ = Mode::ht;
  std::vector<Estimate> goals_;
  std::vector<NodeGraph> graphs_;
  std::vector<std::vector<answers::NetworkPart>> parts_;
};

}  // namespace

Exploration explore(const Space& space, const ExploreOptions& options,
                    const SpaceQuestion& question, const OnExplored& on_progress) {
  return answers::explore(space, NetworksOfSpace(space, question), options, on_progress);
}

}  // namespace pimbb::crossbar

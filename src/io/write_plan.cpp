// The pimbb-plan/1 document: one plan for the layers of a graph, tensor by tensor, node by node.
#include "io/formats.hpp"
#include "io/result_json.hpp"
#include "pimbb/io.hpp"
#include "pimbb/layout_plan.hpp"

namespace pimbb::io {
namespace {

std::string goal_name(Goal goal) { return std::string(kGoalNames[static_cast<std::size_t>(goal)]); }

Json figures_json(Figures figures) {
  figures.numbers["exact"] = std::move(figures.exact);
  return std::move(figures.numbers);
}

Json goals_json(const LayoutPlan& plan, const std::vector<Rational>& values) {
  Figures figures;
  for (std::size_t g = 0; g < values.size() && g < plan.goals.size(); ++g) {
    figures.add(goal_name(plan.goals[g].goal), values[g]);
  }
  return figures_json(std::move(figures));
}

Json objective_json(const LayoutPlan& plan) {
  Json list = Json::array();
  for (const GoalResult& goal : plan.goals) {
    Figures figures;
    figures.add("value", goal.value);
    figures.add("bound", goal.bound);
    figures.add("gap", goal.gap());
    Json json = Json::object();
    json["name"] = goal_name(goal.goal);
    json.update(figures_json(std::move(figures)));
    list.push_back(std::move(json));
  }
  return list;
}

Json tensor_json(const Graph& graph, const SharedTensor& shared) {
  Json json = Json::object();
  for (const std::size_t t : shared.tensors) json["tensors"].push_back(graph.tensors[t].name);
  json["layout"] = kLayoutNames[static_cast<std::size_t>(shared.layout)];
  if (shared.layout == Layout::row_aligned) {
    json["box"] = shared.box;
  } else {
    const Frame& f = shared.frame;
    json["frame"] = {{"height", f.height}, {"width", f.width}, {"top", f.top}, {"left", f.left}};
  }
  return json;
}

Json pass_json(const Relayout& pass) {
  Figures figures;
  figures.add("latency", pass.latency);
  figures.add("energy", pass.energy);
  figures.add("activations", pass.activations);
  return figures_json(std::move(figures));
}

Json frame_json(const std::optional<Frame>& frame) {
  if (!frame) return nullptr;
  return {{"height", frame->height},
          {"width", frame->width},
          {"top", frame->top},
          {"left", frame->left}};
}

Json layer_json(const Architecture& architecture, const Graph& graph, const SolveOptions& options,
                const PlannedLayer& layer) {
  Json json = Json::object();
  json["node"] = graph.nodes[layer.node].name;
  json["repetitions"] = layer.repetitions;
  json["reads"] = layer.reads ? Json(*layer.reads) : Json(nullptr);
  json["writes"] = layer.writes ? Json(*layer.writes) : Json(nullptr);
  json["input_frame"] = frame_json(layer.workload.input_frame);
  json["output_frame"] = frame_json(layer.workload.output_frame);
  json["relayout_before"] = pass_json(layer.before);
  json["relayout_after"] = pass_json(layer.after);
  json["result"] = solution_document(architecture, layer.workload, options, layer.solution);
  return json;
}

}  // namespace

std::string layout_plan_json(const Architecture& architecture, const Network& network,
                             const SolveOptions& options, const LayoutPlan& plan) {
  const Graph& graph = *network.graph;
  Json json = Json::object();
  json["format"] = kPlanFormat;
  json["name"] = network.name;
  json["architecture"] = architecture.name;
  json["status"] = kStatusNames[static_cast<std::size_t>(plan.status)];
  if (!plan.reason.empty()) json["reason"] = plan.reason;
  json["objective"] = objective_json(plan);
  Figures totals;
  totals.add("latency", plan.totals.latency);
  totals.add("energy", plan.totals.energy);
  totals.add("activations", plan.totals.activations);
  totals.add("macs", plan.totals.macs);
  json["totals"] = figures_json(std::move(totals));
  json["relayout"] = goals_json(plan, plan.passes);
  json["layers_alone"] = goals_json(plan, plan.alone);
  json["layers_alone_reconciled"] = goals_json(plan, plan.reconciled);
  json["tensors"] = Json::array();
  for (const SharedTensor& shared : plan.shared) {
    json["tensors"].push_back(tensor_json(graph, shared));
  }
  json["layers"] = Json::array();
  for (const PlannedLayer& layer : plan.layers) {
    json["layers"].push_back(layer_json(architecture, graph, options, layer));
  }
  json["stats"]["solves"] = plan.solves;
  json["stats"]["rounds"] = plan.rounds;
  if (!options.timeless) json["stats"]["seconds"] = plan.seconds;
  return to_text(json);
}

}  // namespace pimbb::io

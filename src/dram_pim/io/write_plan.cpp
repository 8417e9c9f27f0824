// The pimbb-plan/1 document: one plan for the layers of a graph, tensor by tensor, node by node.
#include "dram_pim/io/formats.hpp"
#include "dram_pim/io/result_json.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/layout_plan.hpp"

namespace pimbb::dram_pim {
namespace {

files::Json figures_json(io::Figures figures) {
  figures.numbers["exact"] = std::move(figures.exact);
  return std::move(figures.numbers);
}

files::Json goals_json(const LayoutPlan& plan, const std::vector<Rational>& values) {
  io::Figures figures;
  for (std::size_t g = 0; g < values.size() && g < plan.goals.size(); ++g) {
    figures.add(std::string(name(plan.goals[g].goal)), values[g]);
  }
  return figures_json(std::move(figures));
}

files::Json objective_json(const LayoutPlan& plan) {
  files::Json list = files::Json::array();
  for (const GoalResult& goal : plan.goals) {
    io::Figures figures;
    figures.add("value", goal.value);
    figures.add("bound", goal.bound);
    figures.add("gap", goal.gap());
    files::Json json = files::Json::object();
    json["name"] = std::string(name(goal.goal));
    json.update(figures_json(std::move(figures)));
    list.push_back(std::move(json));
  }
  return list;
}

files::Json tensor_json(const Graph& graph, const SharedTensor& shared) {
  files::Json json = files::Json::object();
  json["tensors"] = files::Json::array();
  for (const std::size_t t : shared.tensors) json["tensors"].push_back(graph.tensors[t].name);
  json["layout"] = kLayoutNames[static_cast<std::size_t>(shared.layout)];
  if (shared.layout == Layout::row_aligned) {
    json["box"] = shared.box;
  } else {
    const Frame& f = shared.frame;
    json["order"] = name(shared.order);
    json["frame"] = {{"height", f.height}, {"width", f.width}, {"top", f.top}, {"left", f.left}};
  }
  return json;
}

files::Json pass_json(const Relayout& pass) {
  io::Figures figures;
  figures.add("latency", pass.latency);
  figures.add("energy", pass.energy);
  figures.add("activations", pass.activations);
  return figures_json(std::move(figures));
}

files::Json frame_json(const std::optional<Frame>& frame) {
  if (!frame) return nullptr;
  return {{"height", frame->height},
          {"width", frame->width},
          {"top", frame->top},
          {"left", frame->left}};
}

files::Json layer_json(const Architecture& architecture, const Graph& graph,
                       const Question& question, const RunLimits& limits,
                       const PlannedLayer& layer) {
  files::Json json = files::Json::object();
  json["node"] = graph.nodes[layer.node].name;
  json["repetitions"] = layer.repetitions;
  json["reads"] = layer.reads ? files::Json(*layer.reads) : files::Json(nullptr);
  json["writes"] = layer.writes ? files::Json(*layer.writes) : files::Json(nullptr);
  json["input_frame"] = frame_json(layer.workload.input_frame);
  json["output_frame"] = frame_json(layer.workload.output_frame);
  json["relayout_before"] = pass_json(layer.before);
  json["relayout_after"] = pass_json(layer.after);
  json["result"] =
      io::solution_document(architecture, layer.workload, question, limits, layer.solution);
  return json;
}

}  // namespace

std::string layout_plan_json(const Architecture& architecture, const Network& network,
                             const Question& question, const RunLimits& limits,
                             const LayoutPlan& plan) {
  const Graph& graph = *network.graph;
  files::Json json = files::Json::object();
  json["format"] = io::kPlanFormat;
  json["name"] = network.name;
  json["row_model"] = name(question.row_model);
  json["method"] = name(question.method);
  json["status"] = name(plan.status);
  if (!plan.reason.empty()) json["reason"] = plan.reason;
  json["objective"] = objective_json(plan);
  io::Figures totals;
  totals.add("latency", plan.totals.latency);
  totals.add("energy", plan.totals.energy);
  totals.add("activations", plan.totals.activations);
  totals.add("macs", plan.totals.macs);
  json["totals"] = figures_json(std::move(totals));
  json["relayout"] = goals_json(plan, plan.passes);
  json["layers_alone"] = goals_json(plan, plan.alone);
  json["layers_alone_reconciled"] = goals_json(plan, plan.reconciled);
  json["tensors"] = files::Json::array();
  for (const SharedTensor& shared : plan.shared) {
    json["tensors"].push_back(tensor_json(graph, shared));
  }
  json["layers"] = files::Json::array();
  for (const PlannedLayer& layer : plan.layers) {
    json["layers"].push_back(layer_json(architecture, graph, question, limits, layer));
  }
  json["architecture"] = io::architecture_json(architecture);
  json["stats"]["solves"] = plan.solves;
  json["stats"]["rounds"] = plan.rounds;
  if (!limits.timeless) json["stats"]["seconds"] = plan.seconds;
  io::add_warnings(json, architecture);
  return files::to_text(json);
}

}  // namespace pimbb::dram_pim

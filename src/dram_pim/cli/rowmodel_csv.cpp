// All tensors and layouts of a layer together; the regret of each goal that was solved.
#include "dram_pim/cli/rowmodel_csv.hpp"

#include <algorithm>

#include "dram_pim/cli/options.hpp"
#include "files/csv.hpp"
#include "statistics/statistics.hpp"
#include "terminal/shape_columns.hpp"

namespace pimbb::dram_pim::cli {
namespace {

using files::CsvRow;

void add_accuracy(CsvRow& row, const study::SampleCounts& counts, std::size_t model) {
  std::vector<double> judged;
  std::vector<double> truth;
  for (const auto& tensor : counts) {
    for (const study::Counts& layout : tensor) {
      judged.insert(judged.end(), layout.model[model].begin(), layout.model[model].end());
      truth.insert(truth.end(), layout.truth.begin(), layout.truth.end());
    }
  }
  row.add(static_cast<std::int64_t>(truth.size()));
  if (truth.empty()) {
    row.add("").add("").add("").add("");
    return;
  }
  const statistics::ModelAccuracy a = statistics::model_accuracy(judged, truth);
  row.add(a.bias).add(a.error).add(a.worst).add(a.spearman);
}

std::optional<double> ratio_of(const study::Regret& regret, std::size_t layer, std::size_t model) {
  const auto at = std::ranges::find(regret.layers, layer);
  if (at == regret.layers.end()) return std::nullopt;
  return regret.ratio[model][static_cast<std::size_t>(at - regret.layers.begin())];
}

}  // namespace

std::string rowmodel_csv(const Architecture& architecture, const Network& network,
                         const study::Samples& samples, const std::vector<study::Regret>& regrets) {
  std::vector<std::string> names{"architecture", "network", "layer"};
  for (std::string& name : shape_names()) names.push_back(std::move(name));
  for (const char* name : {"model", "samples", "bias", "mean_error", "worst_error", "spearman"}) {
    names.emplace_back(name);
  }
  for (const study::Regret& regret : regrets) {
    names.push_back("regret_" + std::string(name(regret.goal)));
  }
  std::string text = files::csv_header(names);
  for (std::size_t i = 0; i < samples.layers.size(); ++i) {
    const Workload& layer = network.layers[i].workload;
    for (std::size_t k = 0; k < study::kJudged.size(); ++k) {
      CsvRow row;
      row.add(architecture.name).add(network.name).add(layer.name);
      add_shape(row, layer);
      row.add(row_model_name(study::kJudged[k]));
      add_accuracy(row, samples.layers[i], k);
      for (const study::Regret& regret : regrets) row.add(ratio_of(regret, i, k));
      text += row.text();
    }
  }
  return text;
}

}  // namespace pimbb::dram_pim::cli

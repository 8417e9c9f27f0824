// Assembling the list: products of presets, or the lines of a file.
#include "dram_pim/cli/bench_corpus.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <set>
#include <sstream>

#include "files/nearest.hpp"
#include "files/source.hpp"
#include "layers/network_presets.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {
namespace {

using Names = std::vector<std::string>;

/// The networks of the full corpus: a list of its own, so that its figures stay comparable when
/// presets are added.
constexpr std::array<const char*, 7> kNetworks{"alexnet",  "bert_base", "llama_7b", "mobilenet_v1",
                                               "resnet18", "resnet50",  "vgg16"};

struct NamedLayer {
  std::string name;
  Workload workload;
};

/// All layers of a network, or the one that NETWORK:LAYER names, without the planes of their
/// inputs.
std::vector<NamedLayer> named_layers(const std::string& source) {
  if (!layers::network_table().is_source(source)) {
    Workload layer = read_workload(source);
    layer.input_plane.reset();
    return {{source, std::move(layer)}};
  }
  std::vector<NamedLayer> layers;
  for (const NetworkLayer& layer : without_input_planes(read_network(source)).layers) {
    layers.push_back({source + ":" + layer.workload.name, layer.workload});
  }
  return layers;
}

/// The list as it grows: reads each source once, drops problems that are there already.
class CorpusBuilder {
 public:
  void add(const std::string& architecture, const std::string& layers,
           const std::vector<RowModel>& models, const std::vector<Objective>& objectives) {
    auto& machine = architectures_[architecture];
    if (!machine) machine = std::make_shared<Architecture>(read_architecture(architecture));
    if (!layers_.contains(layers)) layers_[layers] = named_layers(layers);
    for (const NamedLayer& layer : layers_[layers]) {
      for (const RowModel model : models) {
        for (const Objective& objective : objectives) {
          add({architecture, machine, layer.name, layer.workload, model, objective});
        }
      }
    }
  }

  [[nodiscard]] std::vector<BenchCase> take() { return std::move(cases_); }

 private:
  void add(BenchCase problem) {
    const std::string key =
        fmt::format("{}\n{}\n{}\n{}", problem.architecture_name, shape(problem.workload),
                    row_model_name(problem.row_model), problem.objective.to_string());
    if (seen_.insert(key).second) cases_.push_back(std::move(problem));
  }

  std::map<std::string, std::shared_ptr<const Architecture>> architectures_;
  std::map<std::string, std::vector<NamedLayer>> layers_;
  std::set<std::string> seen_;
  std::vector<BenchCase> cases_;
};

std::vector<BenchCase> product(const CorpusSettings& settings, Names architectures,
                               Names networks) {
  if (settings.arch) architectures = {*settings.arch};
  if (settings.network) networks = {*settings.network};
  std::vector<RowModel> models{RowModel::analytic, RowModel::hybrid, RowModel::trace};
  if (settings.row_model) models = {*settings.row_model};
  std::vector<Objective> objectives;
  for (const char* goal : {"latency", "energy", "edp", "blended"}) {
    objectives.push_back(Objective::parse(goal));
  }
  if (settings.objective) objectives = {*settings.objective};
  CorpusBuilder builder;
  for (const std::string& architecture : architectures) {
    for (const std::string& network : networks) {
      builder.add(architecture, network, models, objectives);
    }
  }
  return builder.take();
}

/// A corpus file says everything itself.
void refuse_filters(const CorpusSettings& settings) {
  const auto refuse = [&](bool given, const char* option) {
    if (!given) return;
    throw InputError(
        fmt::format("{}: narrows the corpora 'full' and 'small', but --corpus is the file '{}'",
                    option, settings.corpus));
  };
  refuse(settings.arch.has_value(), "--arch");
  refuse(settings.network.has_value(), "--network");
  refuse(settings.objective.has_value(), "--objective");
  refuse(settings.row_model.has_value(), "--row-model");
}

void add_line(CorpusBuilder& builder, const std::string& place, const std::string& line) {
  std::istringstream stream(line.substr(0, line.find('#')));
  Names words;
  for (std::string word; stream >> word;) words.push_back(word);
  if (words.empty()) return;
  if (words.size() != 4) {
    throw InputError(
        fmt::format("{}: found {} words, allowed are 4: ARCH NETWORK[:LAYER] ROW_MODEL OBJECTIVE",
                    place, words.size()));
  }
  try {
    builder.add(words[0], words[1], {parse_row_model("row model", words[2])},
                {Objective::parse(words[3])});
  } catch (const InputError& error) {
    throw InputError(place + ": " + error.what());
  }
}

std::vector<BenchCase> from_file(const std::string& path) {
  const files::Source file = files::load_file(path);
  std::istringstream lines(file.text);
  CorpusBuilder builder;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    add_line(builder, fmt::format("{}:{}", file.label, ++number), line);
  }
  return builder.take();
}

}  // namespace

std::string BenchCase::name() const {
  return fmt::format("{} {} {} {}", architecture_name, layer, row_model_name(row_model),
                     objective.to_string());
}

std::vector<BenchCase> bench_corpus(const CorpusSettings& settings) {
  if (settings.corpus == "full") {
    return product(settings, architecture_presets(), {kNetworks.begin(), kNetworks.end()});
  }
  if (settings.corpus == "small") {
    return product(settings, {"simple_pim", "default_pim"}, {"alexnet", "bert_base"});
  }
  if (!files::path_exists(settings.corpus)) {
    constexpr std::array<std::string_view, 2> kNames{"full", "small"};
    throw InputError(
        fmt::format("--corpus: found '{}'{}, allowed are full, small and existing files",
                    settings.corpus, files::did_you_mean(settings.corpus, kNames)));
  }
  refuse_filters(settings);
  std::vector<BenchCase> cases = from_file(settings.corpus);
  if (cases.empty()) {
    throw InputError(settings.corpus + ": found no case, at least one is required");
  }
  return cases;
}

}  // namespace pimbb::dram_pim::cli

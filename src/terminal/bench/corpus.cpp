// Assembling the list: products of names, or the lines of a file.
#include "terminal/bench/corpus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>

#include "files/nearest.hpp"
#include "files/source.hpp"
#include "layers/network_presets.hpp"
#include "pimbb/error.hpp"
#include "pimbb/io.hpp"

namespace pimbb::terminal {
namespace {

using Names = std::vector<std::string>;

constexpr std::array<std::string_view, 2> kListed{"full", "small"};

struct NamedLayer {
  std::string name;
  Workload workload;
};

bool is_network(const std::string& source) { return layers::network_table().is_source(source); }

/// All layers of a network, or the one that NETWORK:LAYER names.
std::vector<NamedLayer> read_layers(const std::string& source) {
  std::vector<NamedLayer> layers;
  for (const NetworkLayer& layer : read_part(source).layers) {
    layers.push_back(
        {is_network(source) ? source + ":" + layer.workload.name : source, layer.workload});
  }
  return layers;
}

/// The list as it grows: reads each network once, drops problems that are there already.
class CorpusBuilder {
 public:
  explicit CorpusBuilder(const CorpusKind& corpus) : corpus_(corpus) {}

  void add(const std::string& architecture, const std::string& layers, const Names& models,
           const Names& objectives) {
    if (!layers_.contains(layers)) {
      layers_[layers] =
          corpus_.whole_networks ? std::vector<NamedLayer>{{layers, {}}} : read_layers(layers);
    }
    for (const NamedLayer& layer : layers_[layers]) {
      for (const std::string& model : models) {
        for (const std::string& objective : objectives) {
          BenchCase problem;
          problem.architecture = architecture;
          problem.layer = layer.name;
          problem.workload = layer.workload;
          problem.whole_network = corpus_.whole_networks;
          problem.model = model;
          problem.objective = objective;
          add(std::move(problem));
        }
      }
    }
  }

  [[nodiscard]] std::vector<BenchCase> take() { return std::move(cases_); }

 private:
  void add(BenchCase problem) {
    corpus_.complete(problem);
    if (seen_.insert(problem.problem).second) cases_.push_back(std::move(problem));
  }

  const CorpusKind& corpus_;
  std::map<std::string, std::vector<NamedLayer>> layers_;
  std::set<std::string> seen_;
  std::vector<BenchCase> cases_;
};

Names only(const std::optional<std::string>& chosen, const Names& all) {
  return chosen ? Names{*chosen} : all;
}

std::vector<BenchCase> product(const CorpusSettings& settings, const CorpusKind& corpus,
                               const CorpusLists& lists) {
  CorpusBuilder builder(corpus);
  for (const std::string& architecture : only(settings.arch, lists.architectures)) {
    for (const std::string& network : only(settings.network, lists.networks)) {
      builder.add(architecture, network, only(settings.model, corpus.models),
                  only(settings.objective, corpus.objectives));
    }
  }
  return builder.take();
}

bool is_product(const CorpusSettings& settings) {
  return std::ranges::find(kListed, settings.corpus) != kListed.end();
}

/// Leaves the cases in which `names_of`, of one or two names, has the one chosen.
template <class NamesOf>
void select(std::vector<BenchCase>& cases, const std::string& option,
            const std::optional<std::string>& chosen, const NamesOf& names_of) {
  if (!chosen) return;
  std::set<std::string> known;
  std::vector<BenchCase> left;
  for (BenchCase& problem : cases) {
    const Names names = names_of(problem);
    known.insert(names.begin(), names.end());
    if (std::ranges::find(names, *chosen) != names.end()) left.push_back(std::move(problem));
  }
  if (left.empty()) {
    const std::vector<std::string_view> words(known.begin(), known.end());
    throw InputError(fmt::format(
        "{}: found '{}'{}, allowed are {}: the cases of corpus '{}' that "
        "other options leave",
        option, *chosen, files::did_you_mean(*chosen, words), fmt::join(words, ", "), kHardCorpus));
  }
  cases = std::move(left);
}

/// The cases of `hard` that options select: they name what its cases have.
std::vector<BenchCase> selected(const CorpusSettings& settings, const BenchKind& kind,
                                const CorpusKind& corpus) {
  std::vector<BenchCase> cases = corpus.hard();
  select(cases, settings.arch_option, settings.arch,
         [](const BenchCase& problem) { return Names{problem.architecture}; });
  select(cases, "--network", settings.network, [](const BenchCase& problem) {
    return Names{problem.layer.substr(0, problem.layer.find(':')), problem.layer};
  });
  select(cases, kind.model_option, settings.model,
         [](const BenchCase& problem) { return Names{problem.model}; });
  select(cases, "--objective", settings.objective,
         [](const BenchCase& problem) { return Names{problem.objective}; });
  for (BenchCase& problem : cases) corpus.complete(problem);
  return cases;
}

/// A corpus file says everything itself.
void refuse_filters(const CorpusSettings& settings, const BenchKind& kind) {
  const auto refuse = [&](bool given, const std::string& option) {
    if (!given) return;
    throw InputError(fmt::format("{}: narrows the listed corpora, but --corpus is the file '{}'",
                                 option, settings.corpus));
  };
  refuse(settings.arch.has_value(), settings.arch_option);
  refuse(settings.network.has_value(), "--network");
  refuse(settings.objective.has_value(), "--objective");
  refuse(settings.model.has_value(), kind.model_option);
}

/// `visit(place, words)` for every line that has words, until it returns false.
template <class Visit>
void for_lines(const files::Source& file, const Visit& visit) {
  std::istringstream lines(file.text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string place = fmt::format("{}:{}", file.label, ++number);
    std::istringstream stream(line.substr(0, line.find('#')));
    Names words;
    for (std::string word; stream >> word;) words.push_back(word);
    if (!words.empty() && !visit(place, words)) return;
  }
}

std::vector<BenchCase> from_file(const std::string& path, const BenchKind& kind,
                                 const CorpusKind& corpus) {
  CorpusBuilder builder(corpus);
  for_lines(files::load_file(path), [&](const std::string& place, const Names& words) {
    if (words.size() != 4) {
      throw InputError(fmt::format("{}: found {} words, allowed are 4: {} NETWORK{} {} OBJECTIVE",
                                   place, words.size(), kind.machine_word,
                                   corpus.whole_networks ? "" : "[:LAYER]", kind.model_word));
    }
    try {
      builder.add(words[0], words[1], {words[2]}, {words[3]});
    } catch (const InputError& error) {
      throw InputError(place + ": " + error.what());
    }
    return true;
  });
  return builder.take();
}

}  // namespace

bool is_listed(const CorpusSettings& settings) {
  return settings.corpus == kHardCorpus || is_product(settings);
}

std::vector<BenchCase> bench_corpus(const CorpusSettings& settings, const BenchKind& kind,
                                    const CorpusKind& corpus) {
  if (is_product(settings)) {
    return product(settings, corpus, settings.corpus == kListed[0] ? corpus.full : corpus.small);
  }
  if (corpus.hard && settings.corpus == kHardCorpus) return selected(settings, kind, corpus);
  if (!files::path_exists(settings.corpus)) {
    std::vector<std::string_view> listed(kListed.begin(), kListed.end());
    if (corpus.hard) listed.push_back(kHardCorpus);
    throw InputError(fmt::format("--corpus: found '{}'{}, allowed are {} and existing files",
                                 settings.corpus, files::did_you_mean(settings.corpus, listed),
                                 fmt::join(listed, ", ")));
  }
  refuse_filters(settings, kind);
  std::vector<BenchCase> cases = from_file(settings.corpus, kind, corpus);
  if (cases.empty()) {
    throw InputError(settings.corpus + ": found no case, at least one is required");
  }
  return cases;
}

Network read_part(const std::string& source) {
  if (is_network(source)) return read_network(source);
  Network network{source, {}};
  network.layers.push_back({read_workload(source)});
  return network;
}

FirstArchitecture first_architecture(const std::string& path) {
  FirstArchitecture first;
  for_lines(files::peek_file(path), [&](const std::string& place, const Names& words) {
    first = {words.front(), place};
    return false;
  });
  return first;
}

}  // namespace pimbb::terminal

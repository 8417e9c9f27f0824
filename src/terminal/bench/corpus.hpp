// The corpora of `pimbb bench`: lists of cases, for any kind of accelerator.
//
//   full    every architecture x every distinct layer of the networks x models x objectives
//   small   the same for fewer of them
//   hard    cases of a list of its own, where a kind has one
//   FILE    one line for each architecture and network: ARCH NETWORK[:LAYER] MODEL OBJECTIVE
//           (ARCH NETWORK MODEL OBJECTIVE where cases are whole networks), with the values of the
//           options of the same name; '#' begins a comment
//
// The same problem occurs once, with the name of the first layer that poses it. The order of the
// list is fixed, because signatures depend on it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/network.hpp"
#include "terminal/bench/case.hpp"

namespace pimbb::terminal {

/// A corpus and a selection of its problems. Absent: no restriction.
struct CorpusSettings {
  std::string corpus = "full";
  std::optional<std::string> arch;
  std::string arch_option = "--arch";  ///< that says so
  std::optional<std::string> network;
  std::optional<std::string> objective;
  std::optional<std::string> model;
};

struct CorpusLists {
  std::vector<std::string> architectures;
  std::vector<std::string> networks;
};

/// The name of the corpus whose cases a kind lists by itself.
inline constexpr std::string_view kHardCorpus = "hard";

/// What a corpus of one kind consists of.
struct CorpusKind {
  CorpusLists full, small;
  std::vector<std::string> models, objectives;
  bool whole_networks = false;  ///< a case is a network, not a layer of one
  /// The cases of the corpus `hard`, with names and layers; empty: there is no such corpus. Called
  /// before `complete`, for the selected ones of them.
  std::function<std::vector<BenchCase>()> hard = {};
  /// Completes a case that has names and, unless it is a whole network, a layer. Throws InputError
  /// for a name that does not exist.
  std::function<void(BenchCase& problem)> complete;
};

/// Whether the corpus is one of the lists, not a file.
bool is_listed(const CorpusSettings& settings);

/// The cases in order; of the corpus `hard`, those that the options select. Throws InputError if a
/// source is not acceptable or options contradict the corpus.
std::vector<BenchCase> bench_corpus(const CorpusSettings& settings, const BenchKind& kind,
                                    const CorpusKind& corpus);

/// A network, or the one layer of NETWORK:LAYER as a network.
Network read_part(const std::string& source);

/// The architecture of the first case of a corpus file, and the place of its line ("file:3"); an
/// empty name if the file has no case.
struct FirstArchitecture {
  std::string name;
  std::string place;
};
FirstArchitecture first_architecture(const std::string& path);

}  // namespace pimbb::terminal

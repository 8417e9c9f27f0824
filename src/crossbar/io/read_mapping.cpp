// Mapping files: `replication` and `cores` of a document.
#include <algorithm>
#include <array>

#include "crossbar/io/formats.hpp"
#include "files/nearest.hpp"
#include "files/source.hpp"
#include "files/value.hpp"
#include "pimbb/crossbar/io.hpp"

namespace pimbb::crossbar {
namespace {

class MappingReader {
 public:
  MappingReader(const Architecture& architecture, const Partition& partition)
      : a_(architecture), p_(partition) {
    for (const ArrayNode& array : p_.arrays) names_.emplace_back(p_.node(array).name);
  }

  [[nodiscard]] Mapping read(const files::Value& root) const {
    static constexpr std::array<std::string_view, 16> kKeys{
        "format", "version",   "command",     "network", "accelerator", "status",
        "reason", "objective", "replication", "cores",   "estimates",   "exact",
        "energy", "memory",    "simulation",  "stats"};
    static constexpr std::array<std::string_view, 1> kFormats{io::kMappingFormat};
    if (const auto format = root.get("format")) static_cast<void>(format->choice(kFormats));
    const files::Object object = root.object(kKeys);
    Mapping mapping;
    const files::Object replication = object["replication"].object(names_);
    for (const std::string_view name : names_) {
      mapping.replication.push_back(replication[name].integer(1));
    }
    const auto cores = static_cast<std::size_t>(a_.all_cores());
    const std::string lists =
        "lists of " + std::to_string(cores) + " cores, each a list of [NODE, ARRAY GROUPS]";
    for (const files::Value& core : object["cores"].list(lists, cores)) {
      mapping.cores.push_back(shares(core));
    }
    return mapping;
  }

 private:
  [[nodiscard]] std::vector<Share> shares(const files::Value& core) const {
    std::vector<Share> shares;
    for (const files::Value& item : core.list("lists of [NODE, ARRAY GROUPS]")) {
      const std::vector<files::Value> pair = item.list("lists [NODE, ARRAY GROUPS]", 2);
      const std::size_t array = pair[0].choice(names_);
      if (std::ranges::count(shares, array, &Share::array) > 0) {
        pair[0].fail("a node a second time: " + pair[0].found(), "each node of a core once");
      }
      shares.push_back({array, pair[1].integer(1, a_.core.crossbars)});
    }
    std::ranges::sort(shares, {}, &Share::array);
    return shares;
  }

  const Architecture& a_;
  const Partition& p_;
  std::vector<std::string_view> names_;  // of the array nodes
};

}  // namespace

Mapping parse_mapping(std::string_view text, const std::string& label,
                      const Architecture& architecture, const Partition& partition) {
  const files::Document document(text, label);
  return MappingReader(architecture, partition).read(files::Value(document, "mapping"));
}

Mapping read_mapping(const std::string& path, const Architecture& architecture,
                     const Partition& partition) {
  const files::Source file = files::load_file(path);
  return parse_mapping(file.text, file.label, architecture, partition);
}

}  // namespace pimbb::crossbar

// Mapping files: the `mapping` of a pimbb-cim-mapping/1 document, or that object alone.
#include <algorithm>

#include "cim/io/formats.hpp"
#include "files/nearest.hpp"
#include "files/source.hpp"
#include "files/value.hpp"
#include "layers/read_workload.hpp"
#include "pimbb/cim/io.hpp"

namespace pimbb::cim {
namespace {

constexpr std::size_t kMostLoops = 63;  // more factors >= 2 make 2^63 iterations

/// The mapping object inside a whole document; the value itself if it is a bare mapping.
files::Value mapping_inside(const files::Value& root) {
  if (!root.has("mapping") && !root.has("format")) return root;
  static constexpr std::array<std::string_view, 21> kKeys{
      "format",  "version",   "command",    "layer", "repetitions", "weight",       "method",
      "status",  "semantics", "contention", "pad",   "space",       "objective",    "reason",
      "optimum", "mapping",   "metrics",    "stats", "workload",    "architecture", "warnings"};
  const std::array<std::string_view, 1> formats{io::kMappingFormat};
  if (const auto v = root.get("format")) static_cast<void>(v->choice(formats));
  return root.object(kKeys)["mapping"];
}

class Reader {
 public:
  explicit Reader(const Architecture& architecture) : a_(architecture) {
    for (const Axis& axis : a_.axes) axis_names_.push_back(axis.name);
    for (const Level& level : a_.levels) level_names_.push_back(level.name);
    mapping_.spatial.assign(a_.axes.size(), kOnes);
    mapping_.doubled.assign(a_.levels.size(), TensorFlags{});
  }

  Mapping read(const files::Value& value) {
    static constexpr std::array<std::string_view, 3> kKeys{"spatial", "loops", "double"};
    const files::Object object = value.object(kKeys);
    spatial(object["spatial"]);
    loops(object["loops"]);
    if (const auto v = object.find("double")) doubled(*v);
    return mapping_;
  }

 private:
  void spatial(const files::Value& value) {
    const files::Object axes = value.object(axis_names_);
    for (std::size_t u = 0; u < axis_names_.size(); ++u) {
      const auto given = axes.find(axis_names_[u]);
      if (!given) continue;
      const files::Object factors = given->object(kDimNames);
      for (const Dim d : kAllDims) {
        if (const auto f = factors.find(name(d))) {
          mapping_.spatial[u][index(d)] = f->integer(1);
        }
      }
    }
  }

  void loops(const files::Value& value) {
    static constexpr std::string_view kLoops =
        "lists of at most 63 loops, outermost first: [DIMENSION, FACTOR, INPUT LEVEL, WEIGHT "
        "LEVEL, "
        "OUTPUT LEVEL]";
    const std::vector<files::Value> items = value.list(kLoops);
    if (items.size() > kMostLoops) {
      value.fail("a list of " + std::to_string(items.size()), kLoops);
    }
    for (const files::Value& item : items) {
      const std::vector<files::Value> parts = item.list(
          "lists [DIMENSION, FACTOR, INPUT LEVEL, WEIGHT LEVEL, OUTPUT LEVEL]", 2 + kTensors);
      Loop loop;
      loop.dim = static_cast<Dim>(parts[0].choice(kDimNames));
      loop.factor = parts[1].integer(1);
      for (const Tensor t : kAllTensors) {
        loop.level[index(t)] = static_cast<std::uint8_t>(parts[2 + index(t)].choice(level_names_));
      }
      if (loop.factor > 1) mapping_.loops.push_back(loop);
    }
  }

  void doubled(const files::Value& value) {
    const files::Object levels = value.object(level_names_);
    for (std::size_t m = 0; m < level_names_.size(); ++m) {
      if (const auto given = levels.find(level_names_[m])) {
        mapping_.doubled[m] = given->subset(kTensorNames, "tensor");
      }
    }
  }

  const Architecture& a_;
  std::vector<std::string_view> axis_names_, level_names_;
  Mapping mapping_;
};

}  // namespace

Mapping parse_mapping(std::string_view text, const std::string& label,
                      const Architecture& architecture) {
  const files::Document document(text, label);
  return Reader(architecture).read(mapping_inside(files::Value(document, "mapping")));
}

MappingFile read_mapping_file(const std::string& path, const Architecture& architecture) {
  const files::Source file = files::load_file(path);
  const files::Document document(file.text, file.label);
  const files::Value root(document, "mapping");
  MappingFile given{Reader(architecture).read(mapping_inside(root)), {}, {}};
  if (const auto layer = root.get("layer")) given.layer = layer->text("names");
  if (const auto of = root.get("workload")) given.workload = layers::read_workload(*of);
  return given;
}

Mapping read_mapping(const std::string& path, const Architecture& architecture) {
  const files::Source file = files::load_file(path);
  return parse_mapping(file.text, file.label, architecture);
}

}  // namespace pimbb::cim

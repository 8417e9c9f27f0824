// Mapping files: the `mapping` of a pimbb-mapping/1 document, or that object alone; or Timeloop's.
#include <algorithm>

#include "dram_pim/io/formats.hpp"
#include "dram_pim/io/mapping_in.hpp"
#include "dram_pim/io/read_timeloop.hpp"
#include "files/nearest.hpp"
#include "files/source.hpp"
#include "files/value.hpp"
#include "layers/read_workload.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace {

/// The mapping object inside a whole document; the value itself if it is a bare mapping.
files::Value find_mapping(const files::Value& root) {
  if (!root.has("mapping") && !root.has("format")) return root;
  static constexpr std::array<std::string_view, 23> kKeys{
      "format",    "version",  "command",     "layer",    "repetitions", "weight",
      "row_model", "method",   "seed",        "samples",  "status",      "objective",
      "reason",    "mapping",  "metrics",     "dataflow", "stats",       "architecture",
      "workload",  "warnings", "constraints", "padded",   "padding_hint"};
  // The format first: another one's keys would only be called unknown.
  const std::array<std::string_view, 1> formats{io::kMappingFormat};
  if (const auto v = root.get("format")) static_cast<void>(v->choice(formats));
  return root.object(kKeys)["mapping"];
}

/// The bounds of the layer that is mapped: the layer's own, or larger ones.
Factors padded_bounds(const files::Value& value, const Workload& workload) {
  const files::Object object = value.object(kDimNames);
  Factors bounds = workload.bounds;
  for (const Dim d : kAllDims) {
    const auto bound = object.find(name(d));
    if (bound) bounds[index(d)] = bound->integer(workload.bound(d));
  }
  try {
    validate(with_bounds(workload, bounds));
  } catch (const InputError& error) {
    throw InputError(value.prefix() + error.what());
  }
  return bounds;
}

class MappingReader {
 public:
  explicit MappingReader(const Architecture& architecture) : architecture_(architecture) {
    for (const MemoryLevel& level : architecture.levels) level_names_.push_back(level.name);
    mapping_.levels.resize(architecture.levels.size());
  }

  Mapping read(const files::Value& value) {
    static constexpr std::array<std::string_view, 6> kKeys{"spatial", "temporal",    "stores",
                                                           "layout",  "input_block", "input_order"};
    const files::Object object = value.object(kKeys);
    spatial(object["spatial"]);
    temporal(object["temporal"]);
    stores(object["stores"]);
    layout(object["layout"]);
    const bool needed = mapping_.layout[index(Tensor::input)] == Layout::row_aligned;
    if (needed || object.find("input_block")) input_block(object["input_block"], needed);
    const bool open = architecture_.has_free_input_order() && !needed;
    if (open || object.find("input_order")) input_order(object["input_order"], open);
    return mapping_;
  }

 private:
  /// A direction that is left out unrolls nothing, and so does a dimension.
  void spatial(const files::Value& value) {
    const files::Object directions = value.object(kDirectionNames);
    for (const Direction d : kAllDirections) {
      const auto given = directions.find(name(d));
      if (!given) continue;
      const files::Object factors = given->object(kDimNames);
      for (const Dim j : kAllDims) {
        if (const auto f = factors.find(name(j))) {
          mapping_.spatial[index(d)][index(j)] = f->integer(1);
        }
      }
    }
  }

  void temporal(const files::Value& value) {
    static constexpr std::array<std::string_view, 2> kKeys{"level", "loops"};
    std::vector<bool> seen(level_names_.size());
    for (const files::Value& item : value.list("lists of levels: {level: NAME, loops: [...]}")) {
      const files::Object object = item.object(kKeys);
      const files::Value name = object["level"];
      const std::size_t m = name.choice(level_names_);
      if (seen[m]) name.fail("a level a second time: " + name.found(), "each level once");
      seen[m] = true;
      loops(object["loops"], mapping_.levels[m].loops);
      if (m == 0) in_fixed_order(mapping_.levels[m].loops);
    }
  }

  static void loops(const files::Value& value, std::vector<Loop>& loops) {
    std::array<bool, kDims> seen{};
    for (const files::Value& item :
         value.list("lists of loops, outermost first: [[DIMENSION, FACTOR]]")) {
      const std::vector<files::Value> pair = item.list("pairs [DIMENSION, FACTOR]", 2);
      const auto dim = static_cast<Dim>(pair[0].choice(kDimNames));
      const std::int64_t factor = pair[1].integer(1);
      if (seen[index(dim)]) {
        pair[0].fail("a second loop over " + std::string(name(dim)),
                     "loops over each dimension once per level");
      }
      seen[index(dim)] = true;
      if (factor > 1) loops.push_back({dim, factor});
    }
  }

  /// The innermost level runs its loops in one order only (kPeOrder), however they are listed.
  static void in_fixed_order(std::vector<Loop>& loops) {
    std::sort(loops.begin(), loops.end(),
              [](const Loop& a, const Loop& b) { return pe_place(a.dim) < pe_place(b.dim); });
  }

  void stores(const files::Value& value) {
    const files::Object levels = value.object(level_names_);
    for (std::size_t m = 0; m < level_names_.size(); ++m) {
      TensorFlags& flags = mapping_.levels[m].stores;
      if (m >= architecture_.row_buffer() && !levels.find(level_names_[m])) {
        flags = {true, true, true};
        continue;
      }
      flags = levels[level_names_[m]].subset(kTensorNames, "tensor");
    }
  }

  void layout(const files::Value& value) {
    const files::Object tensors = value.object(kTensorNames);
    for (const Tensor t : kAllTensors) {
      mapping_.layout[index(t)] = static_cast<Layout>(tensors[name(t)].choice(kLayoutNames));
    }
  }

  /// Read, and so checked, even where the input is sequential; kept only where it means something.
  void input_block(const files::Value& value, bool needed) {
    static constexpr std::array<std::string_view, 2> kKeys{"h", "w"};
    const files::Object object = value.object(kKeys);
    const Block block{object["h"].integer(1), object["w"].integer(1)};
    if (needed) mapping_.input_block = block;
  }

  /// Needed where the architecture leaves the order open and the input is sequential; elsewhere it
  /// may not contradict the architecture.
  void input_order(const files::Value& value, bool open) {
    static constexpr std::array kFixed{name(InputOrder::nchw), name(InputOrder::nhwc)};
    const auto order = static_cast<InputOrder>(value.choice(kFixed));
    if (open) mapping_.input_order = order;
    if (!architecture_.has_free_input_order() && order != architecture_.input_order) {
      value.fail(value.found(), "'" + std::string(name(architecture_.input_order)) +
                                    "', the input_order of the architecture");
    }
  }

  const Architecture& architecture_;
  std::vector<std::string_view> level_names_;
  Mapping mapping_;
};

}  // namespace

Mapping io::mapping_in(const files::Value& value, const Architecture& architecture) {
  return MappingReader(architecture).read(find_mapping(value));
}

Mapping parse_mapping(std::string_view text, const std::string& label,
                      const Architecture& architecture) {
  const files::Document document(text, label);
  return io::mapping_in(files::Value(document, "mapping"), architecture);
}

Mapping read_mapping(const std::string& path, const Architecture& architecture) {
  const files::Source file = files::load_file(path);
  return parse_mapping(file.text, file.label, architecture);
}

MappingFile parse_mapping_file(std::string_view text, const std::string& label,
                               const Architecture& architecture, const Workload& workload) {
  const files::Document document(text, label);
  const files::Value root(document, "mapping");
  if (io::is_timeloop_mapping(root)) {
    return {io::read_timeloop_mapping(root, architecture, workload), false, {}, {}, {}};
  }
  MappingFile file{MappingReader(architecture).read(find_mapping(root)), true, {}, {}, {}};
  if (const auto layer = root.get("layer")) file.layer = layer->text("names");
  if (const auto of = root.get("workload")) file.workload = layers::read_workload(*of);
  if (const auto padded = root.get("padded")) file.bounds = padded_bounds(*padded, workload);
  return file;
}

MappingFile read_mapping_file(const std::string& path, const Architecture& architecture,
                              const Workload& workload) {
  const files::Source file = files::load_file(path);
  return parse_mapping_file(file.text, file.label, architecture, workload);
}

}  // namespace pimbb::dram_pim

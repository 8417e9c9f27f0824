// The columns in the order of the dimensions.
#include "terminal/shape_columns.hpp"

namespace pimbb::terminal {

std::vector<std::string> joined(std::initializer_list<std::vector<std::string>> parts) {
  std::vector<std::string> all;
  for (const std::vector<std::string>& part : parts)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<std::string> shape_names() {
  std::vector<std::string> names;
  for (const Dim d : kAllDims) names.emplace_back(name(d));
  return joined({names, {"stride_w", "stride_h", "dilation_w", "dilation_h", "macs"}});
}

void add_shape(files::CsvRow& row, const Workload& w) {
  for (const Dim d : kAllDims) row.add(w.bound(d));
  row.add(w.stride_w).add(w.stride_h).add(w.dilation_w).add(w.dilation_h).add(w.macs());
}

}  // namespace pimbb::terminal

// The columns of CSV tables that say which layer a row is about.
#pragma once

#include <string>
#include <vector>

#include "files/csv.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::terminal {

/// The names of a layer's bounds, strides, dilations and MACs, and these figures.
std::vector<std::string> shape_names();
void add_shape(files::CsvRow& row, const Workload& workload);

/// Lists of names one after the other.
std::vector<std::string> joined(std::initializer_list<std::vector<std::string>> parts);

}  // namespace pimbb::terminal

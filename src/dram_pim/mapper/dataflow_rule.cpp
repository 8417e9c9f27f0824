// Taking a dataflow's demands from the model, and the rows of rs.
#include "dram_pim/mapper/dataflow_rule.hpp"

#include "dram_pim/model/dataflow.hpp"

namespace pimbb::dram_pim::mapper {

DataflowRule::DataflowRule(const Architecture& architecture, const Workload& workload,
                           Method method)
    : method_(method), tensor_(stationary_tensor(method)), bounds_(workload.bounds) {
  if (!is_dataflow(method)) return;
  if (tensor_) home_ = model::home_level(architecture, *tensor_);
  const model::RowUnrolling rows = model::row_unrolling(architecture.pe_array, workload);
  filter_rows_ = rows.filter_rows;
  output_rows_ = rows.output_rows;
  must_store_.resize(architecture.levels.size());
  for (std::size_t m = 0; m < must_store_.size(); ++m) {
    for (const Tensor t : kAllTensors) {
      must_store_[m][index(t)] = model::must_store(architecture, method, m, t);
    }
  }
}

bool DataflowRule::keeps(const std::vector<TensorFlags>& stores) const {
  for (std::size_t m = 0; m < must_store_.size(); ++m) {
    for (std::size_t t = 0; t < kTensors; ++t) {
      if (must_store_[m][t] && !stores[m][t]) return false;
    }
  }
  return true;
}

bool DataflowRule::unrolls(const Factors& array, const Factors& internal) const {
  if (method_ != Method::rs) return true;
  const auto on_array = [&](Dim j) { return array[index(j)]; };
  const auto inside = [&](Dim j) { return internal[index(j)]; };
  return on_array(Dim::R) == 1 && on_array(Dim::P) == 1 && on_array(Dim::S) == filter_rows_ &&
         on_array(Dim::Q) >= output_rows_ && inside(Dim::S) == 1 && inside(Dim::Q) == 1;
}

bool DataflowRule::covers(const Factors& tile, const Factors& array) const {
  if (method_ != Method::rs) return true;
  const auto same = [&](const Factors& other, Dim j) { return tile[index(j)] == other[index(j)]; };
  return same(bounds_, Dim::R) && same(array, Dim::S) && same(array, Dim::Q);
}

}  // namespace pimbb::dram_pim::mapper

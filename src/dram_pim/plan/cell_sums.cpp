// Values and their integers; tables of layers, and the sum of all.
#include "dram_pim/plan/cell_sums.hpp"

#include <algorithm>

#include "dram_pim/plan/layer_table.hpp"

namespace pimbb::dram_pim::network {
namespace {

using search::Value;

/// Values as they are.
class PlainNumbers {
 public:
  using Number = Value;
  explicit PlainNumbers(std::size_t goals) : zero_(std::vector<Rational>(goals)) {}

  [[nodiscard]] const Value& zero() const { return zero_; }
  [[nodiscard]] static Value infinite() { return {}; }
  [[nodiscard]] static std::optional<Value> number(const Value& value) { return value; }
  [[nodiscard]] static const Value& value(const Value& number) { return number; }

 private:
  Value zero_;
};

class PackedNumbers {
 public:
  using Number = Int128;
  explicit PackedNumbers(const search::Packing& packing) : packing_(packing) {}

  [[nodiscard]] static Int128 zero() { return 0; }
  [[nodiscard]] static Int128 infinite() { return search::kInfiniteInteger; }
  [[nodiscard]] std::optional<Int128> number(const Value& value) const {
    return packing_.integer(value);
  }
  [[nodiscard]] Value value(Int128 number) const { return packing_.value(number); }

 private:
  search::Packing packing_;
};

template <class Numbers>
class SumsOf final : public CellSums {
 public:
  using Number = typename Numbers::Number;

  SumsOf(const Exchange& exchange, const std::vector<Grid>& bounds, const std::vector<Grid>& passes,
         Numbers numbers)
      : exchange_(exchange), numbers_(std::move(numbers)), domains_(exchange.shared.size(), 1) {
    for (std::size_t s = 0; s < passes.size(); ++s) {
      domains_[exchange.sides[s].shared] = passes[s][0].size();
    }
    for (std::size_t l = 0; l < bounds.size(); ++l) {
      std::vector<NumberRow> own;
      for (const Row& row : bounds[l]) own.push_back(*row_of(row));
      const ExchangeLayer& layer = exchange.layers[l];
      tables_.emplace_back(std::move(own), by_shared(layer.input, passes),
                           by_shared(layer.output, passes), numbers_.infinite());
    }
  }

  [[nodiscard]] Least least() const override {
    std::vector<search::TableView<Number>> views;
    for (std::size_t l = 0; l < tables_.size(); ++l) views.push_back(view(l));
    Least least;
    least.shared = search::least_sum<Number>(domains_, views, numbers_.zero());
    Number sum = numbers_.zero();
    for (const auto& view : views) {
      const Number& more = view.at(least.shared);
      if (!(more < numbers_.infinite())) return least;
      sum += more;
    }
    least.value = numbers_.value(sum);
    for (std::size_t l = 0; l < tables_.size(); ++l) {
      const ExchangeLayer& layer = exchange_.layers[l];
      const auto chosen = [&](const std::optional<std::size_t>& side) {
        return side ? least.shared[exchange_.sides[*side].shared] : 0;
      };
      const auto cells = tables_[l].cells(chosen(layer.input), chosen(layer.output));
      least.layers.push_back({cells.input, cells.output});
    }
    return least;
  }

  [[nodiscard]] std::optional<Rational> room(std::size_t layer, const Own& own,
                                             const Shared& shared) const override {
    const Cells cells{own.input, own.output};
    const Value other = numbers_.value(tables_[layer].other(cells, shared.from, shared.to));
    if (other.infinite()) return std::nullopt;
    const Value sum = numbers_.value(tables_[layer].sum(cells, shared.from, shared.to));
    return other.goals()[0] - sum.goals()[0];
  }

  bool raise(std::size_t layer, const Own& own, const Value& bound) override {
    auto number = numbers_.number(bound);
    if (number) tables_[layer].raise({own.input, own.output}, std::move(*number));
    return number.has_value();
  }

  bool split_side(std::size_t s, std::size_t cell, const Row& low, const Row& high) override {
    auto first = row_of(low);
    auto second = row_of(high);
    if (!first || !second) return false;
    const ExchangeSide& side = exchange_.sides[s];
    if (side.tensor == Tensor::input) {
      tables_[side.layer].split_input(cell, std::move(*first), std::move(*second));
    } else {
      tables_[side.layer].split_output(cell, std::move(*first), std::move(*second));
    }
    return true;
  }

  bool split_shared(std::size_t s, std::size_t cell, const Row& low, const Row& high) override {
    auto first = row_of(low);
    auto second = row_of(high);
    if (!first || !second) return false;
    const ExchangeSide& side = exchange_.sides[s];
    // Every side of the tensor comes once for each split; the first of them counts it.
    if (s == exchange_.shared[side.shared].sides.front()) ++domains_[side.shared];
    if (side.tensor == Tensor::input) {
      tables_[side.layer].split_from(cell, std::move(*first), std::move(*second));
    } else {
      tables_[side.layer].split_to(cell, std::move(*first), std::move(*second));
    }
    return true;
  }

 private:
  using Cells = typename LayerTable<Number>::Cells;
  using NumberRow = std::vector<Number>;

  [[nodiscard]] std::optional<NumberRow> row_of(const Row& values) const {
    NumberRow row;
    for (const Value& value : values) {
      auto number = numbers_.number(value);
      if (!number) return std::nullopt;
      row.push_back(std::move(*number));
    }
    return row;
  }

  /// Passes by cells of the shared tensor, and then of the side.
  std::vector<NumberRow> by_shared(const std::optional<std::size_t>& side,
                                   const std::vector<Grid>& passes) const {
    if (!side) return {{numbers_.zero()}};
    const Grid& own = passes[*side];
    std::vector<NumberRow> turned(own[0].size());
    for (const Row& row : own) {
      for (std::size_t g = 0; g < turned.size(); ++g) {
        turned[g].push_back(*numbers_.number(row[g]));
      }
    }
    return turned;
  }

  [[nodiscard]] search::TableView<Number> view(std::size_t l) const {
    const ExchangeLayer& layer = exchange_.layers[l];
    const LayerTable<Number>& table = tables_[l];
    search::TableView<Number> view{{}, table.sums(), {}};
    if (layer.input) {
      view.variables.push_back(exchange_.sides[*layer.input].shared);
      view.steps.push_back(table.stride());
    }
    if (!layer.output) return view;
    const std::size_t written = exchange_.sides[*layer.output].shared;
    if (!view.variables.empty() && view.variables[0] == written) {
      view.steps[0] += 1;  // along the diagonal
    } else {
      view.variables.push_back(written);
      view.steps.push_back(1);
    }
    return view;
  }

  const Exchange& exchange_;
  Numbers numbers_;
  std::vector<std::size_t> domains_;  // cells of the shared tensors
  std::vector<LayerTable<Number>> tables_;
};

/// Room for all of these values, in sums of one of each kind for every layer; nothing if there is
/// none.
std::optional<search::Packing> packing_for(std::size_t goals,
                                           const std::vector<CellSums::Grid>& bounds,
                                           const std::vector<CellSums::Grid>& passes) {
  search::Packing packing(goals, bounds.size() + passes.size());
  for (const auto* grids : {&bounds, &passes}) {
    for (const CellSums::Grid& grid : *grids) {
      for (const CellSums::Row& row : grid) {
        if (!std::ranges::all_of(row, [&](const Value& v) { return packing.admit(v); })) {
          return std::nullopt;
        }
      }
    }
  }
  return packing;
}

}  // namespace

std::unique_ptr<CellSums> CellSums::make(const Exchange& exchange, std::size_t goals,
                                         const std::vector<Grid>& bounds,
                                         const std::vector<Grid>& passes) {
  if (const auto packing = packing_for(goals, bounds, passes)) {
    return std::make_unique<SumsOf<PackedNumbers>>(exchange, bounds, passes,
                                                   PackedNumbers(*packing));
  }
  return std::make_unique<SumsOf<PlainNumbers>>(exchange, bounds, passes, PlainNumbers(goals));
}

}  // namespace pimbb::dram_pim::network

// Values and their integers; tables of layers, and the sum of all.
#include "dram_pim/plan/cell_sums.hpp"

#include <algorithm>

#include "run/parallel_for.hpp"
#include "search/least_sum.hpp"

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
  explicit PackedNumbers(search::Packing packing) : packing_(std::move(packing)) {}

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
      : exchange_(exchange),
        numbers_(std::move(numbers)),
        tables_(tables_of(bounds, passes)),
        sum_(domains_of(passes), summands(), numbers_.zero(), numbers_.infinite()) {}

  [[nodiscard]] Least least() override {
    pass_on();
    Least least;
    least.shared = sum_.choice();
    Number sum = numbers_.zero();
    for (std::size_t l = 0; l < tables_.size(); ++l) {
      const Number& more = sum_.number(l, least.shared);
      if (!(more < numbers_.infinite())) return least;
      sum += more;
    }
    least.value = numbers_.value(sum);
    for (std::size_t l = 0; l < tables_.size(); ++l) {
      const Shared at = shared_of(exchange_.layers[l], exchange_, least.shared);
      least.layers.push_back(tables_[l].cells(at));
    }
    return least;
  }

  [[nodiscard]] std::optional<Next> next(std::size_t layer, const Own& own,
                                         const Shared& shared) const override {
    const auto [number, others] = tables_[layer].other(own, shared);
    const Value other = numbers_.value(number);
    if (other.infinite()) return std::nullopt;
    const Value sum = numbers_.value(tables_[layer].sum_of(own, shared));
    return Next{others, other.goals()[0] - sum.goals()[0]};
  }

  bool raise(std::size_t layer, const Own& own, const Value& bound) override {
    auto number = numbers_.number(bound);
    if (number) tables_[layer].raise(own, std::move(*number));
    return number.has_value();
  }

  bool raise_pass(std::size_t s, std::size_t own, std::size_t shared, const Value& pass) override {
    auto number = numbers_.number(pass);
    if (!number) return false;
    const ExchangeSide& side = exchange_.sides[s];
    if (side.tensor == Tensor::input) {
      tables_[side.layer].raise_before(shared, own, std::move(*number));
    } else {
      tables_[side.layer].raise_after(shared, own, std::move(*number));
    }
    return true;
  }

  void suppose() override {
    pass_on();
    for (Table& table : tables_) table.suppose();
    sum_.suppose();
  }

  void confirm() override {
    for (Table& table : tables_) table.confirm();
    sum_.confirm();
  }

  void retract() override {
    for (Table& table : tables_) table.retract();
    sum_.retract();
  }

  void split_side(std::size_t s, std::size_t cell) override {
    const ExchangeSide& side = exchange_.sides[s];
    if (side.tensor == Tensor::input) {
      tables_[side.layer].split_input(cell);
    } else {
      tables_[side.layer].split_output(cell);
    }
  }

  void split_shared(std::size_t g, std::size_t cell) override {
    pass_on();
    for (const std::size_t s : exchange_.shared[g].sides) {
      const ExchangeSide& side = exchange_.sides[s];
      if (side.tensor == Tensor::input) {
        tables_[side.layer].split_from(cell);
      } else {
        tables_[side.layer].split_to(cell);
      }
    }
    sum_.split(g, cell);
  }

 private:
  using Table = LayerTable<Number>;
  using NumberRow = std::vector<Number>;

  [[nodiscard]] std::vector<Table> tables_of(const std::vector<Grid>& bounds,
                                             const std::vector<Grid>& passes) const {
    std::vector<std::optional<Table>> made(bounds.size());
    run::parallel_for(bounds.size(), [&](std::size_t l) {
      std::vector<NumberRow> own;
      for (const Row& row : bounds[l]) {
        NumberRow& numbers = own.emplace_back();
        for (const Value& value : row) numbers.push_back(*numbers_.number(value));
      }
      const ExchangeLayer& layer = exchange_.layers[l];
      made[l].emplace(std::move(own), by_shared(layer.input, passes),
                      by_shared(layer.output, passes), numbers_.infinite());
    });
    std::vector<Table> tables;
    for (std::optional<Table>& table : made) tables.push_back(*std::move(table));
    return tables;
  }

  /// Passes by cells of the shared tensor, and then of the side.
  [[nodiscard]] std::vector<NumberRow> by_shared(const std::optional<std::size_t>& side,
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

  /// Cells of the shared tensors.
  [[nodiscard]] std::vector<std::size_t> domains_of(const std::vector<Grid>& passes) const {
    std::vector<std::size_t> domains(exchange_.shared.size(), 1);
    for (std::size_t s = 0; s < passes.size(); ++s) {
      domains[exchange_.sides[s].shared] = passes[s][0].size();
    }
    return domains;
  }

  /// Whether a layer reads and writes one shared tensor.
  [[nodiscard]] bool is_diagonal(std::size_t l) const {
    const ExchangeLayer& layer = exchange_.layers[l];
    return layer.input && layer.output &&
           exchange_.sides[*layer.input].shared == exchange_.sides[*layer.output].shared;
  }

  /// A layer's table as one of the sum: what the sum's variables are there.
  [[nodiscard]] std::vector<std::size_t> place(std::size_t l, const Shared& at) const {
    const ExchangeLayer& layer = exchange_.layers[l];
    std::vector<std::size_t> place;
    if (layer.input) place.push_back(at.from);
    if (layer.output && !is_diagonal(l)) place.push_back(at.to);
    return place;
  }

  [[nodiscard]] std::vector<typename search::LeastSum<Number>::Table> summands() const {
    std::vector<typename search::LeastSum<Number>::Table> summands;
    for (std::size_t l = 0; l < tables_.size(); ++l) {
      auto& summand = summands.emplace_back();
      const ExchangeLayer& layer = exchange_.layers[l];
      if (layer.input) summand.variables.push_back(exchange_.sides[*layer.input].shared);
      if (layer.output && !is_diagonal(l)) {
        summand.variables.push_back(exchange_.sides[*layer.output].shared);
      }
      for (std::size_t from = 0; from < tables_[l].froms(); ++from) {
        for (std::size_t to = 0; to < tables_[l].tos(); ++to) {
          if (from == to || !is_diagonal(l)) summand.numbers.push_back(tables_[l].sum({from, to}));
        }
      }
    }
    return summands;
  }

  /// Tells the sum what layers have that is new.
  void pass_on() {
    for (std::size_t l = 0; l < tables_.size(); ++l) {
      for (const Shared& at : tables_[l].raised()) {
        if (at.from == at.to || !is_diagonal(l)) sum_.raise(l, place(l, at), tables_[l].sum(at));
      }
    }
  }

  const Exchange& exchange_;
  Numbers numbers_;
  std::vector<Table> tables_;  // one for each layer
  search::LeastSum<Number> sum_;
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

SharedCells shared_of(const ExchangeLayer& layer, const Exchange& exchange,
                      const std::vector<std::size_t>& all) {
  const auto chosen = [&](const std::optional<std::size_t>& side) {
    return side ? all[exchange.sides[*side].shared] : 0;
  };
  return {chosen(layer.input), chosen(layer.output)};
}

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

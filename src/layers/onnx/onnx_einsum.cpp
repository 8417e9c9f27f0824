// Einsum as a product of two matrices.
//
//     "bhid,bhjd->bhij"     A[b, h, i, d], B[b, h, j, d]: the scores of attention
//
// An index of both operands and of the result is a batch index (b, h); of both operands only, it is
// summed over (d); of the result and one operand, it counts rows (i, in A) or columns (j, in B).
// The last index of rows plays P as in MatMul, the others N. "..." stands for as many indices as
// are left over, which are aligned at their end. Without "->" the result has the indices that occur
// once, in alphabetical order. If nothing is summed over and one operand has no index of its own,
// it scales the elements of the other, and an equation of one operand only sums or transposes:
// neither multiplies matrices. An index twice in one operand (a diagonal), an index of one operand
// that the result lacks (a sum before the product) and three operands are not supported.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "layers/onnx/onnx_matrices.hpp"
#include "layers/onnx/onnx_operator.hpp"

namespace pimbb::layers {
namespace {

/// An index: a letter, or for those of "..." a number below 'A', 0 the last one.
using Index = char;
using Indices = std::basic_string<Index>;

constexpr Index kLargestEllipsis = 16;

bool is_index_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

struct Equation {
  std::array<std::string, 2> operands;
  std::string result;
};

class EinsumReader {
 public:
  explicit EinsumReader(const OnnxOperator& op) : op_(op) {
    const auto given = op.strings.find("equation");
    if (given == op.strings.end()) op.fail("equation", "none", "equations");
    text_ = given->second;
    std::erase(text_, ' ');
  }

  /// Whether there are two operands.
  [[nodiscard]] bool has_product() const {
    const std::string left = text_.substr(0, text_.find("->"));
    const auto commas = std::ranges::count(left, ',');
    if (commas + 1 != static_cast<std::ptrdiff_t>(op_.inputs.size())) {
      fail(fmt::format("one operand for each of {} inputs", op_.inputs.size()));
    }
    if (commas > 1) op_.refuse("an equation of three operands or more; allowed are one and two");
    return commas == 1;
  }

  std::optional<Matrices> matrices() {
    const auto arrow = text_.find("->");
    const std::string left = text_.substr(0, arrow);
    const auto comma = left.find(',');
    const Indices a = operand(left.substr(0, comma), 0);
    const Indices b = operand(left.substr(comma + 1), 1);
    const Indices result = arrow == std::string::npos ? implicit_result(a, b)
                                                      : explicit_result(text_.substr(arrow + 2));
    return matrices(a, b, result);
  }

 private:
  [[noreturn]] void fail(const std::string& allowed) const {
    op_.fail("equation", "'" + text_ + "'", allowed);
  }

  /// The indices of one operand with their sizes noted.
  Indices operand(const std::string& term, std::size_t slot) {
    const Shape& shape = op_.input_shape(slot, slot == 0 ? "A" : "B");
    const auto dots = term.find("...");
    const std::size_t letters = term.size() - (dots == std::string::npos ? 0 : 3);
    if (dots == std::string::npos ? letters != shape.size() : letters > shape.size()) {
      fail(fmt::format("as many indices as the operand {} has dimensions", to_string(shape)));
    }
    const std::size_t open = shape.size() - letters;
    if (open > static_cast<std::size_t>(kLargestEllipsis)) fail("at most 16 indices for '...'");
    ellipsis_ = std::max(ellipsis_, open);
    Indices indices = expand(term, open);
    for (std::size_t i = 0; i < indices.size(); ++i) note(slot, indices[i], shape[i]);
    if (has_duplicates(indices)) op_.refuse("an index twice in one operand; allowed is once");
    return indices;
  }

  [[nodiscard]] Indices expand(const std::string& term, std::size_t open) const {
    Indices indices;
    for (std::size_t i = 0; i < term.size(); ++i) {
      if (term.compare(i, 3, "...") == 0) {
        for (std::size_t d = open; d > 0; --d) indices += static_cast<Index>(d - 1);
        i += 2;
      } else if (is_index_letter(term[i])) {
        indices += term[i];
      } else {
        fail("letters, one '...' an operand, ',' and '->'");
      }
    }
    return indices;
  }

  static bool has_duplicates(Indices indices) {
    std::ranges::sort(indices);
    return std::ranges::adjacent_find(indices) != indices.end();
  }

  /// Sizes of an index agree, but for 1 beside another, which is repeated.
  void note(std::size_t slot, Index index, std::int64_t size) {
    auto& [own, all] = sizes_[index];
    own[slot] = size;
    if (all != 1 && size != 1 && all != size) {
      fail(fmt::format("equal sizes of an index, but {} and {} meet", all, size));
    }
    all = std::max(all, size);
  }

  [[nodiscard]] Indices implicit_result(const Indices& a, const Indices& b) const {
    Indices result;
    for (std::size_t d = ellipsis_; d > 0; --d) result += static_cast<Index>(d - 1);
    for (const auto& [index, sizes] : sizes_) {
      const bool both = a.find(index) != Indices::npos && b.find(index) != Indices::npos;
      if (is_index_letter(index) && !both) result += index;
    }
    return result;
  }

  [[nodiscard]] Indices explicit_result(const std::string& term) const {
    const Indices result = expand(term, ellipsis_);
    if (has_duplicates(result)) fail("results with distinct indices");
    for (const Index index : result) {
      if (!sizes_.contains(index)) fail("results with indices of the operands");
    }
    return result;
  }

  /// A size that an operand repeats is not its own: [1, n] beside [m, n] has no index m.
  [[nodiscard]] bool has(std::size_t slot, const Indices& indices, Index index) const {
    if (indices.find(index) == Indices::npos) return false;
    const auto& [own, all] = sizes_.at(index);
    return own[slot] == all;
  }

  /// The size of an index; refuses one that is summed although the `other` operand lacks it.
  [[nodiscard]] std::int64_t own_size(Index index, const Indices& other, std::size_t other_slot,
                                      bool in_result) const {
    const std::int64_t size = sizes_.at(index).all;
    if (!in_result && size > 1 && !has(other_slot, other, index)) {
      op_.refuse("an index of one operand that is summed before the product");
    }
    return size;
  }

  std::optional<Matrices> matrices(const Indices& a, const Indices& b, const Indices& result) {
    Matrices m;
    Shape batch, rows, columns, inner, output;
    for (const Index index : result) output.push_back(sizes_.at(index).all);
    // In the order of the operands: the last index of rows is the last one of A.
    for (const Index index : a) {
      if (!has(0, a, index)) continue;
      const bool in_result = result.find(index) != Indices::npos;
      Shape& others = in_result ? batch : inner;
      (has(1, b, index) ? others : rows).push_back(own_size(index, b, 1, in_result));
    }
    for (const Index index : b) {
      if (!has(1, b, index) || has(0, a, index)) continue;
      columns.push_back(own_size(index, a, 0, result.find(index) != Indices::npos));
    }
    op_.check_output(output);
    m.inner = checked_product(op_, inner);
    m.batch = checked_product(op_, batch);
    const bool outer = checked_product(op_, rows) > 1 && checked_product(op_, columns) > 1;
    if (m.inner == 1 && !outer) return std::nullopt;
    const auto split = [&](Shape& own, std::int64_t& last, std::int64_t& others) {
      std::erase(own, 1);
      if (own.empty()) return;
      last = own.back();
      own.pop_back();
      others = checked_product(op_, own);
    };
    split(rows, m.rows, m.outer_rows);
    split(columns, m.columns, m.outer_columns);
    m.a_serves_all = m.b_serves_all = m.batch == 1;
    return m;
  }

  struct Sizes {
    std::array<std::int64_t, 2> own{1, 1};  ///< in each operand
    std::int64_t all = 1;
  };

  const OnnxOperator& op_;
  std::string text_;
  std::map<Index, Sizes> sizes_;
  std::size_t ellipsis_ = 0;  ///< indices that "..." stands for
};

}  // namespace

std::optional<GraphLayer> einsum(const OnnxOperator& op) {
  EinsumReader reader(op);
  if (!reader.has_product()) return std::nullopt;
  const std::optional<Matrices> matrices = reader.matrices();
  if (!matrices) return std::nullopt;
  return layer_of(op, {0, 1, {}}, *matrices);
}

}  // namespace pimbb::layers

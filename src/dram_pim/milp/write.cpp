// Free MPS (column by column) and CPLEX LP (row by row).
#include "dram_pim/milp/write.hpp"

#include <fmt/format.h>

#include <iterator>

namespace pimbb::dram_pim::milp {
namespace {

using Buffer = fmt::memory_buffer;

template <class... Args>
void print(Buffer& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

constexpr const char* kObjective = "objective";

std::string row_name(const Model& model, std::size_t r) {
  return fmt::format("{}.r{}", model.rows()[r].subject, r);
}

/// A remark may hold names from files: nothing in it may start a new line or be unprintable.
std::string printable(std::string text) {
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text;
}

void print_remarks(Buffer& out, const Model& model, std::string_view mark) {
  for (const std::string& remark : model.remarks) print(out, "{} {}\n", mark, printable(remark));
}

char mps_sense(Sense sense) {
  if (sense == Sense::equal) return 'E';
  return sense == Sense::at_most ? 'L' : 'G';
}

struct Entry {
  std::size_t row;
  Int128 coefficient;
};

/// The matrix by columns, and the objective as row number rows().size().
std::vector<std::vector<Entry>> by_column(const Model& model) {
  std::vector<std::vector<Entry>> entries(model.columns().size());
  const auto spread = [&](std::size_t row, const Sum& sum) {
    for (const Term& term : sum) {
      entries[static_cast<std::size_t>(term.column)].push_back({row, term.coefficient});
    }
  };
  for (std::size_t r = 0; r < model.rows().size(); ++r) spread(r, model.rows()[r].terms);
  spread(model.rows().size(), model.objective());
  return entries;
}

void print_mps_columns(Buffer& out, const Model& model, bool binary) {
  const auto entries = by_column(model);
  for (std::size_t c = 0; c < entries.size(); ++c) {
    const Model::Variable& variable = model.columns()[c];
    if (variable.binary != binary) continue;
    if (entries[c].empty()) print(out, " {} {} 0\n", variable.name, kObjective);
    for (const Entry& entry : entries[c]) {
      const bool cost = entry.row == model.rows().size();
      print(out, " {} {} {}\n", variable.name, cost ? kObjective : row_name(model, entry.row),
            entry.coefficient);
    }
  }
}

/// "+ 3 x", a line of its own when the last one is long: LP files have a limit on lines.
void print_lp_sum(Buffer& out, const Model& model, const Sum& sum) {
  std::size_t begin = out.size();
  for (const Term& term : sum) {
    if (out.size() - begin > 100) {
      print(out, "\n ");
      begin = out.size();
    }
    const bool negative = term.coefficient < 0;
    print(out, " {} {} {}", negative ? '-' : '+', negative ? -term.coefficient : term.coefficient,
          model.name(term.column));
  }
}

/// The objective, with coefficient 0 for columns that stand nowhere else (an LP file declares a
/// column by using it), and never empty.
Sum with_idle_columns(const Model& model) {
  Sum sum = model.objective();
  const auto entries = by_column(model);
  for (std::size_t c = 0; c < entries.size(); ++c) {
    if (entries[c].empty()) sum.push_back({static_cast<Column>(c), 0});
  }
  if (sum.empty()) sum.push_back({Column::one, 0});
  return sum;
}

const char* lp_sense(Sense sense) {
  if (sense == Sense::equal) return "=";
  return sense == Sense::at_most ? "<=" : ">=";
}

}  // namespace

std::string free_mps(const Model& model) {
  Buffer out;
  print_remarks(out, model, "*");
  print(out, "NAME pimbb\nROWS\n N {}\n", kObjective);
  for (std::size_t r = 0; r < model.rows().size(); ++r) {
    print(out, " {} {}\n", mps_sense(model.rows()[r].sense), row_name(model, r));
  }
  print(out, "COLUMNS\n");
  print_mps_columns(out, model, false);
  print(out, " MARKER1 'MARKER' 'INTORG'\n");
  print_mps_columns(out, model, true);
  print(out, " MARKER2 'MARKER' 'INTEND'\nRHS\n");
  for (std::size_t r = 0; r < model.rows().size(); ++r) {
    const Int128 bound = model.rows()[r].bound;
    if (bound != 0) print(out, " rhs {} {}\n", row_name(model, r), bound);
  }
  print(out, "BOUNDS\n FX bound {} 1\n", model.name(Column::one));
  for (const Model::Variable& variable : model.columns()) {
    if (variable.binary) print(out, " BV bound {}\n", variable.name);
  }
  print(out, "ENDATA\n");
  return fmt::to_string(out);
}

std::string cplex_lp(const Model& model) {
  Buffer out;
  print_remarks(out, model, "\\");
  print(out, "Minimize\n {}:", kObjective);
  print_lp_sum(out, model, with_idle_columns(model));
  print(out, "\nSubject To\n");
  for (std::size_t r = 0; r < model.rows().size(); ++r) {
    const Model::Row& row = model.rows()[r];
    print(out, " {}:", row_name(model, r));
    print_lp_sum(out, model, row.terms);
    print(out, " {} {}\n", lp_sense(row.sense), row.bound);
  }
  print(out, "Bounds\n {} = 1\nBinary\n", model.name(Column::one));
  for (const Model::Variable& variable : model.columns()) {
    if (variable.binary) print(out, " {}\n", variable.name);
  }
  print(out, "End\n");
  return fmt::to_string(out);
}

}  // namespace pimbb::dram_pim::milp

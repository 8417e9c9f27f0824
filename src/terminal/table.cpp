// Padding and joining cells.
#include "terminal/table.hpp"

#include <algorithm>

#include "terminal/format.hpp"

namespace pimbb::terminal {

namespace {

constexpr std::size_t kGap = 2;        // spaces between columns
constexpr std::size_t kLeastName = 8;  // columns of the screen that a name keeps

/// The first `width` columns of a cell without colours, which ends in ".." if more is left out.
std::string cut(const std::string& cell, std::size_t width) {
  if (terminal::columns(cell) <= width || cell.find('\x1b') != std::string::npos) return cell;
  const auto continues = [&](std::size_t at) {
    return at < cell.size() && (static_cast<unsigned char>(cell[at]) & 0xC0U) == 0x80U;
  };
  constexpr std::string_view kMark = "..";
  std::size_t end = 0;
  for (std::size_t used = kMark.size(); used < width; ++used) {
    ++end;
    while (continues(end)) ++end;
  }
  return cell.substr(0, end) + std::string(kMark);
}

}  // namespace

Table::Table(std::vector<Column> columns, std::size_t room)
    : columns_(std::move(columns)), shown_(columns_.size(), true), cut_(columns_.size()) {
  for (Column& column : columns_)
    column.width = std::max(column.width, terminal::columns(column.header));
  if (room == Style::kAnyWidth) return;
  if (taken() > room) select(room);
  if (taken() > room) narrow(room);
}

std::size_t Table::taken() const {
  std::size_t width = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (shown_[i]) width += columns_[i].width + (width > 0 ? kGap : 0);
  }
  return width;
}

/// Columns in the order of their ranks, each if there is room for it.
void Table::select(std::size_t room) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    shown_[i] = columns_[i].rank == 0;
    if (!shown_[i]) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [this](std::size_t i) { return columns_[i].rank; });
  for (const std::size_t i : order) {
    shown_[i] = true;
    shown_[i] = taken() <= room;
  }
}

void Table::narrow(std::size_t room) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Column& column = columns_[i];
    if (!shown_[i] || column.right) continue;
    if (cut_ == columns_.size() || column.width > columns_[cut_].width) cut_ = i;
  }
  if (cut_ == columns_.size()) return;
  std::size_t& width = columns_[cut_].width;
  const std::size_t others = taken() - width;
  width = std::max(kLeastName, room > others ? room - others : 0);
}

std::string Table::row(const std::vector<std::string>& cells) const {
  std::string line;
  bool first = true;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Column& column = columns_.at(i);
    if (!shown_[i]) continue;
    if (!first) line.append(kGap, ' ');
    first = false;
    const std::string cell = i == cut_ ? cut(cells[i], column.width) : cells[i];
    line += column.right ? pad_left(cell, column.width) : pad_right(cell, column.width);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line += '\n';
}

std::string Table::header(const Style& style) const {
  std::vector<std::string> names;
  for (const Column& column : columns_) names.push_back(column.header);
  std::string line = row(names);
  line.pop_back();
  return style.heading(line) + '\n';
}

std::string Table::rule(const Style& style) const {
  std::string line;
  for (std::size_t i = 0; i < taken(); ++i) line += style.unicode ? "─" : "-";
  return style.faint(line) + '\n';
}

std::string Table::note(const Style& style) const {
  std::string names;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (shown_[i] || columns_[i].header.empty()) continue;
    names += (names.empty() ? "" : ", ") + columns_[i].header;
  }
  return names.empty() ? "" : style.faint("--wide also shows: " + names) + '\n';
}

std::string whole_table(const Style& style, std::vector<Column> columns,
                        const std::vector<std::vector<std::string>>& rows) {
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      columns.at(i).width = std::max(columns[i].width, terminal::columns(row[i]));
    }
  }
  const Table table(std::move(columns), style.table_width);
  std::string text = table.header(style);
  for (const auto& row : rows) text += table.row(row);
  return text + table.note(style);
}

}  // namespace pimbb::terminal

// What a report consists of: sections of facts, loop nests, charts and tables.
//
// A chart is a table and the way in which it is drawn; the page draws it (page/charts.js), and the
// same table is what --csv writes. The kinds and their columns:
//
//   bars, grouped   group, part, value                  bars of a group: stacked, or side by side
//   blocks          panel, lane, from, to, category, label     rectangles on lanes
//   steps           series, x, y                        lines
//   scatter         label, x, y, series, front, detail  points; those of a front joined
//   roofline        label, x, y, series                 points under roofs
//   table           any
//   nest            none: `more` has the levels (page/nest.js)
//   fold            none: parts that are shown on request
#pragma once

#include <string>
#include <vector>

#include "report/value.hpp"

namespace pimbb::report {

struct Fact {
  std::string name;
  Json value;  ///< a number or a text
  std::string unit = {};
  std::string exact = {};  ///< the value as a fraction
  std::string tone = {};   ///< "proven", "open" or nothing
};

struct Part {
  std::string kind;
  std::string title;
  std::string id = {};  ///< a name that files can have; given when the report is complete
  std::string note = {};
  std::vector<std::string> columns = {};
  std::vector<std::vector<Json>> rows = {};
  Json more = Json::object();  ///< what the kind takes besides: titles of axes, roofs, levels
  std::vector<Fact> facts = {};
  std::vector<Part> parts = {};

  [[nodiscard]] bool has_table() const { return !columns.empty(); }
};

struct Section {
  std::string title;
  std::string note = {};
  std::vector<Fact> facts = {};
  std::vector<Part> parts = {};
};

struct Report {
  std::string title;
  std::string made;  ///< by which program, from which files
  std::vector<Section> sections = {};
};

/// Charts without rows; `unit` is what the axis of values says.
Part bars(std::string title, std::string unit);
Part grouped(std::string title, std::string unit);
Part blocks(std::string title, std::string unit, std::string lanes);
Part steps(std::string title, std::string x, std::string y);
Part scatter(std::string title, std::string x, std::string y);
Part table(std::string title, std::vector<std::string> columns);
Part fold(std::string title);

/// Adds a part if it has anything to show.
void add_part(std::vector<Part>& parts, Part part);

/// Gives every part an id that is unique in the report, from its section and title.
void name_parts(Report& report);
/// All parts with a table, those in folds too.
std::vector<const Part*> tables_of(const Report& report);
/// A part's table as CSV.
std::string csv_of(const Part& part);
/// The data of the page.
Json report_json(const Report& report);

}  // namespace pimbb::report

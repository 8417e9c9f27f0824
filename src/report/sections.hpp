// Sections of a report, one function for each format of results.
//
// The functions read only what they show, so that a document with more keys remains readable.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/parts.hpp"

namespace pimbb::report {

/// Parts of one mapping onto DRAM-PIM or SRAM: nest, cycles, energy, array, tiles in DRAM rows.
/// `architecture` is that of the document or of the one around it.
std::vector<Part> dram_mapping_parts(const Value& document, const Value& architecture);
std::vector<Part> cim_mapping_parts(const Value& document, const Value& architecture);

Section dram_mapping_section(const Value& document);
Section cim_mapping_section(const Value& document);
Section device_section(const Value& document);
/// Of a network on DRAM-PIM units, on whole devices or on SRAM; of a plan.
Section network_section(const Value& document);
Section plan_section(const Value& document);
Section crossbar_section(const Value& document);
Section audit_section(const Value& document);
Section bench_section(const Value& document);
/// Of pimbb pareto, top and explore.
Section front_section(const Value& document);
Section top_section(const Value& document);
Section explore_section(const Value& document);
/// Of pimbb explain and sensitivity.
Section explanation_section(const Value& document);
Section sensitivity_section(const Value& document);
/// Of formats without pictures of their own: every fact and every table of the document.
Section plain_section(const Value& document);

/// The points of layers under the roofs of a DRAM-PIM unit.
struct RooflinePoint {
  std::string label;
  double macs = 0;
  double bytes = 0;   ///< to and from the DRAM
  double cycles = 0;  ///< latency
};
RooflinePoint roofline_point(const std::string& label, const Value& document,
                             const Value& architecture);
Part roofline(const std::vector<RooflinePoint>& points, const Value& architecture);

/// Incumbent and bound over time, from a log; transfers over time, from a trace of SRAM events.
Section log_section(const std::string& file, const std::vector<Json>& lines);
Section timeline_section(const std::string& file, const std::vector<Json>& lines);

/// Two results of one format side by side.
Section comparison_section(const Value& first, const Value& second);

/// Every section by the name of the format; nothing for formats that are not results.
using SectionMaker = Section (*)(const Value&);
const std::map<std::string, SectionMaker, std::less<>>& section_makers();

}  // namespace pimbb::report

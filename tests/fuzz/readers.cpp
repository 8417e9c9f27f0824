// Readers: any text is understood or refused with a message that names it.
//
// What is understood is also written and read again, where there is a writer: it must be the same.
#include <fcntl.h>
#include <unistd.h>

#include <functional>
#include <map>
#include <sstream>
#include <string>

#include "answers/journal.hpp"
#include "files/document.hpp"
#include "files/source.hpp"
#include "fuzz/targets.hpp"
#include "lp/format/program_file.hpp"
#include "lp/programs.hpp"
#include "pimbb-check/check.hpp"
#include "pimbb/cim/io.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/crossbar/io.hpp"
#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "pimbb/explore.hpp"
#include "pimbb/io.hpp"
#include "report/results.hpp"
#include "support/folder.hpp"

namespace fuzz {

namespace {

using namespace pimbb;

const std::string kLabel = "input";

/// Runs a reader; its only exception is an InputError that begins with the label.
void refused_or_read(const std::function<void()>& read) {
  try {
    read();
  } catch (const InputError& error) {
    require(std::string_view(error.what()).starts_with(kLabel), error.what());
  }
}

void yaml(Bytes text) {
  refused_or_read([&] { const files::Document document(text, kLabel); });
}

void layer(Bytes text) {
  refused_or_read([&] { parse_workload(text, kLabel); });
}

void network(Bytes text) {
  refused_or_read([&] { parse_network(text, kLabel); });
}

void onnx(Bytes bytes) {
  refused_or_read([&] { parse_onnx(bytes, kLabel); });
}

void space(Bytes text) {
  refused_or_read([&] { parse_space(text, kLabel); });
}

/// The kind of an architecture decides on its reader; here each one reads it.
void architecture(Bytes text) {
  refused_or_read([&] { dram_pim::parse_architecture(text, kLabel); });
  refused_or_read([&] { cim::parse_architecture(text, kLabel); });
  refused_or_read([&] { crossbar::parse_architecture(text, kLabel); });
}

void device(Bytes text) {
  refused_or_read([&] { dram_pim::parse_device(text, kLabel); });
}

const dram_pim::Architecture& unit() {
  static const dram_pim::Architecture architecture = dram_pim::read_architecture("simple_pim");
  return architecture;
}

const Workload& small_layer() {
  static const Workload layer =
      parse_workload("{name: small, R: 3, S: 3, P: 4, Q: 4, C: 8, K: 8, N: 1}", "small");
  return layer;
}

void constraints(Bytes text) {
  refused_or_read([&] { dram_pim::parse_constraints(text, kLabel, unit()); });
}

/// Mappings in JSON and those of Timeloop. What is feasible has a cost.
void mapping(Bytes text) {
  refused_or_read([&] {
    const auto file = dram_pim::parse_mapping_file(text, kLabel, unit(), small_layer());
    if (dram_pim::find_violation(unit(), small_layer(), file.mapping)) return;
    dram_pim::evaluate(unit(), small_layer(), file.mapping, dram_pim::RowModel::hybrid);
  });
}

void device_mapping(Bytes text) {
  static const dram_pim::Device device = dram_pim::read_device("upmem_dimm");
  refused_or_read([&] { dram_pim::parse_device_mapping(text, kLabel, device); });
}

void cim_mapping(Bytes text) {
  static const cim::Architecture macro = cim::read_architecture("miredo_default");
  refused_or_read([&] { cim::parse_mapping(text, kLabel, macro); });
}

void crossbar_mapping(Bytes text) {
  static const crossbar::Architecture chip = crossbar::read_architecture("pimcomp");
  static const crossbar::Partition partition =
      crossbar::make_partition(chip, crossbar::node_graph(read_network("alexnet")));
  refused_or_read([&] { crossbar::parse_mapping(text, kLabel, chip, partition); });
}

/// What is read, written and read again is the same program.
void program(Bytes text, lp::ProgramFormat format) {
  refused_or_read([&] {
    lp::MixedIntegerProgram read = lp::parse_program(text, kLabel, format);
    std::string written;
    try {
      written = lp::write_program(read, lp::ProgramFormat::mps);
    } catch (const std::invalid_argument&) {
      return;  // MPS cannot state it
    }
    if (read.objective_name.empty()) read.objective_name = "objective";
    const auto again = lp::parse_program(written, "written", lp::ProgramFormat::mps);
    const std::string changed = testkit::difference(read, again);
    require(changed.empty(), "a program changed: " + changed);
  });
}
void mps(Bytes text) { program(text, lp::ProgramFormat::mps); }
void lp_format(Bytes text) { program(text, lp::ProgramFormat::lp); }

/// The checker of proofs never throws on account of its input.
void proof(Bytes text) {
  std::istringstream stream{std::string(text)};
  const pimbb_check::Report report = pimbb_check::check(stream);
  require(report.accepted || report.out_of_memory || !report.reason.empty(), "no reason");
}

#ifdef PIMBB_FUZZ_REPORT
/// Any result is a page or refused.
void report_page(Bytes text) {
  const files::GivenTexts given(std::map<std::string, std::string>{{kLabel, std::string(text)}});
  refused_or_read([&] {
    const report::Result result = report::read_result(kLabel);
    const report::Report page = report::report_of({result}, "", "pimbb");
    report::report_json(page);
    for (const report::Part* part : report::tables_of(page)) report::csv_of(*part);
  });
}
#endif

/// A journal is of this space, of another one, or torn; opened twice it holds the same.
void journal(Bytes text) {
  static const texts::Folder folder;
  const std::string path = folder.path("journal");
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(file);
  require(written, "the journal cannot be written");
  const std::string hash(64, '0');
  try {
    const std::size_t answers = answers::Journal(path, true, hash).answers().size();
    const answers::Journal again(path, true, hash);
    require(again.answers().size() == answers, "a journal lost what it had");
    require(again.torn() == 0, "a mended journal is torn");
  } catch (const InputError&) {
  }
  const auto answer = answers::parse_answer_line(std::string(text));
  if (!answer) return;
  const std::string line = answers::answer_line(answer->key, answer->answer);
  const auto again = answers::parse_answer_line(line);
  require(again && answers::answer_line(again->key, again->answer) == line, "an answer changed");
}

}  // namespace

std::vector<Target> reader_targets() {
  return {
      {"architecture", architecture},
      {"cim_mapping", cim_mapping},
      {"constraints", constraints},
      {"crossbar_mapping", crossbar_mapping},
      {"device", device},
      {"device_mapping", device_mapping},
      {"journal", journal},
      {"layer", layer},
      {"lp", lp_format},
      {"mapping", mapping},
      {"mps", mps},
      {"network", network},
#ifdef PIMBB_FUZZ_ONNX
      {"onnx", onnx},
#endif
      {"proof", proof},
#ifdef PIMBB_FUZZ_REPORT
      {"report", report_page},
#endif
      {"space", space},
      {"yaml", yaml},
  };
}

}  // namespace fuzz

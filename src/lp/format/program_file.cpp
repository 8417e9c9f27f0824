// Telling the formats apart.
#include "lp/format/program_file.hpp"

#include <filesystem>

#include "files/source.hpp"
#include "lp/format/lp_format_reader.hpp"
#include "lp/format/mps_reader.hpp"
#include "lp/format/reader_tools.hpp"
#include "lp/format/writers.hpp"
#include "pimbb/error.hpp"

namespace pimbb::lp {

MixedIntegerProgram read_program(const std::string& path) {
  const std::string ending = lower_case(std::filesystem::path(path).extension().string());
  const files::Source source = files::load_file(path);  // a missing file is the better message
  if (ending != ".mps" && ending != ".lp") {
    throw InputError(source.label + ": found the ending '" + ending +
                     "', allowed are .mps (fixed or free MPS) and .lp (LP format)");
  }
  return parse_program(source.text, source.label,
                       ending == ".mps" ? ProgramFormat::mps : ProgramFormat::lp);
}

MixedIntegerProgram parse_program(std::string_view text, const std::string& label,
                                  ProgramFormat format) {
  return format == ProgramFormat::mps ? parse_mps(text, label) : parse_lp_format(text, label);
}

std::string write_program(const MixedIntegerProgram& program, ProgramFormat format) {
  return format == ProgramFormat::mps ? free_mps(program) : cplex_lp(program);
}

}  // namespace pimbb::lp

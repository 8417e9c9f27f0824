// Mixed-integer linear programs in files: one reader and one writer for both formats.
//
//     MPS           column by column; every solver reads it       (mps_reader.hpp)
//     LP format     row by row, as one would write it by hand     (lp_format_reader.hpp)
//
// Numbers keep the exact value of their decimal text, in both directions: what is written and read
// again is the same program. The order of its rows is kept; columns are identified by name, since
// neither format can state all columns in any order. Integer marks are kept; solving the relaxation
// only is the caller's decision.
//
// Messages of the readers start with "file:line: ".
#pragma once

#include <string>
#include <string_view>

#include "lp/format/mixed_integer_program.hpp"

namespace pimbb::lp {

enum class ProgramFormat { mps, lp };

/// The format follows from the file's ending. Throws InputError if the file is missing, has another
/// ending or is not understood.
MixedIntegerProgram read_program(const std::string& path);

/// `label` stands for the file name in messages. Throws InputError.
MixedIntegerProgram parse_program(std::string_view text, const std::string& label,
                                  ProgramFormat format);

/// The text of a program: free MPS, or CPLEX's LP format. Throws std::invalid_argument if the
/// format cannot state the program exactly:
///   - a number without a finite decimal expansion (1/3), or of a size that the readers refuse;
///   - a finite bound of a size from 1e20, which solvers take for infinite;
///   - in MPS, a row whose range is empty;
///   - a missing name (rows of the LP format need none), a name given twice, or one that the format
///     would read as something else: a blank inside, in the LP format also a keyword or a digit in
///     front.
/// The LP format does not hold the name of the program. MPS calls an objective without a name
/// "objective".
std::string write_program(const MixedIntegerProgram& program, ProgramFormat format);

}  // namespace pimbb::lp

// A first basis in which slack columns take the place of the logicals of equations.
//
// Where a program writes inequalities as equations with a slack column, the logicals of these rows
// are fixed: each of them has to leave the basis, an iteration at least. A slack column, of one
// entry and no cost, can be basic instead: the basis stays diagonal, and all multipliers 0, so it
// is as dual feasible as that of the logicals.
#pragma once

#include <vector>

#include "lp/linear_program.hpp"
#include "lp/workspace.hpp"

namespace pimbb::lp {

/// Statuses for Simplex::set_basis().
std::vector<VariableStatus> slack_basis(const LinearProgram& program);

}  // namespace pimbb::lp

// DRAM processing-in-memory: everything a program needs to map layers and networks onto it.
#pragma once

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/audit.hpp"
#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/dataflow.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/layout_plan.hpp"
#include "pimbb/dram_pim/layout_range.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/dram_pim/method.hpp"
#include "pimbb/dram_pim/network.hpp"
#include "pimbb/dram_pim/objective.hpp"
#include "pimbb/dram_pim/precedence.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "pimbb/dram_pim/rules.hpp"
#include "pimbb/dram_pim/solver.hpp"

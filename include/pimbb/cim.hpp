// All public headers of SRAM compute-in-memory.
#pragma once

#include "pimbb/cim/architecture.hpp"
#include "pimbb/cim/cost.hpp"
#include "pimbb/cim/explore.hpp"
#include "pimbb/cim/feasibility.hpp"
#include "pimbb/cim/front.hpp"
#include "pimbb/cim/io.hpp"
#include "pimbb/cim/mapping.hpp"
#include "pimbb/cim/network.hpp"
#include "pimbb/cim/network_front.hpp"
#include "pimbb/cim/objective.hpp"
#include "pimbb/cim/padding.hpp"
#include "pimbb/cim/proof.hpp"
#include "pimbb/cim/question.hpp"
#include "pimbb/cim/sensitivity.hpp"
#include "pimbb/cim/solver.hpp"

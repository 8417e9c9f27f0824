// Everything a program needs that embeds pimbb.
#pragma once

#include "pimbb/architecture.hpp"
#include "pimbb/cost.hpp"
#include "pimbb/dims.hpp"
#include "pimbb/error.hpp"
#include "pimbb/feasibility.hpp"
#include "pimbb/graph.hpp"
#include "pimbb/io.hpp"
#include "pimbb/mapping.hpp"
#include "pimbb/method.hpp"
#include "pimbb/network.hpp"
#include "pimbb/objective.hpp"
#include "pimbb/proof.hpp"
#include "pimbb/rational.hpp"
#include "pimbb/rules.hpp"
#include "pimbb/solver.hpp"
#include "pimbb/workload.hpp"

// All public headers of crossbar accelerators.
#pragma once

#include "pimbb/crossbar/architecture.hpp"
#include "pimbb/crossbar/baseline.hpp"
#include "pimbb/crossbar/cost.hpp"
#include "pimbb/crossbar/estimate.hpp"
#include "pimbb/crossbar/explore.hpp"
#include "pimbb/crossbar/fastest.hpp"
#include "pimbb/crossbar/front.hpp"
#include "pimbb/crossbar/graph.hpp"
#include "pimbb/crossbar/improve.hpp"
#include "pimbb/crossbar/io.hpp"
#include "pimbb/crossbar/mapping.hpp"
#include "pimbb/crossbar/minimise.hpp"
#include "pimbb/crossbar/partition.hpp"
#include "pimbb/crossbar/proof.hpp"
#include "pimbb/crossbar/schedule.hpp"
#include "pimbb/crossbar/solver.hpp"

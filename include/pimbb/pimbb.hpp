// All public headers of pimbb.
#pragma once

#include "pimbb/cim.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/dims.hpp"
#include "pimbb/dram_pim.hpp"
#include "pimbb/error.hpp"
#include "pimbb/explore.hpp"
#include "pimbb/graph.hpp"
#include "pimbb/io.hpp"
#include "pimbb/kind.hpp"
#include "pimbb/network.hpp"
#include "pimbb/rational.hpp"
#include "pimbb/run_limits.hpp"
#include "pimbb/workload.hpp"
#include "pimbb/write_file.hpp"

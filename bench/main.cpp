// The entry point of every micro-benchmark; `--benchmark_filter=REGEX` picks some.
#include <benchmark/benchmark.h>

#include "run/kept_memory.hpp"

int main(int argc, char** argv) {
  pimbb::run::keep_freed_memory();  // as in the executable
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}

// The entry point of every micro-benchmark; `--benchmark_filter=REGEX` picks some.
#include <benchmark/benchmark.h>

BENCHMARK_MAIN();

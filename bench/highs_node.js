// HiGHS compiled to WebAssembly, the package `highs` of npm, as a command that prints HiGHS's own log:
//
//   node bench/highs_node.js PROBLEM.mps SECONDS [OPTIONS]
//
// SECONDS limits the CPU time of the process, 0 only reads the problem; OPTIONS are lines `name = value`, as
// in an options file of HiGHS. NODE_PATH names the folder with the package, unless node finds it itself.
"use strict";
const fs = require("node:fs");

const [problem, seconds, options = ""] = process.argv.slice(2);

function cpuSeconds() {
  const used = process.cpuUsage();
  return (used.user + used.system) / 1e6;
}

function solve(highs) {
  const late = (event) => {
    if (cpuSeconds() > Number(seconds)) event.interrupt();
  };
  if (!highs.constants) throw new Error("this package cannot be interrupted, 1.15.2 and later can");
  const {mipInterrupt, simplexInterrupt} = highs.constants.callbackType;
  highs.withModel({format: "mps", data: fs.readFileSync(problem)}, (model) => {
    if (options) model.options.read(options);
    if (Number(seconds) > 0) model.run({[mipInterrupt]: late, [simplexInterrupt]: late});
  });
}

require("highs")({print: (line) => console.log(line)}).then(solve).catch((error) => {
  console.error(String(error));
  process.exitCode = 1;
});

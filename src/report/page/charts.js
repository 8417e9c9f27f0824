// Charts: what Vega is to draw for each kind of chart, from the table that comes with it. A function of this
// file makes a specification of a chart's rows for a width in pixels; colours of text and axes come from the
// style sheet.
"use strict";

const kSmall = 560; // pixels: below this, charts are laid out for a phone

function rowsOf(part) {
  return part.rows.map((row) => Object.fromEntries(part.columns.map((name, c) => [name, row[c]])));
}

function shorten(text, most) { return text.length <= most ? text : text.slice(0, most - 1) + "…"; }

// The longest of some texts in pixels, about.
function textWidth(texts, most) { return Math.min(most, 14 + 6.8 * Math.max(1, ...texts.map((t) => String(t).length))); }

function base(width, height, padding) {
  return {
    $schema: "https://vega.github.io/schema/vega/v5.json",
    width, height, padding, autosize: { type: "none" }, background: null,
    config: {
      axis: { labelFontSize: 11, titleFontSize: 11, titleFontWeight: "normal", labelFont: "sans-serif", titleFont: "sans-serif",
        gridColor: "#d5dbe1", domainColor: "#5d6875", tickColor: "#5d6875" },
      legend: { labelFontSize: 11, labelFont: "sans-serif", titleFont: "sans-serif", symbolType: "square" },
      text: { font: "sans-serif", fontSize: 11 },
    },
  };
}

function legendOf(names, width, scale) {
  const columns = Math.max(1, Math.floor(width / (textWidth(names, 180) + 26)));
  return { fill: scale, orient: "none", direction: "horizontal", columns, legendX: 0, legendY: 0, labelLimit: 180,
    height: 18 * Math.ceil(names.length / columns) };
}

// Room above the plot for a legend; none if there is one name only.
function legendHeight(names, width) {
  if (names.length < 2) return 0;
  return 8 + 17 * Math.ceil(names.length / Math.max(1, Math.floor(width / (textWidth(names, 180) + 26))));
}

function legends(names, width, above) {
  if (names.length < 2) return [];
  const legend = legendOf(names, width, "colour");
  delete legend.height;
  return [{ ...legend, legendY: -above, offset: 0 }];
}

// Large numbers in thousands and millions, small ones as they are.
function numberAxis(scale, orient, title, length, largest) {
  return { scale, orient, title, grid: true, tickCount: Math.max(2, Math.floor(length / 80)), format: largest < 1000 ? "~g" : "~s", labelOverlap: true, titlePadding: 6 };
}

function largest(values) { return Math.max(0, ...values.map(Math.abs)); }

// Horizontal bars. `bars` stacks the parts of a group, `grouped` puts them side by side.
function barSpec(part, width) {
  const rows = rowsOf(part);
  const groups = distinct(rows.map((r) => r.group));
  const parts = distinct(rows.map((r) => r.part));
  const stacked = part.kind === "bars";
  const left = textWidth(groups, width < kSmall ? 110 : 220);
  const inner = width - left - (stacked ? 64 : 24);
  const above = legendHeight(parts, width - left);
  const step = stacked ? 20 : 8 + 13 * parts.length;
  const height = groups.length * step;
  const spec = base(inner, height, { left, right: width - left - inner, top: above + 4, bottom: 38 });
  const tip = `{title: datum.group, "part": datum.part, "value": format(datum.value, ",") + " ${part.unit || ""}"}`;
  spec.data = [{ name: "rows", values: rows }];
  if (stacked) {
    spec.data[0].transform = [{ type: "stack", groupby: ["group"], field: "value", as: ["from", "to"] }];
    spec.data.push({ name: "sums", source: "rows",
      transform: [{ type: "aggregate", groupby: ["group"], fields: ["value"], ops: ["sum"], as: ["value"] }] });
  }
  spec.scales = [
    { name: "y", type: "band", domain: groups, range: "height", padding: 0.15 },
    { name: "x", type: "linear", zero: true, nice: true, range: "width", domain: stacked ? { data: "sums", field: "value" } : { data: "rows", field: "value" } },
    { name: "colour", type: "ordinal", domain: parts, range: colourScale(parts) },
  ];
  spec.axes = [
    { scale: "y", orient: "left", labelLimit: left - 8, ticks: false, domain: false },
    numberAxis("x", "bottom", part.unit, inner, largest(rows.map((r) => r.value))),
  ];
  spec.legends = legends(parts, width - left, above);
  const bar = { fill: { scale: "colour", field: "part" }, tooltip: { signal: tip },
    description: { signal: `datum.group + " " + datum.part + " " + datum.value` } };
  if (stacked) {
    spec.marks = [
      { type: "rect", from: { data: "rows" }, encode: { enter: { ...bar, y: { scale: "y", field: "group" }, height: { scale: "y", band: 1 }, x: { scale: "x", field: "from" }, x2: { scale: "x", field: "to" } } } },
      { type: "text", from: { data: "sums" }, encode: { enter: { y: { scale: "y", field: "group", band: 0.5 }, x: { scale: "x", field: "value", offset: 4 }, baseline: { value: "middle" }, text: { signal: `format(datum.value, datum.value < 1000 ? ".4~r" : ".4~s")` } } } },
    ];
  } else {
    spec.marks = [{ type: "group", from: { facet: { data: "rows", name: "of_group", groupby: "group" } },
      encode: { enter: { y: { scale: "y", field: "group" } } },
      signals: [{ name: "height", update: `bandwidth("y")` }],
      scales: [{ name: "inner", type: "band", range: "height", domain: parts }],
      marks: [{ type: "rect", from: { data: "of_group" }, encode: { enter: { ...bar, y: { scale: "inner", field: "part" }, height: { scale: "inner", band: 0.9 }, x: { scale: "x", value: 0 }, x2: { scale: "x", field: "value" } } } }],
    }];
  }
  return spec;
}

// Rectangles on lanes: PEs of an array, DRAM rows, array groups of cores, transfers over time.
function blockSpec(part, width) {
  const rows = rowsOf(part);
  const panels = distinct(rows.map((r) => r.panel));
  const categories = distinct(rows.map((r) => r.category));
  const lanes = new Map(panels.map((p) => [p, distinct(rows.filter((r) => r.panel === p).map((r) => r.lane))]));
  const left = 14 + textWidth(rows.map((r) => r.lane), width < kSmall ? 90 : 200);
  const inner = width - left - 16;
  const above = part.legend === false ? 0 : legendHeight(categories, width - left);
  const count = [...lanes.values()].reduce((n, l) => n + l.length, 0);
  const step = part.step || Math.max(4, Math.min(22, Math.floor(620 / Math.max(1, count))));
  let y = 0;
  const places = new Map();
  for (const [panel, its] of lanes) {
    if (panel) y += 20;
    places.set(panel, { y, lanes: its, height: its.length * step });
    y += its.length * step + 8;
  }
  const spec = base(inner, y, { left, right: 16, top: above + 4, bottom: 38 });
  const most = Math.max(...rows.map((r) => r.to));
  const least = part.from === undefined ? Math.min(0, ...rows.map((r) => r.from)) : part.from;
  spec.data = [{ name: "rows", values: rows }];
  spec.scales = [
    { name: "x", type: "linear", zero: false, nice: false, domain: [least, most], range: "width" },
    { name: "colour", type: "ordinal", domain: categories, range: colourScale(categories) },
  ];
  spec.axes = [{ ...numberAxis("x", "bottom", part.unit, inner, most), grid: false }];
  spec.legends = part.legend === false ? [] : legends(categories, width - left, above);
  spec.marks = panels.map((panel, p) => {
    const place = places.get(panel);
    const narrow = step < 10;
    return { type: "group",
      encode: { enter: { y: { value: place.y }, width: { value: inner }, height: { value: place.height } } },
      data: [{ name: `panel${p}`, source: "rows", transform: [{ type: "filter", expr: `datum.panel === ${JSON.stringify(panel)}` }] }],
      scales: [{ name: "lane", type: "band", domain: place.lanes, range: [0, place.height] }],
      axes: [{ scale: "lane", orient: "left", ticks: false, domain: false, labelLimit: left - 10, title: narrow || panel ? null : part.lanes,
        labelOverlap: narrow ? "parity" : false, labelFontSize: narrow ? 9 : 11 }],
      title: panel ? { text: shorten(panel, Math.floor(inner / 6)), anchor: "start", fontSize: 11, fontWeight: "normal", offset: 3, font: "sans-serif" } : undefined,
      marks: [
        { type: "rect", from: { data: `panel${p}` }, encode: { enter: {
          x: { scale: "x", field: "from" }, x2: { scale: "x", field: "to" },
          y: { scale: "lane", field: "lane" }, height: { scale: "lane", band: step > 8 ? 0.92 : 1 },
          fill: { scale: "colour", field: "category" }, stroke: { value: "#ffffff" }, strokeWidth: { value: rows.length > 400 ? 0 : 0.5 },
          description: { signal: `datum.panel + " " + datum.lane + " " + datum.label + " " + datum.from + " " + datum.to` },
          tooltip: { signal: `{title: datum.label, ${JSON.stringify(part.unit || "range")}: format(datum.from, ",") + " to " + format(datum.to, ",")}` } } } },
        ...(part.labels && inner > kSmall / 2 ? [{ type: "text", from: { data: `panel${p}` }, interactive: false, encode: { enter: {
          x: { signal: `(scale("x", datum.from) + scale("x", datum.to)) / 2` }, y: { scale: "lane", field: "lane", band: 0.46 },
          align: { value: "center" }, baseline: { value: "middle" }, fontSize: { value: 10 },
          limit: { signal: `max(1, scale("x", datum.to) - scale("x", datum.from) - 2)` }, text: { field: "label" } } } }] : []),
      ] };
  });
  return spec;
}

function axesOf(part, rows, inner, height) {
  return [numberAxis("x", "bottom", part.x, inner, largest(rows.map((r) => r.x))), numberAxis("y", "left", part.y, height, largest(rows.map((r) => r.y)))];
}

function numberScale(name, field, log, range, domain) {
  return { name, type: log ? "log" : "linear", zero: false, nice: !log, range, domain: domain || { data: "rows", field } };
}

// Lines that go in steps: the best value and the bound over time, the share that is proven.
function stepSpec(part, width) {
  const rows = rowsOf(part).filter((r) => (!part.log_x || r.x > 0) && (!part.log_y || r.y > 0));
  const series = distinct(rows.map((r) => r.series));
  const left = 62, inner = width - left - 20, height = width < kSmall ? 200 : 260;
  const above = legendHeight(series, inner);
  const spec = base(inner, height, { left, right: 20, top: above + 6, bottom: 42 });
  spec.data = [{ name: "rows", values: rows }];
  spec.scales = [
    numberScale("x", "x", part.log_x, "width"), numberScale("y", "y", part.log_y, "height"),
    { name: "colour", type: "ordinal", domain: series, range: colourScale(series) },
  ];
  spec.axes = axesOf(part, rows, inner, height);
  spec.legends = legends(series, inner, above);
  spec.marks = [
    { type: "group", from: { facet: { data: "rows", name: "line", groupby: "series" } }, marks: [{ type: "line", from: { data: "line" }, encode: { enter: {
      interpolate: { value: part.line || "step-after" }, x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" },
      stroke: { scale: "colour", field: "series" }, strokeWidth: { value: 2 } } } }] },
    { type: "symbol", from: { data: "rows" }, encode: { enter: { x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" }, size: { value: rows.length > 200 ? 8 : 26 },
      fill: { scale: "colour", field: "series" }, description: { signal: `datum.series + " " + datum.x + " " + datum.y` },
      tooltip: { signal: `{title: datum.series, x: format(datum.x, ","), y: format(datum.y, ",")}` } } } },
  ];
  return spec;
}

// Points with two costs; `front` joins those of the front by a staircase.
function scatterSpec(part, width) {
  const rows = rowsOf(part);
  const series = distinct(rows.map((r) => r.series));
  const left = 66, inner = width - left - 20, height = width < kSmall ? 260 : 380;
  const above = legendHeight(series, inner);
  const spec = base(inner, height, { left, right: 20, top: above + 6, bottom: 42 });
  spec.data = [{ name: "rows", values: rows },
    { name: "front", source: "rows", transform: [{ type: "filter", expr: "datum.front" }, { type: "collect", sort: { field: "x" } }] }];
  spec.scales = [
    numberScale("x", "x", part.log_x, "width"), numberScale("y", "y", part.log_y, "height"),
    { name: "colour", type: "ordinal", domain: series, range: colourScale(series) },
  ];
  spec.axes = axesOf(part, rows, inner, height);
  spec.legends = legends(series, inner, above);
  spec.marks = [
    { type: "line", from: { data: "front" }, encode: { enter: { interpolate: { value: "step-after" }, x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" },
      stroke: { value: "#5d6875" }, strokeDash: { value: [4, 3] } } } },
    { type: "symbol", from: { data: "rows" }, encode: { enter: { x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" }, size: { value: rows.length > 300 ? 14 : 46 },
      fill: { scale: "colour", field: "series" }, fillOpacity: { value: 0.85 },
      description: { signal: `datum.label + " " + datum.x + " " + datum.y` },
      tooltip: { signal: `merge({title: datum.label}, {${JSON.stringify(part.x)}: format(datum.x, ","), ${JSON.stringify(part.y)}: format(datum.y, ",")}, datum.detail ? {mapping: datum.detail} : {})` } } } },
  ];
  return spec;
}

// Operations a cycle over operations a byte, under the roofs of the machine.
function rooflineSpec(part, width) {
  const rows = rowsOf(part);
  const left = 62, inner = width - left - 20, height = width < kSmall ? 240 : 320;
  const series = [...distinct(rows.map((r) => r.series)), ...part.roofs.map((r) => r.name)];
  const above = legendHeight(series, inner);
  const spec = base(inner, height, { left, right: 20, top: above + 6, bottom: 42 });
  const xs = rows.map((r) => r.x).concat(part.roofs.filter((r) => r.slope).map((r) => part.peak / r.slope));
  const from = Math.min(...xs) / 2, to = Math.max(...xs) * 2;
  const top = part.peak * 1.6, bottom = Math.min(...rows.map((r) => r.y), part.peak) / 3;
  const roofs = part.roofs.flatMap((r) => r.slope
    ? [{ series: r.name, x: from, y: from * r.slope }, { series: r.name, x: part.peak / r.slope, y: part.peak }]
    : [{ series: r.name, x: from, y: part.peak }, { series: r.name, x: to, y: part.peak }]);
  spec.data = [{ name: "rows", values: rows }, { name: "roofs", values: roofs }];
  spec.scales = [
    numberScale("x", "x", true, "width", [from, to]), numberScale("y", "y", true, "height", [bottom, top]),
    { name: "colour", type: "ordinal", domain: series, range: colourScale(series) },
  ];
  spec.axes = axesOf(part, rows, inner, height);
  spec.legends = legends(series, inner, above);
  spec.marks = [
    { type: "group", clip: true, encode: { enter: { width: { value: inner }, height: { value: height } } }, marks: [
      { type: "group", from: { facet: { data: "roofs", name: "roof", groupby: "series" } }, marks: [{ type: "line", from: { data: "roof" }, encode: { enter: {
        x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" }, stroke: { scale: "colour", field: "series" }, strokeWidth: { value: 1.5 } } } }] }] },
    { type: "symbol", from: { data: "rows" }, encode: { enter: { x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" }, size: { value: 60 },
      fill: { scale: "colour", field: "series" }, fillOpacity: { value: 0.85 }, description: { signal: `datum.label + " " + datum.x + " " + datum.y` },
      tooltip: { signal: `{title: datum.label, ${JSON.stringify(part.x)}: format(datum.x, ",.5~r"), ${JSON.stringify(part.y)}: format(datum.y, ",.5~r")}` } } } },
    ...(rows.length > 8 ? [] : [{ type: "text", from: { data: "rows" }, encode: { enter: { x: { scale: "x", field: "x", offset: 6 }, y: { scale: "y", field: "y", offset: -5 }, fontSize: { value: 9 },
      text: { signal: `length(datum.label) > 14 ? slice(datum.label, 0, 13) + "…" : datum.label` } } } }]),
  ];
  return spec;
}

const kSpecs = { bars: barSpec, grouped: barSpec, blocks: blockSpec, steps: stepSpec, scatter: scatterSpec, roofline: rooflineSpec };

// What charts say under the pointer.
function showTip(_, event, item, value) {
  let tip = document.getElementById("vg-tooltip-element");
  if (!tip) document.body.append(tip = element("div", { id: "vg-tooltip-element" }));
  tip.classList.toggle("visible", Boolean(value));
  if (!value) return;
  tip.textContent = Object.entries(value).map(([key, text]) => key === "title" ? text : `${key}: ${text}`).join("\n");
  tip.style.left = Math.min(event.clientX + 12, innerWidth - tip.offsetWidth - 8) + "px";
  tip.style.top = Math.min(event.clientY + 12, innerHeight - tip.offsetHeight - 8) + "px";
}

async function drawInto(place, part, width) {
  place.replaceChildren();
  const view = new vega.View(vega.parse(kSpecs[part.kind](part, width)), { renderer: "svg", container: place, hover: true, tooltip: showTip });
  await view.runAsync();
  return view;
}

// A picture for papers, 900 pixels wide at twice the resolution, as a data URL.
async function pictureOf(part) {
  const view = new vega.View(vega.parse({ ...kSpecs[part.kind](part, 900), background: "#ffffff" }), { renderer: "none" });
  return view.toImageURL("png", 2);
}

function drawChart(part) {
  const place = element("div", { class: "chart", role: "img", "aria-label": part.title });
  const figure = element("figure", { id: part.id }, element("h3", {}, part.title), saveLinks(part, true),
    part.note ? element("figcaption", {}, part.note) : null, place);
  whenVisible(place, () => drawInto(place, part, Math.max(280, Math.floor(place.clientWidth))));
  return figure;
}

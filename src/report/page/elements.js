// What all parts of the page share: elements of the document, numbers as text, colours of the tensors.
"use strict";

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value !== undefined && value !== null) made.setAttribute(key, value);
  }
  for (const child of children) if (child !== null && child !== undefined) made.append(child);
  return made;
}

// All digits in front of the point, and six significant ones in all where there are fewer.
function numberText(value) {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 1e5) return value.toLocaleString("en-US", { maximumFractionDigits: size < 1e5 ? 0 : 1 });
  return value.toLocaleString("en-US", { maximumSignificantDigits: 6 });
}

function cellText(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "number" ? numberText(value) : String(value);
}

const kTensorColours = { input: "#3b82d6", weight: "#e07b39", output: "#3a9d6a" };
// Twenty colours that are told apart on white and on black, the first ones also by colour-blind readers.
const kColours = ["#3b82d6", "#e07b39", "#3a9d6a", "#a566c4", "#c9a227", "#35a3b5", "#d1567f", "#7d8590",
  "#6a7fdb", "#8f6a3a", "#5fae3f", "#b8483a", "#4c6b8a", "#cf8fb0", "#7aa6a1", "#9c8c1c", "#8253a8", "#d99a6c",
  "#2f7f5f", "#98a3ad"];

function colourScale(names) {
  const own = names.filter((name) => !(name in kTensorColours));
  const free = kColours.filter((c) => own.length + 3 > kColours.length || !names.some((n) => kTensorColours[n] === c));
  return names.map((name) => kTensorColours[name] || free[own.indexOf(name) % free.length]);
}

function distinct(values) { return [...new Set(values)]; }

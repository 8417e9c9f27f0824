// A loop nest as nested boxes: one for each memory level, outermost first, with its loops, the tiles that it
// holds, and the tensors that stay while loops inside move the others.
"use strict";

function tileElement(tile) {
  return element("span", { class: "tile", style: `--tensor: ${kTensorColours[tile.tensor] || "var(--faint)"}` },
    `${tile.tensor} ${numberText(tile.elements)}` + (tile.bytes === undefined ? "" : ` (${numberText(tile.bytes)} B)`));
}

function levelBox(levels, i) {
  const level = levels[i];
  const head = element("div", { class: "head" }, element("span", { class: "name" }, level.name));
  for (const tile of level.tiles || []) head.append(tileElement(tile));
  const loops = element("div", { class: "head" });
  for (const loop of level.loops || []) {
    loops.append(element("span", { class: "loop" },
      (loop.over ? "parallel for " : "for ") + `${loop.dim} in ${loop.factor}` + (loop.over ? ` over ${loop.over}` : "")));
  }
  for (const stay of level.stays || []) {
    loops.append(element("span", { class: "stays", style: `--tensor: ${kTensorColours[stay.tensor] || "var(--accent)"}` },
      `${stay.tensor} stays for ${numberText(stay.iterations)} iterations`));
  }
  const box = element("div", { class: level.array ? "box array" : "box" }, head);
  if (loops.childNodes.length) box.append(loops);
  if (i + 1 < levels.length) box.append(levelBox(levels, i + 1));
  return box;
}

function drawNest(part) {
  return element("figure", {}, element("h3", {}, part.title),
    part.note ? element("figcaption", {}, part.note) : null,
    element("div", { class: "nest" }, levelBox(part.levels, 0)));
}

// Tables that scroll inside their frame, so that a hundred rows and thirty columns do not break the page.
"use strict";

function drawTable(part) {
  const isNumber = part.columns.map((_, c) => part.rows.every((row) => row[c] === null || typeof row[c] === "number"));
  const head = element("tr");
  part.columns.forEach((name, c) => head.append(element("th", { class: isNumber[c] ? "number" : null, scope: "col" }, name)));
  const body = element("tbody");
  part.rows.forEach((row, r) => {
    const line = element("tr", { class: (part.marked || []).includes(r) ? "mark" : null });
    row.forEach((cell, c) => line.append(element("td",
      { class: isNumber[c] ? "number" : null, "data-value": typeof cell === "number" ? cell : null }, cellText(cell))));
    body.append(line);
  });
  return element("figure", { id: part.id }, element("h3", {}, part.title), saveLinks(part, null),
    part.note ? element("figcaption", {}, part.note) : null,
    element("div", { class: "scroll", tabindex: 0 }, element("table", {}, element("thead", {}, head), body)));
}

function csvText(part) {
  const quoted = (cell) => {
    const text = cell === null || cell === undefined ? "" : String(cell);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [part.columns, ...part.rows].map((row) => row.map(quoted).join(",")).join("\n") + "\n";
}

function offer(name, url) {
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

// Buttons that save what a part shows: its figures as CSV and, of a chart, the picture.
function saveLinks(part, view) {
  const links = element("span", { class: "save" });
  const csv = element("button", { type: "button" }, "CSV");
  csv.addEventListener("click", () => offer(`${part.id}.csv`, "data:text/csv;charset=utf-8," + encodeURIComponent(csvText(part))));
  links.append(csv);
  if (view) {
    const png = element("button", { type: "button" }, "PNG");
    png.addEventListener("click", async () => offer(`${part.id}.png`, await pictureOf(part)));
    links.append(png);
  }
  return links;
}

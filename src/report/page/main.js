// Puts the page together from the report's data: sections, their facts, nests, charts and tables.
"use strict";

// Charts are drawn when they have a width: at once, when the part around them is opened, and again when the
// window changes.
const pending = [];

function whenVisible(place, draw) { pending.push({ place, draw, width: 0 }); }

async function drawPending() {
  for (const chart of pending) {
    const width = chart.place.clientWidth;
    if (width === 0 || width === chart.width) continue;
    chart.width = width;
    await chart.draw();
  }
}

function drawPart(part) {
  if (part.kind === "nest") return drawNest(part);
  if (part.kind === "table") return drawTable(part);
  if (part.kind === "fold") {
    const fold = element("details", { class: "part" }, element("summary", {}, part.title));
    if (part.facts) fold.append(drawFacts(part.facts));
    for (const inner of part.parts) fold.append(drawPart(inner));
    fold.addEventListener("toggle", drawPending);
    return fold;
  }
  return drawChart(part);
}

function drawFacts(facts) {
  const list = element("dl", { class: "facts" });
  for (const fact of facts) {
    const value = element("dd", { class: fact.tone, title: fact.exact, "data-value": typeof fact.value === "number" ? fact.value : null });
    value.append(cellText(fact.value) + (fact.unit ? " " + fact.unit : ""));
    list.append(element("dt", {}, fact.name), value);
  }
  return list;
}

function drawSection(section) {
  const made = element("section", { id: section.id }, element("h2", {}, section.title));
  if (section.note) made.append(element("p", { class: "note" }, section.note));
  if (section.facts.length) made.append(drawFacts(section.facts));
  for (const part of section.parts) made.append(drawPart(part));
  return made;
}

function chartsOf(parts) {
  return parts.flatMap((part) => part.kind === "fold" ? chartsOf(part.parts) : part.kind in kSpecs ? [part] : []);
}

// With #pictures the page holds every chart as PNG in its text, for programs that save them.
async function addPictures(report) {
  const all = report.sections.flatMap((section) => chartsOf(section.parts));
  for (const part of all) document.body.append(element("script", { type: "text/plain", class: "picture", "data-id": part.id }, await pictureOf(part)));
  document.body.dataset.pictures = all.length;
}

async function begin() {
  const report = JSON.parse(document.getElementById("report").textContent);
  document.querySelector("h1").textContent = report.title;
  document.querySelector(".made").textContent = report.made;
  const links = document.querySelector("nav");
  const main = document.querySelector("main");
  for (const section of report.sections) {
    if (report.sections.length > 1) links.append(element("a", { href: "#" + section.id }, section.title));
    main.append(drawSection(section));
  }
  await drawPending();
  let timer = 0;
  addEventListener("resize", () => { clearTimeout(timer); timer = setTimeout(drawPending, 150); });
  addEventListener("beforeprint", () => { document.querySelectorAll("details.part").forEach((d) => { d.open = true; }); drawPending(); });
  if (location.hash === "#pictures") await addPictures(report);
  document.body.dataset.ready = "yes";
}

begin().catch((error) => { console.error(error); document.body.dataset.ready = "failed"; });

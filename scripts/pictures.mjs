// Draws docs/pictures/*.dot as SVG, in colors that follow the reader's light or dark mode.
//
//   node scripts/pictures.mjs           writes the pictures
//   node scripts/pictures.mjs --check   prints the paths of those that are not up to date, as JSON
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Graphviz } from "@hpcc-js/wasm-graphviz";
import { STYLE } from "./docs/picture-style.mjs";

const FOLDER = "docs/pictures";
/** The font is laid out larger than it is shown: where Arial is missing, another one may be wider. */
const LOOKS = [
  'graph [bgcolor="transparent", pad=0.25, nodesep=0.35, ranksep=0.45]',
  'node [shape=box, style=rounded, fontname=Arial, fontsize=14, margin="0.15,0.06"]',
  "edge [fontname=Arial, fontsize=13, arrowsize=0.7]",
];

const graphviz = await Graphviz.load();
const pictures = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".dot"))
  .map((name) => ({
    path: `${FOLDER}/${name.replace(".dot", ".svg")}`,
    svg: draw(readFileSync(`${FOLDER}/${name}`, "utf8")),
  }));

if (process.argv.includes("--check")) {
  const stale = pictures.filter(({ path, svg }) => !existsSync(path) || readFileSync(path, "utf8") !== svg);
  console.log(JSON.stringify(stale.map(({ path }) => path)));
} else {
  for (const { path, svg } of pictures) writeFileSync(path, svg);
}

function draw(source) {
  const title = /digraph "([^"]+)"/.exec(source)[1];
  const drawn = graphviz.dot(source.replaceAll("\r", "").replace("{", ["{", ...LOOKS, ""].join("\n")));
  const svg = drawn
    .replace(/^[\s\S]*?(?=<svg)/, "")
    .replaceAll(/<!--[\s\S]*?-->\n?|<title>.*?<\/title>\n?/g, "")
    .replaceAll(/ (fill|stroke|font-family|font-size|xmlns:xlink|xml:space)="[^"]*"/g, "")
    // Points are pixels here.
    .replaceAll(/(?<=(?:width|height)="[\d.]+)pt/g, "");
  const [opening] = /^<svg[^>]*>\n/.exec(svg);
  const page = '<rect class="page" width="100%" height="100%" rx="8"/>\n';
  return svg.replace(opening, opening.replace("<svg", `<svg role="img" aria-label="${title}"`) + STYLE + page);
}

// Draws numbers as horizontal bars, in colors that follow the reader's light or dark mode.
//
//   node scripts/chart.mjs results.json chart.svg
//
// The file contains { title, unit?, rows: [{ label, value, note? }] }. Each value is followed by its note or the unit. Lower values
// are better, and the bars of svc-sdk are highlighted.
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { STYLE } from "./docs/picture-style.mjs";

const WIDTH = 720;
const PAD = 16;
const TITLE = 46;
const ROW = 26;
/** A letter of the font, on average and on the safe side. */
const LETTER = 7;

/**
 * @param {{ title: string, unit?: string, rows: readonly { label: string, value: number, note?: string }[] }} results
 */
export function chart({ title, unit = "", rows }) {
  if (rows.length === 0) throw new Error(`The chart "${title}" has no rows.`);
  const wrong = rows.find(({ value }) => !(Number.isFinite(value) && value >= 0));
  if (wrong)
    throw new Error(`The chart "${title}" cannot show ${wrong.value} for ${wrong.label}: give a number from 0 up.`);
  const values = rows.map(({ value, note }) => [value.toLocaleString("en-US"), note ?? unit].filter(Boolean).join(" "));
  const labelWidth = LETTER * Math.max(...rows.map(({ label }) => label.length));
  const valueWidth = LETTER * Math.max(...values.map(({ length }) => length));
  const left = PAD + labelWidth + 10;
  const longest = Math.max(WIDTH - left - valueWidth - 10 - PAD, 40);
  const most = Math.max(...rows.map(({ value }) => value)) || 1;
  const width = left + longest + 10 + valueWidth + PAD;
  const height = PAD + TITLE + rows.length * ROW + PAD;

  const bars = rows.map(({ label, value }, index) => {
    const middle = PAD + TITLE + index * ROW + ROW / 2;
    const length = Math.max(Math.round((value / most) * longest), 1);
    return [
      `<text x="${left - 10}" y="${middle + 4}" text-anchor="end">${xmlText(label)}</text>`,
      `<rect class="${label.startsWith("svc-sdk") ? "bar ours" : "bar"}" x="${left}" y="${middle - 8}" width="${length}" height="16" rx="3"/>`,
      `<text class="quiet" x="${left + length + 10}" y="${middle + 4}">${xmlText(values[index])}</text>`,
    ].join("\n");
  });
  return [
    `<svg role="img" aria-label="${xmlText(title)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg">`,
    `${STYLE}<rect class="page" width="100%" height="100%" rx="8"/>`,
    `<text x="${PAD}" y="${PAD + 12}" font-weight="bold">${xmlText(title)}</text>`,
    `<text class="quiet" x="${PAD}" y="${PAD + 30}">Lower is better</text>`,
    ...bars,
    "</svg>\n",
  ].join("\n");
}

function xmlText(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const [, , from, to] = argv;
  if (to === undefined)
    throw new Error("Say what to read and what to write: node scripts/chart.mjs results.json chart.svg");
  writeFileSync(to, chart(JSON.parse(readFileSync(from, "utf8"))));
}

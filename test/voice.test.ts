import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ALLOWED } from "./voice/allowed.js";
import { LINT_WORDS } from "./voice/lint-words.js";
import { proseOf } from "./voice/prose.js";

const PATHS = [
  "{README,CHANGELOG}.md",
  "docs/**/*.{md,dot}",
  "{src,examples}/**/*.{ts,tsx,md}",
  "{scripts,bench,docs/.vitepress}/**/*.{ts,mjs,js}",
  "*.config.ts",
  "test/**/*.ts",
];
const WRITTEN_BY_SCRIPTS = [
  "**/node_modules/**",
  "docs/api/**",
  "docs/.vitepress/{cache,dist}/**",
  "{examples,test/catalog/generate/typed-project}/svc.gen.ts",
  "src/webhooks/event-checks.ts",
];

const patterns = Object.entries(LINT_WORDS).map(([better, words]) => ({ better, words: acrossLines(words) }));
const exceptions = ALLOWED.map((entry) => ({ ...entry, words: acrossLines(entry.words) }));
const needed = new Set<string>();

const hits = globSync(PATHS, { exclude: WRITTEN_BY_SCRIPTS }).toSorted().flatMap(hitsIn);

test("prose is in plain American English", () => {
  expect(hits, "use the words after instead, or add a hit that is right to test/voice/allowed.ts").toEqual([]);
});

test("every allowed exception is still needed", () => {
  const unneeded = ALLOWED.map(({ because }) => because).filter((because) => !needed.has(because));
  expect(unneeded, "remove them from test/voice/allowed.ts").toEqual([]);
});

/** The lint words in a file, each with its place and what to write instead. */
function hitsIn(path: string): string[] {
  const text = readFileSync(path, "utf8");
  // To parse a file takes long, and most have no such word, in code neither.
  if (!patterns.some(({ words }) => text.search(words) !== -1)) return [];
  const prose = proseOf(path, text);
  const fine = exceptions
    .filter((exception) => exception.in?.test(path) ?? true)
    .flatMap(({ words, because }) => rangesOf(prose, words).map((range) => ({ ...range, because })));
  return patterns.flatMap(({ better, words }) =>
    rangesOf(prose, words).flatMap(({ from, to }) => {
      const exception = fine.find((range) => range.from <= from && to <= range.to);
      if (exception) needed.add(exception.because);
      const place = `${path}:${prose.slice(0, from).split("\n").length}`;
      return exception ? [] : [`${place}: ${prose.slice(from, to).trim()} (instead: ${better})`];
    }),
  );
}

function rangesOf(prose: string, words: RegExp): { from: number; to: number }[] {
  return [...prose.matchAll(words)].map(({ index, 0: { length } }) => ({ from: index, to: index + length }));
}

/** A sentence may go on in the next line of a comment. */
function acrossLines({ source }: RegExp): RegExp {
  return new RegExp(source.replaceAll(" ", "\\s[\\s*/]*"), "g");
}

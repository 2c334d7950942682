// The sentences of the documentation that promise how often or when something happens.
import { globSync, readFileSync } from "node:fs";

/** A sentence of a page. */
export interface Sentence {
  readonly page: string;
  readonly text: string;
}

const PROMISES = /\b(once|never|at most|first|exactly)\b/i;
/** Instructions to the reader, which promise nothing. */
const INSTRUCTIONS =
  /^(Check|Compare|Create|First|If you change|In a Worker, pass|Load|Mount|Next\.js|Pass|Pin|Put|Replace|Set|Test|To rotate|Workers)\b/;

const plain = (text: string) => text.replace(/\*\*|^[-*>] |\]\([^)]*\)|\[/g, "").trim();

/** The sentences of a page's paragraphs, list items and table cells, without code blocks and headings. */
function sentencesOf(text: string): string[] {
  return text
    .replace(/```[\s\S]*?```/g, "\n\n")
    .split(/\n{2,}|\n(?=[-*|#>]|\d+\. )/)
    .filter((block) => !block.startsWith("#"))
    .flatMap((block) => (block.startsWith("|") ? block.split("|") : [block]))
    .map((block) => plain(block.replace(/\s+/g, " ")))
    .flatMap((block) => block.split(/(?<=[.!?:])\s+(?=[A-Z`"])/));
}

/** The promises of the README and the guides. */
export function promisesOf(root: string): Sentence[] {
  const pages = ["README.md", ...globSync("docs/guide/*.md", { cwd: root }).sort()];
  return pages.flatMap((page) =>
    sentencesOf(readFileSync(`${root}/${page}`, "utf8"))
      .map((text) => text.trim())
      .filter((text) => PROMISES.test(text.replace(/`[^`]*`/g, "")) && !INSTRUCTIONS.test(text))
      .map((text) => ({ page, text })),
  );
}

export const NOT_SEARCHED = "not searched";

/** A sentence in docs/promises.md. */
export interface PromiseRow extends Sentence {
  /** The worlds that search it: the prefix of their names. */
  readonly worlds: string;
}

/** The rows of docs/promises.md. */
export function rowsOf(table: string): PromiseRow[] {
  const sections = table.split(/^## /m).slice(1);
  return sections.flatMap((section) => {
    const page = section.slice(0, section.indexOf("\n")).replace(/^guide\//, "docs/guide/");
    const lines = [...section.matchAll(/^\| (.*) \| ([^|]*) \|$/gm)].slice(1);
    return lines.map(([, text = "", worlds = ""]) => ({ page, text: text.replaceAll("\\|", "|"), worlds }));
  });
}

import type { VersionedTool } from "../catalogue.js";

/** What a search can find: a tool of the catalogue, or a custom one. */
export interface Candidate {
  readonly slug: string;
  readonly toolkit: string;
  readonly name: string;
  readonly description: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>> | undefined;
  readonly tags: readonly string[];
}

/** A tool of the catalogue as a search sees it. */
export function candidateOf({ tool, toolkit, facts }: VersionedTool): Candidate {
  const { description, input, output, tags = [] } = facts;
  return { slug: tool.slug, toolkit: toolkit.slug, name: tool.name, description, input, output, tags };
}

/** Words that say nothing about what is wanted. */
const EMPTY_WORDS = new Set(
  "a an and all as at by for from in into is it me my of on or our that the this to up with".split(" "),
);

/**
 * The candidates that have something to do with a use case, best first. Deterministic: words that both have, those of the
 * slug and the name counting most; ties go by slug. See assumption E46.
 */
export function rank(useCase: string, candidates: readonly Candidate[]): { candidate: Candidate; score: number }[] {
  const wanted = new Set(wordsOf(useCase));
  const hits = (text: string) => new Set(wordsOf(text).filter((word) => wanted.has(word))).size;
  return candidates
    .map((candidate) => ({
      candidate,
      score:
        3 * hits(`${candidate.slug} ${candidate.name}`) +
        2 * hits(candidate.toolkit) +
        hits(`${candidate.description} ${candidate.tags.join(" ")}`),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || (one.candidate.slug < other.candidate.slug ? -1 : 1));
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !EMPTY_WORDS.has(word))
    .map((word) => word.replace(/(?<=\w{3})(ing|ies|es|s|ed|e|y)$/, ""));
}

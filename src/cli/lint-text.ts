import { type ReadableText, readableText } from "../lock/readable.js";
import { escapeHidden, removeHidden } from "../shared/hidden-text.js";

/** The kinds of words in a definition that may mislead a model or a reviewer. */
export const TEXT_KINDS = {
  long: "a description is longer than 1,024 characters: more than a person reads",
  hidden: "characters that a person doesn't see: of direction, without width, tags",
  imitates: "words like those with which a toolset tells a model what ran",
} as const;

/** A finding in the words of a tool. */
export interface TextNote {
  readonly path: string;
  readonly kind: keyof typeof TEXT_KINDS;
  readonly message: string;
}

const LONGEST = 1_024;
/** As many characters as a line shows of one. */
const SHOWN = 80;

/** Parts of the messages of `src/agents/messages.ts` that a model obeys. */
const OURS =
  /nothing ran|did not run|has not run|may have run|nothing was sent|was not (allowed|approved)|needs (an|the) approval|the program (sets|had)|shortened from \d+ bytes|its result is unknown|there is no tool named/i;

/** Finds words that may mislead: over-long ones, hidden characters, imitations of the toolset's own. */
export function textNotes(tool: Parameters<typeof readableText>[0]): TextNote[] {
  const text: ReadableText = readableText(tool);
  return Object.entries(text).flatMap(([path, value]) => [
    // A name may hide them as well.
    ...notesOf(path, path).filter(({ kind }) => kind === "hidden"),
    ...[value].flat().flatMap((one) => (typeof one === "string" ? notesOf(path, one) : [])),
  ]);
}

function notesOf(path: string, text: string): TextNote[] {
  const notes: TextNote[] = [];
  const note = (kind: TextNote["kind"], message: string) => notes.push({ path, kind, message });
  const escaped = escapeHidden(text);
  if (text.length > LONGEST) note("long", `${text.length} characters.`);
  const hidden = /\\u[0-9a-f]{4}/.exec(escaped)?.index ?? 0;
  if (escaped !== text) note("hidden", JSON.stringify(around(escaped, hidden)).replaceAll("\\\\u", "\\u"));
  // As a reader sees it: other forms of letters, and what is hidden between them, don't change it.
  const seen = removeHidden(text.normalize("NFKC")).replace(/\s+/g, " ");
  const like = OURS.exec(seen);
  if (like) note("imitates", JSON.stringify(around(seen, like.index)));
  return notes;
}

const around = (text: string, index: number) => text.slice(Math.max(0, index - SHOWN / 2), index + SHOWN);

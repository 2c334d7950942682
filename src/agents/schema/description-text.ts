import { isString, type Json } from "../../shared/json.js";
import { copyForWords } from "./copy.js";
import type { WritingState } from "./writing-state.js";

/**
 * The text of a description: the author's words, then the constraints and annotations that the target has no keywords
 * for.
 */
export function descriptionText(
  annotations: Json,
  constraints: readonly Json[],
  writing: WritingState,
  path: string,
): string {
  const { title, description, ...others } = annotations;
  const keywords = Object.keys(others);
  if (constraints.length + keywords.length === 0) return titledText(title, description, path);
  const limits = constraints.flatMap((constraint) => {
    const isInWords = Object.values(constraint).some(isString);
    return Object.entries(isInWords ? constraint : Object(copyForWords(constraint, writing)));
  });
  for (const [keyword] of limits) {
    writing.note(path, "described", `${keyword}: the target can't check it, so it is in the description.`);
  }
  for (const keyword of keywords) writing.note(path, "annotated", `${keyword}: it is in the description.`);
  const words = [...limits, ...Object.entries(others)].map(
    ([keyword, value]) => `${keyword}: ${isString(value) ? value : JSON.stringify(value)}`,
  );
  return [titledText(title, description, path), words.length === 0 ? "" : `(${words.join("; ")})`]
    .filter(Boolean)
    .join(" ");
}

/** A title that only repeats the property's name or the description, as generators write it, adds nothing. */
function titledText(title: unknown, description: unknown, path: string): string {
  const text = isString(description) ? description : "";
  if (!isString(title)) return text;
  const isKnown = plain(path).endsWith(plain(title)) || plain(text).includes(plain(title));
  if (isKnown) return text;
  return text === "" ? title : `${title}: ${text}`;
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

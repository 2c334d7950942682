import { escapeHidden } from "../../shared/hidden-text.js";
import type { ReadableText } from "./hash.js";

/** More than a person reads, in characters. */
const LONGEST = 1_024;

/** As many characters of a long description as a line shows. */
const SHOWN = 80;

/**
 * Warnings about new and changed text that a reviewer may not see in full: hidden characters, and more than
 * 1,024 characters in one place.
 *
 * @param before - The text that was locked, if there is one.
 */
export function textWarnings(before: ReadableText, after: ReadableText): string[] {
  const changed = Object.entries(after).filter(
    ([place, value]) => !Object.hasOwn(before, place) || JSON.stringify(before[place]) !== JSON.stringify(value),
  );
  return changed.flatMap(([place, value]) => [
    // A name may hide characters as well.
    ...hiddenIn(place, place),
    ...[value].flat().flatMap((text) => (typeof text === "string" ? warningsOf(place, text) : [])),
  ]);
}

function warningsOf(place: string, text: string): string[] {
  const tooLong = text.length > LONGEST ? [`${place} has ${text.length} characters`] : [];
  return [...tooLong, ...hiddenIn(place, text)];
}

function hiddenIn(place: string, text: string): string[] {
  const escaped = escapeHidden(text);
  if (escaped === text) return [];
  const start = Math.max(0, [...text].findIndex((character) => escapeHidden(character) !== character) - SHOWN / 2);
  const shown = escapeHidden([...text].slice(start, start + SHOWN).join(""));
  return [`${escapeHidden(place)} has hidden characters: "${shown}"`];
}

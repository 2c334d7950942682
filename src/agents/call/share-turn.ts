import { field, isObject, parseJson } from "../../shared/json.js";
import { bytesOf } from "../../shared/text-size.js";
import { isFailure } from "../../shared/tools.js";
import type { CallResult } from "../call-result.js";
import { boundedText, INSTEAD_OF_RESULT, originalBytes, resultText } from "./result-text.js";

/** Bytes that every result keeps for its note, unless that is more than half of an equal part. */
const LEAST = 64;
const SHORTEST = [...INSTEAD_OF_RESULT.map((shortened) => JSON.stringify({ shortened })), "0"];

/**
 * Shortens results to so many bytes together. Failures and calls that wait for approval get what they
 * need first. The others share the rest: what short ones leave, long ones get, in equal parts.
 */
export function shareTurn(results: readonly CallResult[], maxBytes: number): CallResult[] {
  const sizes = results.map(({ text }) => bytesOf(text));
  const least = Math.min(LEAST, Math.floor(maxBytes / results.length / 2));
  const isFirst = results.map(({ status }) => isFailure(status) || status === "pending");
  const kept = sizes.reduce((sum, size, index) => (isFirst[index] ? sum : sum + Math.min(size, least)), 0);
  const shares = new Map<number, number>();
  let left = maxBytes;
  for (const [group, reserved] of [[true, kept] as const, [false, 0] as const]) {
    const members = [...sizes.keys()].filter((index) => isFirst[index] === group);
    members.sort((left, right) => (sizes[left] ?? 0) - (sizes[right] ?? 0));
    members.forEach((index, position) => {
      const share = Math.min(sizes[index] ?? 0, Math.floor((left - reserved) / (members.length - position)));
      shares.set(index, share);
      left -= share;
    });
  }
  return results.map((result, index) => ({ ...result, text: fittedText(result.text, shares.get(index) ?? 0) }));
}

/** A text within a size, however small. JSON stays JSON. */
function fittedText(text: string, maxBytes: number): string {
  if (bytesOf(text) <= maxBytes) return text;
  const data = parseJson(text);
  const attempts =
    data === undefined
      ? [boundedText(text, maxBytes), text.slice(0, Math.floor(maxBytes / 3)).replace(/\p{Surrogate}/gu, "")]
      : [shortenedAgain(data, maxBytes), ...SHORTEST];
  return attempts.find((attempt) => bytesOf(attempt) <= maxBytes) ?? "";
}

/** The note of a result that was shortened before isn't shortened again. */
function shortenedAgain(data: unknown, maxBytes: number): string {
  const size = isObject(data) ? originalBytes(data) : undefined;
  return size === undefined ? resultText(data, maxBytes) : resultText(field(data, "result"), maxBytes, size);
}

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { API_VERSIONS, type ApiVersion, DEFAULT_API_VERSION } from "../shared/api-versions.js";
import { isObject, type Json, parseJson } from "../shared/json.js";
import { messageOf } from "../shared/message-of.js";
import { text, UsageError } from "./command.js";
import type { Terminal } from "./terminal.js";

/**
 * The text of an option's value: as written, of the file in `@file`, or of standard input for `@-`. `@@` is an `@`.
 * A byte order mark at the start, and the newline that editors and `echo` add at the end, aren't part of the value.
 *
 * @param readsDash - Whether a hyphen alone means standard input; as text it may mean itself.
 * @throws {UsageError} if the file or standard input can't be read, or another option has read standard input.
 */
export function contentOf(terminal: Terminal, option: string, text: string, readsDash: boolean): string {
  if (text === "@-" || (readsDash && text === "-")) return contentIn(standardInput(terminal, option));
  if (text.startsWith("@@")) return text.slice(1);
  if (!text.startsWith("@")) return text;
  const advice = " A text that starts with @ is written with @@.";
  const file = resolve(terminal.cwd, text.slice(1));
  return contentIn(readOption(option, () => readFileSync(file, "utf8"), advice));
}

const contentIn = (text: string) => withoutMark(text).replace(/\r?\n$/, "");

/** A file's text without the byte order mark that editors and shells on Windows write. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}

/** The content of standard input, which can be read only once. */
const inputs = new WeakMap<Terminal, { readonly option: string; readonly text: string }>();

function standardInput(terminal: Terminal, option: string): string {
  const input = inputs.get(terminal) ?? { option, text: readOption(option, () => terminal.readInput(), "") };
  inputs.set(terminal, input);
  if (input.option === option) return input.text;
  throw new UsageError(`${option}: ${input.option} reads standard input. Pass one of them as @file.`);
}

function readOption(option: string, readText: () => string, advice: string): string {
  try {
    return readText();
  } catch (error) {
    throw new UsageError(`${option}: ${messageOf(error)}.${advice}`);
  }
}

/** Whether a string is a URL that requests can be sent to. `localhost:3000` is a URL, but its scheme is `localhost`. */
export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/**
 * The slugs in the value of an option.
 *
 * @throws {UsageError} for an empty slug.
 */
export function slugsIn(option: string, list: string | undefined): string[] | undefined {
  const slugs = list?.split(",").map((slug) => slug.trim());
  if (slugs?.includes("")) throw new UsageError(`${option} must be slugs separated by commas.`);
  return slugs;
}

/** The option `--api-version`. */
export const API_VERSION = text(API_VERSIONS.join("|"), `API version to use (default ${DEFAULT_API_VERSION})`);

/**
 * The version in the value of `--api-version`.
 *
 * @throws {UsageError} if it isn't one.
 */
export function apiVersionIn(text: unknown): ApiVersion | undefined {
  const known = API_VERSIONS.find((version) => version === text);
  if (text === undefined || known) return known;
  throw new UsageError(`--api-version must be ${API_VERSIONS.join(" or ")}, not ${text}.`);
}

/**
 * The JSON object in the value of `--body`.
 *
 * @throws {UsageError} if it isn't one.
 */
export function bodyIn(terminal: Terminal, text: string): Json {
  const body = parseJson(contentOf(terminal, "--body", text, true));
  if (isObject(body)) return body;
  throw new UsageError("--body must be a JSON object: in quotes, as @file, or - for standard input.");
}

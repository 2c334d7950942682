import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError } from "../../index.js";
import { isObject, parseJson } from "../../shared/json.js";
import { makeFolder } from "../../shared/make-folder.js";
import { messageOf } from "../../shared/message-of.js";

/** A recorded body. At most one of the fields is present; none if there was no body. */
export interface RecordedBody {
  /** The parsed body, if it was JSON. Replayed without whitespace. */
  readonly json?: unknown;
  /** A string that isn't JSON, or JSON with whitespace between its parts. */
  readonly text?: string;
  /** Other bytes. */
  readonly base64?: string;
}

/** A recorded request. The host isn't recorded. */
export interface RecordedRequest extends RecordedBody {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** The content type, and the kind of credential. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Exchange {
  readonly request: RecordedRequest;
  readonly response: RecordedBody & { readonly status: number; readonly headers: Readonly<Record<string, string>> };
}

export interface Cassette {
  readonly cassette: 1;
  /** In the order in which the requests were sent. */
  readonly exchanges: readonly Exchange[];
}

/** Reads a cassette. `reader` is the function's name, for messages. */
export function readCassette(file: string, reader: string): Cassette {
  const fail = (problem: string): never => {
    throw new ConfigError(`${reader}: ${problem}. Record it with recordFetch({ file: ${JSON.stringify(file)} }).`);
  };
  let text = "";
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    fail(`can't read the cassette ${file}: ${messageOf(error)}`);
  }
  const content = parseJson(text);
  if (!isObject(content) || content["cassette"] !== 1) return fail(`${file} isn't a cassette`);
  const { exchanges } = content;
  if (!Array.isArray(exchanges)) return fail(`${file} isn't a cassette: it has no exchanges`);
  const wrong = exchanges.findIndex((exchange) => !isExchange(exchange));
  if (wrong !== -1) fail(`${file} isn't a cassette: exchanges[${wrong}] has no valid request and response`);
  // Checked above.
  return { cassette: 1, exchanges: exchanges as Exchange[] };
}

function isExchange(value: unknown): boolean {
  const { request, response } = Object(value);
  return (
    isObject(request) &&
    typeof request["method"] === "string" &&
    typeof request["path"] === "string" &&
    isObject(response) &&
    Number.isInteger(response["status"]) &&
    isObject(response["headers"] ?? {})
  );
}

/** Writes a cassette completely or not at all. */
export async function writeCassette(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    makeFolder(dirname(file));
    await writeFile(draft, text, { flag: "wx" });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw new ConfigError(`recordFetch: can't write the cassette ${file}: ${messageOf(error)}`);
  }
}

/** A body as a cassette contains it. */
export function toBody(bytes: Uint8Array): RecordedBody {
  if (bytes.length === 0) return {};
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { base64: Buffer.from(bytes).toString("base64") };
  }
  const json = parseJson(text);
  return json === undefined || JSON.stringify(json) !== text ? { text } : { json };
}

/** The bytes of a recorded body; null without a body. */
export function toBytes({ json, text, base64 }: RecordedBody): Uint8Array<ArrayBuffer> | null {
  if (base64 !== undefined) return new Uint8Array(Buffer.from(base64, "base64"));
  const content = json === undefined ? text : JSON.stringify(json);
  return content === undefined ? null : new TextEncoder().encode(content);
}

/** The JSON value of a recorded body; `undefined` if it isn't JSON. */
export function jsonOf({ json, text }: RecordedBody): unknown {
  return json === undefined && text !== undefined ? parseJson(text) : json;
}

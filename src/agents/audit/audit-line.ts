import { hexOf, sha256Of } from "../../shared/digest.js";
import { isObject, isString, parseJson } from "../../shared/json.js";
import type { CallStatus } from "../call-result.js";
import type { DecisionOutcome } from "../decision.js";
import { macOf, type PreparedKey } from "../hmac-key.js";

/** The policy's decision on a call, or on one of its inner calls. */
export interface AuditedDecision {
  /** The tool that was evaluated. */
  readonly tool: string;
  /** The outcome. */
  readonly outcome: DecisionOutcome;
  /** The rule that decided, as the policy names it; `undefined` if no rule did. */
  readonly rule: string | undefined;
}

/** The facts of one line: a call starts, or has ended. */
export interface AuditEntry {
  /** `started`: the call runs next. `ended`: the call ended, even if it didn't run. */
  readonly type: "started" | "ended";
  /** When, in ISO 8601, by the program's clock. */
  readonly at: string;
  /** The name of the program, from the options. */
  readonly program?: string | undefined;
  /** The user of the toolset; `undefined` for a session that was opened by its id alone. */
  readonly userId?: string | undefined;
  /** The agent session of the toolset. */
  readonly sessionId?: string | undefined;
  /** The conversation of the toolset. */
  readonly conversationId?: string | undefined;
  /** The id that the model gave the call. */
  readonly callId: string;
  /** The slug of the tool; `undefined` if the toolset doesn't have the tool that the model named. */
  readonly tool?: string | undefined;
  /** Its version. */
  readonly version?: string | undefined;
  /** The connected account, if one was chosen. */
  readonly accountId?: string | undefined;
  /**
   * HMAC-SHA-256 of the arguments as canonical JSON, in hexadecimal, with the key of the line. Equal arguments have
   * equal digests. Without the key, the arguments can't be guessed.
   */
  readonly argumentsDigest?: string | undefined;
  /** The arguments with secrets replaced, with `withArguments: true`. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  /** The decisions of the policy, in their order; empty without a policy. */
  readonly decisions: readonly AuditedDecision[];
  /** The person who approved or denied the call, if one did. */
  readonly approver?: string | undefined;
  /** The labels of the conversation that the policy compared. */
  readonly labels?: readonly string[] | undefined;
  /** How the call ended; `undefined` in a line of type `started`. */
  readonly status?: CallStatus | undefined;
  /** Whether the result was recorded by an earlier run. */
  readonly isReplay?: boolean | undefined;
}

/** The fields of a line in front of its signature. */
export interface AuditLine {
  /** The id of the log, the same in all of its lines. */
  readonly log: string;
  /** The number of the line, from 1. */
  readonly number: number;
  /** SHA-256 of the previous line, in hexadecimal; `null` in the first line. */
  readonly previous: string | null;
  /** The id of the key that signed the line. */
  readonly key: string;
  /** The facts of the call. */
  readonly entry: AuditEntry;
}

/** Signed in front of every line, so that a key that signs other things too can't be made to sign a line. */
const PURPOSE = "svc-sdk audit line\n";
/** Signed in front of arguments. */
const ARGUMENTS = "svc-sdk audit arguments\n";
const SIGNED = /^(\{.*),"signature":"([0-9a-f]{64})"\}$/s;

const signatureOf = async (text: string, key: PreparedKey) => hexOf(await macOf(PURPOSE + text, key));

/** A line with its signature, which covers the text in front of it. */
export async function signedLine(fields: AuditLine, key: PreparedKey): Promise<string> {
  const text = JSON.stringify(fields);
  return `${text.slice(0, -1)},"signature":"${await signatureOf(text, key)}"}`;
}

/** The digest of arguments in their canonical form. */
export async function argumentsDigest(canonical: string, key: PreparedKey): Promise<string> {
  return hexOf(await macOf(ARGUMENTS + canonical, key));
}

/** The digest of a line, which the next line has. */
export const hashOf = (line: string): Promise<string> => sha256Of(line);

/** The fields of a line; `undefined` if none of the keys signed it, or it isn't a line. */
export async function verifiedLine(line: string, keys: readonly PreparedKey[]): Promise<AuditLine | undefined> {
  const [, start = "", signature = ""] = SIGNED.exec(line) ?? [];
  const text = `${start}}`;
  const signatures = await Promise.all(keys.map((key) => signatureOf(text, key)));
  if (signature === "" || !signatures.includes(signature)) return undefined;
  const fields = parseJson(text);
  return isAuditLine(fields) ? fields : undefined;
}

function isAuditLine(value: unknown): value is AuditLine {
  if (!isObject(value)) return false;
  const { log, number, previous, key, entry } = value;
  const isNumbered = Number.isSafeInteger(number) && Number(number) > 0;
  return isString(log) && isNumbered && (previous === null || isString(previous)) && isString(key) && isObject(entry);
}

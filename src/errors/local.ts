import { field } from "../shared/json.js";
import { unknownNames } from "../shared/nearest-name.js";
import { type CallOutcome, SvcError, warningOf } from "./base.js";
import { mismatchWords } from "./mismatch-words.js";

/**
 * An option or environment variable of the client, the receiver or the emulator is missing or wrong. Nothing was sent.
 */
export class ConfigError extends SvcError {
  protected static override readonly brand: string = "ConfigError";
}

/** Whether an error says that its call didn't run. */
export function saysNotRun(error: unknown): error is Error {
  const outcome = field(error, "outcome");
  return outcome === "not_sent" || outcome === "rejected" || error instanceof ConfigError;
}

/**
 * Returns whether a failed call may have run, so that repeating it could act twice. Use it in handlers of events or
 * jobs: if it returns false, repeat the work, otherwise record the failure and check.
 *
 * False for errors whose `outcome` is `not_sent` or `rejected`, and for errors of calls that only read. True for
 * anything else that a call can throw, such as the reason of an abort.
 */
export function mayHaveRun(error: unknown): boolean {
  return error instanceof SvcError ? field(error, "outcome") === "unknown" : true;
}

/**
 * Checks the names of options: a misspelled one would do nothing.
 *
 * @throws {ConfigError} for names that aren't known, each with the one that was probably meant.
 */
export function checkNames(of: string, options: object, known: readonly string[]): void {
  const problems = unknownNames(Object.keys(options), known);
  if (problems.length > 0) throw new ConfigError(`${of}: ${problems.join(" ")}`);
}

/** The client has none of the credentials that the operation accepts. Nothing was sent. */
export class MissingCredentialError extends ConfigError {
  protected static override readonly brand: string = "MissingCredentialError";
}

/** One place where a value doesn't match the contract. Never contains the value itself. */
export interface Mismatch {
  /** Path from the checked value: `items[3].status`. Empty for the value itself. */
  readonly path: string;
  /** The contract's requirement there. */
  readonly expected: string;
  /** The kind of value there, such as `null` or `missing`, or its difference: `more`, `another string`. */
  readonly received: string;
}

/** An argument of a call is invalid. Nothing was sent. */
export class ValidationError extends SvcError {
  protected static override readonly brand: string = "ValidationError";

  /** The operation, usually named like its method: `tools.execute`. */
  readonly operation: string;
  /** Every place that doesn't match the contract. Empty if the contract wasn't the cause. */
  readonly mismatches: readonly Mismatch[];
  /** Always `not_sent`. */
  readonly outcome = "not_sent" as const;

  constructor(operation: string, message: string, mismatches: readonly Mismatch[] = []) {
    super(`${operation}: ${message}`);
    this.operation = operation;
    this.mismatches = mismatches;
  }
}

/**
 * A tool was called without a version. Nothing was sent.
 *
 * A tool's inputs and outputs can change with each version, so the service's "latest" would change your program without
 * a deploy.
 */
export class ToolVersionRequiredError extends ValidationError {
  protected static override readonly brand: string = "ToolVersionRequiredError";

  /** The tool that was called. */
  readonly toolSlug: string;

  constructor(operation: string, toolSlug: string) {
    super(
      operation,
      `${toolSlug} needs a version. Pass version: "<YYYYMMDD>_<NN>" in the call, or pin it once with new Svc({ toolVersions }) or ` +
        `new Svc({ toolkitVersions }). tools.get(${JSON.stringify(toolSlug)}) lists available_versions; "latest" works if you pass it explicitly.`,
    );
    this.toolSlug = toolSlug;
  }
}

/**
 * A call names a tool that the lockfile doesn't contain, or contains in another version, and the client uses
 * `toolLock(lock, { rejectUnlocked: true })`. Nothing was sent.
 */
export class ToolLockError extends ValidationError {
  protected static override readonly brand: string = "ToolLockError";

  /** The tool, or the toolkit if the call is a list of tools. */
  readonly slug: string;
  /** The version in the lockfile. `undefined` if the lockfile doesn't contain the tool. */
  readonly lockedVersion: string | undefined;

  /**
   * @param meant - A similar slug in the lockfile.
   * @param difference - The difference between a tool and the locked one, if the call isn't the problem.
   */
  constructor(operation: string, slug: string, lockedVersion: string | undefined, meant?: string, difference?: string) {
    const advice = meant === undefined ? "Lock" : `Did you mean ${meant}? If not, lock`;
    const problem =
      lockedVersion === undefined
        ? `${slug} isn't in the lockfile. ${advice} its toolkit with \`svc-sdk lock\`, then pass the new lockfile.`
        : `${slug} is locked to ${lockedVersion}, but the call wouldn't use that version. Omit the version from the call, ` +
          "or update the lockfile with `svc-sdk lock --toolkit-version`.";
    super(operation, difference ?? `${problem} The client uses toolLock with rejectUnlocked: true.`);
    this.slug = slug;
    this.lockedVersion = lockedVersion;
  }
}

/**
 * A response doesn't match the contract, and the client uses `checkContract({ onMismatch: "throw" })`. The call itself
 * succeeded.
 */
export class ContractMismatchError extends SvcError {
  protected static override readonly brand: string = "ContractMismatchError";

  /** The operation, usually named like its method: `tools.execute`. */
  readonly operation: string;
  /** Every place that doesn't match. */
  readonly mismatches: readonly Mismatch[];
  /** `unknown` for a call that would act again if repeated: it has run. */
  readonly outcome: CallOutcome | undefined;

  constructor(operation: string, mismatches: readonly Mismatch[], outcome?: CallOutcome) {
    super(`${operation}: succeeded, but the response doesn't match the contract: ${describeMismatches(mismatches)}`);
    this.operation = operation;
    this.mismatches = mismatches;
    this.outcome = outcome;
  }
}

/**
 * A function of `use` failed after its call, with an error that says that nothing ran or that a call only read, such as
 * another call's error. The call itself may have run. `cause` is the function's error.
 */
export class MiddlewareError extends SvcError {
  protected static override readonly brand: string = "MiddlewareError";

  /** The operation, usually named like its method: `tools.execute`. */
  readonly operation: string;
  /** Always `unknown`. */
  readonly outcome: CallOutcome = "unknown";

  constructor(operation: string, cause: Error) {
    super(`${operation}: a middleware failed after the call: ${cause.message}${warningOf("unknown")}`, { cause });
    this.operation = operation;
  }
}

/**
 * The mismatches that are new.
 *
 * @param isNew - Whether a fact is. A mismatch in one item of a list is usually in all of them, so they are one fact.
 */
export function newMismatches(
  operation: string,
  mismatches: readonly Mismatch[],
  isNew: (fact: string) => boolean,
): Mismatch[] {
  return mismatches.filter(({ path }) => isNew(`${operation} at ${path.replace(/\[\d+\]/g, "[]")}`));
}

/** `items[3].status: expected a string, received null; …`, at most five of them. */
export function describeMismatches(mismatches: readonly Mismatch[]): string {
  const shown = mismatches
    .slice(0, 5)
    .map((mismatch) => `${mismatch.path || "the value itself"}: ${mismatchWords(mismatch)}`);
  if (mismatches.length > 5) shown.push(`and ${mismatches.length - 5} more`);
  return shown.join("; ");
}

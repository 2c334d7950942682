// The room of errors: the classes, the error for each response, and the rules of options, which throw one. It imports
// only `shared`. Start here: `SvcError` is the base class, and `conditions.ts` has the advice for each condition.

import { field, isString } from "../shared/json.js";

/**
 * Whether a failed call had an effect, as far as the client knows. Set only for calls that would act again if repeated,
 * such as executions and creations.
 */
export type CallOutcome =
  /** No byte of the request reached the service, so it's safe to retry. */
  | "not_sent"
  /** The service reported that it didn't act. */
  | "rejected"
  /** The call may have run. Check before you retry. */
  | "unknown";

/** Warning at the end of a failed call's message, for developers who want to retry it. */
export function warningOf(outcome: CallOutcome | undefined): string {
  return outcome === "unknown" ? " It may have run. Check before you retry." : "";
}

/**
 * An error of a request, under the name of the method that sent it. Its `operation` still names the request. The
 * caller's own reason to abort stays as it is, even if it's an error of another call.
 *
 * @param method - A method that sends several requests.
 */
export function calledAs(method: string, error: unknown, signal: AbortSignal | undefined): unknown {
  if (!(error instanceof SvcError && "operation" in error) || error === signal?.reason) return error;
  return withMessage(
    error,
    error.message.replace(`${String(error.operation)}: `, () => `${method}: `),
  );
}

/** Changes the message of an error, and its stack, which contains the message and is what the runtime prints. */
export function withMessage(error: Error, message: string): Error {
  const { message: before, stack } = error;
  error.message = message;
  if (stack !== undefined) error.stack = stack.replace(before, () => message);
  return error;
}

/**
 * Starts the stack of an error at the caller of `boundary`: V8 keeps ten frames, and a client's own would fill them.
 * Other runtimes keep the stack, as does V8 if `boundary` isn't running.
 */
export function startingAt(boundary: (...args: never) => unknown, error: unknown): unknown {
  const capture = field(Error, "captureStackTrace");
  if (!(error instanceof Error) || typeof capture !== "function") return error;
  const captured = { stack: "" };
  Reflect.apply(capture, Error, [captured, boundary]);
  const frames = captured.stack.indexOf("\n    at ");
  if (isString(error.stack) && frames >= 0) {
    error.stack = `${error.name}: ${error.message}${captured.stack.slice(frames)}`;
  }
  return error;
}

const BRAND = Symbol.for("svc-sdk.error");

/**
 * A part of this package that few programs need, and that is loaded when one does.
 *
 * @param operation - What needs it, for the error: a bundler's file may be gone after a deploy.
 * @throws {SvcError} if it can't be loaded. Nothing was sent.
 */
export async function loadPart<Part>(operation: string, loading: Promise<Part>): Promise<Part> {
  try {
    return await loading;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const advice = "Deploy all files of the bundle, and reload pages that are older than the deploy.";
    throw new SvcError(
      `${operation}: nothing was sent, because a part of svc-sdk can't be loaded (${reason}). ${advice}`,
      {
        cause,
      },
    );
  }
}

/** Whether a value is an error of the class with this name, or of a subclass. Needs no import of the class. */
export function hasBrand<Kind extends SvcError>(value: unknown, brand: string): value is Kind {
  const brands: unknown = BRAND in Object(value) && field(value, BRAND);
  return Array.isArray(brands) && brands.includes(brand);
}

/**
 * The base class of all errors of this package.
 *
 * `instanceof` works across copies of the package, such as a bundled and an installed one, because it compares a brand
 * instead of the prototype. Only a caller's own abort reason, and a `TypeError` for a middleware that breaks its
 * contract, are thrown without being an `SvcError`.
 */
export class SvcError extends Error {
  /** The brand of this class, which `instanceof` compares. */
  protected static readonly brand: string = "SvcError";

  /** The brands of the class and its ancestors, for `instanceof` across copies of the package. */
  declare readonly [BRAND]: readonly string[];

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    const brands: string[] = [];
    for (let type = new.target; "brand" in type; type = Object.getPrototypeOf(type)) brands.push(type.brand);
    Object.defineProperties(this, {
      [BRAND]: { value: brands },
      name: { value: new.target.brand, configurable: true, writable: true },
    });
  }

  /** Compares brands, so `instanceof` works across copies of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // `this` is the class on the right of `instanceof`, which may be any subclass. A user's own subclass inherits
    // `brand`, so compare its prototype chain.
    if (!Object.hasOwn(this, "brand")) return Function.prototype[Symbol.hasInstance].call(this, value);
    return hasBrand(value, this.brand);
  }

  /** Converts the error to plain data for logs. Contains no credential and no request body. */
  toJSON(): object {
    return Object.assign({ name: this.name, message: this.message }, this);
  }
}

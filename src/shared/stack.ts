import { field, isString } from "./json.js";

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

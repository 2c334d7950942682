import { mismatchesOf } from "../../contract/check.js";
import type { Operation } from "../../contract/operation.js";
import { validationError } from "./check-request.js";
import { Created } from "./context.js";
import { ApiFailure, type ApiFailureDetails } from "./errors.js";
import { BrokenConnection, type InjectedFault } from "./faults.js";
import type { RateLimit } from "./rate-limit.js";
import type { Ids } from "./state.js";

/** What answers are made with. */
interface ResponseContext {
  readonly rateWindow: RateLimit;
  readonly ids: Ids;
}

/** An answer of the emulator that does not fit the contract is the emulator's fault, and says so. */
export function checkedResponse(operation: Operation, result: unknown, context: ResponseContext): Response {
  const isCreated = result instanceof Created;
  const data: unknown = isCreated ? result.data : result;
  const mismatches = mismatchesOf(operation.response, data);
  if (mismatches.length > 0) {
    const message = `The emulator's answer to ${operation.endpoint.name} does not fit the contract`;
    const errors = mismatches.map((mismatch) => validationError("response", mismatch));
    return errorResponse(
      new ApiFailure({ status: 500, code: 10500, slug: "Emulator_ContractMismatch", message, errors }),
      context,
    );
  }
  const status = typeof operation.status === "number" ? operation.status : operation.status[isCreated ? 1 : 0];
  return json(status, status === 204 ? undefined : data, context);
}

/** An error in the service's own object. Spec: Errors. */
export function errorResponse(
  { details }: ApiFailure,
  context: ResponseContext,
  headers?: Readonly<Record<string, string>>,
): Response {
  return json(details.status, errorBody(details, context.ids.uuid()), context, headers);
}

/** The service's error object. Spec: Errors. */
export function errorBody(details: ApiFailureDetails, request_id: string) {
  const { status, code, slug, message, suggestedFix, errors } = details;
  const error = { message, code, slug, status, request_id };
  const advice = { ...(suggestedFix !== undefined && { suggested_fix: suggestedFix }), ...(errors && { errors }) };
  return { error: { ...error, ...advice } };
}

/** What a handler did not mean to throw is the emulator's fault, and says where. */
export function crashResponse(where: string, error: unknown, context: ResponseContext): Response {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The emulator failed in ${where}: ${reason}`;
  return errorResponse(new ApiFailure({ status: 500, code: 10500, slug: "Emulator_Crashed", message }), context);
}

/** Spoils an answer as a fault says. `response` is what the operation answered, where it ran. */
export function faultResponse(
  fault: InjectedFault,
  response: Response | undefined,
  context: ResponseContext,
): Response {
  if (fault.connection !== undefined) {
    // Where there is no body to cut, only the connection is left to break.
    const isUncuttable = fault.connection === "truncate" && response?.body === null;
    throw new BrokenConnection(isUncuttable ? "reset" : fault.connection, response);
  }
  const status = fault.status ?? 500;
  const headers = {
    ...fault.headers,
    ...(fault.retryAfterSeconds !== undefined && { "retry-after": String(fault.retryAfterSeconds) }),
  };
  if (fault.body !== undefined) return json(status, fault.body, context, headers);
  if (status === 429) return json(429, context.rateWindow.refusal(), context, headers);
  const message = `Injected fault: ${status}`;
  const refusal = new ApiFailure({ status, code: 10000 + status, slug: "Emulator_InjectedFault", message });
  return errorResponse(refusal, context, headers);
}

/** Everything the emulator does not know says so instead of guessing. */
export function unknownRoute(request: Request, context: ResponseContext): Response {
  const { pathname } = new URL(request.url);
  const isApi = pathname.startsWith("/api/");
  return errorResponse(
    new ApiFailure({
      status: isApi ? 501 : 404,
      code: isApi ? 10501 : 10404,
      slug: isApi ? "Emulator_NotBuilt" : "HTTP_NotFound",
      message: isApi ? `The emulator has no ${request.method} ${pathname}` : `No ${request.method} ${pathname}`,
    }),
    context,
  );
}

/** An answer with the headers that every answer carries. Spec: Limits. */
export function json(
  status: number,
  body: unknown,
  { rateWindow }: ResponseContext,
  extra: Readonly<Record<string, string>> = {},
): Response {
  const isBare = body === undefined || STATUSES_WITHOUT_BODY.includes(status);
  // A text body is sent as it is: faults use it for what is not JSON.
  const text = isBare ? null : typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "text/plain" : "application/json";
  const headers = new Headers({ ...(!isBare && { "content-type": type }), ...rateWindow.headers() });
  for (const [name, value] of Object.entries(extra)) headers.set(name, value);
  return new Response(text, { status, headers });
}

/** Statuses that carry no body. */
const STATUSES_WITHOUT_BODY = [204, 205, 304];

/** Headers of everything that a browser can open: it isn't sniffed, kept, or named to the next site. */
export const BROWSER_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/**
 * A Content-Security-Policy under which a page loads and runs nothing, and is in no frame.
 *
 * @param formAction sources that its forms may post to.
 */
export function contentPolicy(formAction = "'none'"): string {
  return `default-src 'none'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`;
}

/** What is shown in place of a value of which nothing is shown. */
export const REDACTED = "REDACTED";

/** The first four characters and three dots; a shorter or other value is not shown at all. */
export function maskSecret(value: unknown): string {
  return typeof value === "string" && value.length >= 4 ? `${value.slice(0, 4)}...` : REDACTED;
}

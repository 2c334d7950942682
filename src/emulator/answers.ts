import { mismatchesOf } from "../contract/check.js";
import type { Operation } from "../contract/operation.js";
import type { Mismatch } from "../errors/local.js";
import { BrokenConnection } from "./broken-connection.js";
import { Created } from "./created.js";
import type { Ids } from "./ids.js";
import type { InjectedFault } from "./injected-faults.js";
import type { RateWindow } from "./rate-window.js";
import { Refusal, type RefusalDetails } from "./refusal.js";

/** What answers are made with. */
export interface AnswerContext {
  readonly rateWindow: RateWindow;
  readonly ids: Ids;
}

/** An answer of the emulator that does not fit the contract is the emulator's fault, and says so. */
export function checked(operation: Operation, result: unknown, context: AnswerContext): Response {
  const isCreated = result instanceof Created;
  const data: unknown = isCreated ? result.data : result;
  const mismatches = mismatchesOf(operation.response, data);
  if (mismatches.length > 0) {
    const message = `The emulator's answer to ${operation.endpoint.name} does not fit the contract`;
    const errors = mismatches.map((mismatch) => complaint("response", mismatch));
    return refuse(
      new Refusal({ status: 500, code: 10500, slug: "Emulator_ContractMismatch", message, errors }),
      context,
    );
  }
  const status = typeof operation.status === "number" ? operation.status : operation.status[isCreated ? 1 : 0];
  return json(status, status === 204 ? undefined : data, context);
}

/** A mismatch as the service's `errors` entries put it. */
export function complaint(part: string, { path, expected, seen }: Mismatch): string {
  return `${path === "" ? part : `${part}.${path}`}: expected ${expected}, received ${seen}`;
}

/** An error in the service's own object. Spec: Errors. */
export function refuse(
  { details }: Refusal,
  context: AnswerContext,
  headers?: Readonly<Record<string, string>>,
): Response {
  return json(details.status, errorBody(details, context.ids.uuid()), context, headers);
}

/** The service's error object. Spec: Errors. */
export function errorBody(details: RefusalDetails, request_id: string) {
  const { status, code, slug, message, suggestedFix, errors } = details;
  const error = { message, code, slug, status, request_id };
  const advice = { ...(suggestedFix !== undefined && { suggested_fix: suggestedFix }), ...(errors && { errors }) };
  return { error: { ...error, ...advice } };
}

/** What a handler did not mean to throw is the emulator's fault, and says where. */
export function crashed(where: string, error: unknown, context: AnswerContext): Response {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The emulator failed in ${where}: ${reason}`;
  return refuse(new Refusal({ status: 500, code: 10500, slug: "Emulator_Crashed", message }), context);
}

/** Spoils an answer as a fault says. `response` is what the operation answered, where it ran. */
export function spoil(fault: InjectedFault, response: Response | undefined, context: AnswerContext): Response {
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
  const refusal = new Refusal({ status, code: 10000 + status, slug: "Emulator_InjectedFault", message });
  return refuse(refusal, context, headers);
}

/** Everything the emulator does not know says so instead of guessing. */
export function unknownAddress(request: Request, context: AnswerContext): Response {
  const { pathname } = new URL(request.url);
  const isApi = pathname.startsWith("/api/");
  return refuse(
    new Refusal({
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
  { rateWindow }: AnswerContext,
  extra: Readonly<Record<string, string>> = {},
): Response {
  const isBare = body === undefined || BODILESS.includes(status);
  // A text body is sent as it is: faults use it for what is not JSON.
  const text = isBare ? null : typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "text/plain" : "application/json";
  const headers = new Headers({ ...(!isBare && { "content-type": type }), ...rateWindow.headers() });
  for (const [name, value] of Object.entries(extra)) headers.set(name, value);
  return new Response(text, { status, headers });
}

/** Statuses that carry no body. */
const BODILESS = [204, 205, 304];

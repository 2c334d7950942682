import { fitsShape, mismatchesOf } from "../../contract/check-shape.js";
import type { Mismatch } from "../../errors/local.js";
import { mismatchWords } from "../../errors/mismatch-words.js";
import type { Operation } from "../../resources/operation.js";
import { RETRY_AFTER } from "../../shared/headers.js";
import type { Ids } from "../../shared/random.js";
import type { InjectedFault } from "./fault-schema.js";
import { BrokenConnection } from "./faults.js";
import { withBody } from "./recording.js";

/** Content of an error response. Spec: Errors. */
interface ApiFailureDetails {
  readonly status: number;
  readonly code: number;
  readonly slug: string;
  readonly message: string;
  readonly suggestedFix?: string | undefined;
  readonly errors?: readonly string[] | undefined;
}

/** An error response. Handlers throw it. */
export class ApiFailure extends Error {
  readonly details: ApiFailureDetails;

  /**
   * @param code one of the service's ranges; Assumption E1.
   * @param slug `<Domain>_<Reason>`.
   */
  constructor(
    status: number,
    code: number,
    slug: string,
    message: string,
    suggestedFix?: string,
    errors?: readonly string[],
  ) {
    super(message);
    this.details = { status, code, slug, message, suggestedFix, errors };
  }
}

/** 404 for a missing record. Assumption E1. */
export function notFound(domain: string, what: string, code: number, suggestedFix?: string): ApiFailure {
  return new ApiFailure(404, code, `${domain}_ResourceNotFound`, `${what} not found`, suggestedFix);
}

/** 400 for an invalid request; each error starts with a path. */
export function invalidRequest(errors: readonly string[]): ApiFailure {
  const message = "Validation error while processing request";
  return new ApiFailure(400, 10400, "HTTP_BadRequest", message, "Correct the fields named in errors", errors);
}

/** Whether a string is an id with a prefix, such as `ac_`. */
export function isId(id: string, prefix: string): boolean {
  return new RegExp(`^${prefix}[\\w-]+$`).test(id);
}

/** 400 for an id with the wrong prefix. */
export function checkId(id: string, prefix: string, parameter: string): void {
  if (!isId(id, prefix)) throw invalidRequest([`params.${parameter}: expected an id that starts with ${prefix}`]);
}

/** A mismatch, in the format of the service's `errors` entries. */
export function validationError(part: string, mismatch: Mismatch): string {
  const { path } = mismatch;
  return `${path === "" ? part : `${part}.${path}`}: ${mismatchWords(mismatch)}`;
}

/** Data of an operation that returns 201 because it created a record, or 200 because it found one. */
export class Created<Data> {
  readonly data: Data;

  constructor(data: Data) {
    this.data = data;
  }
}

/** The parts a response depends on. */
interface ResponseContext {
  readonly rateLimit: { headers(): Readonly<Record<string, string>>; errorBody(): { message: string } };
  readonly ids: Ids;
}

/** A response that matches the contract; otherwise a 500, because the emulator is wrong. */
export function checkedResponse(operation: Operation, result: unknown, context: ResponseContext): Response {
  const isCreated = result instanceof Created;
  const data: unknown = isCreated ? result.data : result;
  if (!fitsShape(operation.response, data)) {
    const message = `The emulator's response to ${operation.endpoint.name} doesn't match the contract`;
    const errors = mismatchesOf(operation.response, data).map((mismatch) => validationError("response", mismatch));
    return errorResponse(new ApiFailure(500, 10500, "Emulator_ContractMismatch", message, undefined, errors), context);
  }
  const status = typeof operation.status === "number" ? operation.status : operation.status[isCreated ? 1 : 0];
  return jsonResponse(status, status === 204 ? undefined : data, context);
}

/** An error response. Spec: Errors. */
export function errorResponse(
  { details }: ApiFailure,
  context: ResponseContext,
  headers?: Readonly<Record<string, string>>,
): Response {
  return jsonResponse(details.status, errorBody(details, context.ids.uuid()), context, headers);
}

/** The service's error object. Spec: Errors. */
export function errorBody(details: ApiFailureDetails, request_id: string) {
  const { status, code, slug, message, suggestedFix, errors } = details;
  const error = { message, code, slug, status, request_id };
  const advice = { ...(suggestedFix !== undefined && { suggested_fix: suggestedFix }), ...(errors && { errors }) };
  return { error: { ...error, ...advice } };
}

/** Applies a fault to a response. `response` is undefined if the operation didn't run. */
export function faultResponse(
  fault: InjectedFault,
  response: Response | undefined,
  context: ResponseContext,
): Response {
  if (fault.connection !== undefined) {
    // Without a body to cut, reset the connection.
    const hasNoBody = fault.connection === "truncate" && response?.body === null;
    throw new BrokenConnection(hasNoBody ? "reset" : fault.connection, response);
  }
  const status = fault.status ?? 500;
  const headers = {
    ...fault.headers,
    ...(fault.retryAfterSeconds !== undefined && { [RETRY_AFTER]: String(fault.retryAfterSeconds) }),
  };
  if (fault.body !== undefined) return jsonResponse(status, fault.body, context, headers);
  // The limiter's body proves that nothing ran. A 429 after the operation is like a provider's.
  if (status === 429 && fault.when !== "after")
    return jsonResponse(429, context.rateLimit.errorBody(), context, headers);
  const message = `Injected fault: ${status}`;
  const failure = new ApiFailure(status, 10000 + status, "Emulator_InjectedFault", message);
  return errorResponse(failure, context, headers);
}

/** A JSON response with the rate limit headers. Spec: Limits. */
export function jsonResponse(
  status: number,
  body: unknown,
  { rateLimit }: Pick<ResponseContext, "rateLimit">,
  extra: Readonly<Record<string, string>> = {},
): Response {
  const isBare = body === undefined || [204, 205, 304].includes(status);
  // A string is sent unchanged, so that faults can send bodies that aren't JSON.
  const text = isBare ? null : typeof body === "string" ? body : JSON.stringify(body);
  const type = typeof body === "string" ? "text/plain" : "application/json";
  const headers = new Headers({ ...(!isBare && { "content-type": type }), ...rateLimit.headers() });
  for (const [name, value] of Object.entries(extra)) headers.set(name, value);
  return withBody(new Response(text, { status, headers }), text ?? "");
}

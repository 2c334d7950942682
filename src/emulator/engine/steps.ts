import type { Operation } from "../../resources/operation.js";
import { authenticate, projectOf, type RateLimit } from "./admission.js";
import { slugErrors, urlErrors, validationErrors, validationFailure, withoutUnknownFields } from "./check-request.js";
import type { Engine, OperationRules } from "./engine.js";
import type { Faults, InjectedFault } from "./faults.js";
import { decodeQuery, readBody, withClampedLimit } from "./read-request.js";
import type { RequestLog } from "./request-log.js";
import { ApiFailure, errorBody, errorResponse, faultResponse, json } from "./responses.js";
import type { KeySeed } from "./seed.js";

/** Everything needed to serve requests. */
export interface ServingEngine extends Engine {
  readonly rateLimit: RateLimit;
  readonly faults: Faults;
  readonly log: RequestLog;
}

/** A request, and what the steps need to know of it. */
export interface Exchange extends ServingEngine {
  readonly request: Request;
  /** Scheme, host, and port of the request URL. */
  readonly origin: string;
  readonly params: Readonly<Record<string, string>>;
  /** Names what is served, in messages. */
  readonly where: string;
}

/** A request to an operation. Its steps set the key, the query and the body. */
export interface OperationExchange extends Exchange {
  readonly operation: Operation;
  readonly rules: OperationRules;
  readonly apiVersion: "v3" | "v3.1";
  readonly fault: InjectedFault | undefined;
  key: KeySeed | undefined;
  query: unknown;
  body: unknown;
}

/** One step of serving a request: it responds itself, or with what `next` responds. */
type Step<Of extends Exchange> = (exchange: Of, next: () => Promise<Response>) => Promise<Response>;

type Handle<Of extends Exchange> = (exchange: Of) => Promise<Response>;

/** Puts steps in front of a handler, the first one outermost. */
export function chain<Of extends Exchange>(steps: readonly Step<Of>[], handle: Handle<Of>): Handle<Of> {
  return steps.reduceRight<Handle<Of>>((next, step) => (exchange) => step(exchange, () => next(exchange)), handle);
}

/** Logs the request, even if a fault breaks the connection or the caller aborts. */
export const logged: Step<Exchange & { readonly operation?: Operation; readonly fault?: InjectedFault | undefined }> = (
  { request, operation, fault, log },
  next,
) => log.record({ request, operation: operation?.endpoint.name, fault }, next);

/** Ends a request whose state was replaced in the meantime: its response, or error, describes a state that is gone. */
export const unlessReplaced: Step<Exchange> = async ({ lifetime: { signal }, rateLimit }, next) => {
  try {
    const response = await next();
    if (!signal.aborted) return response;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  const message = "The emulator was reset or restored while it handled this request";
  const details = { status: 400, code: 10400, slug: "Emulator_Replaced", message };
  // Ids of the state are for the requests that come after.
  return json(400, errorBody(details, crypto.randomUUID()), { rateLimit });
};

/** Applies an injected fault. */
export const faulty: Step<OperationExchange> = async (exchange, next) => {
  const { fault, request, clock, lifetime } = exchange;
  if (fault?.delayMs !== undefined) {
    await clock.sleep(fault.delayMs, AbortSignal.any([request.signal, lifetime.signal]));
  }
  if (fault?.status === undefined && fault?.connection === undefined) return next();
  // Truncating needs a response.
  const runs = fault.when === "after" || fault.connection === "truncate";
  return faultResponse(fault, runs ? await next() : undefined, exchange);
};

/** Turns a thrown ApiFailure into its response, and any other error into a 500 of the emulator. */
export const withErrors: Step<Exchange> = async (exchange, next) => {
  try {
    return await next();
  } catch (error) {
    exchange.lifetime.signal.throwIfAborted();
    if (error instanceof ApiFailure) return errorResponse(error, exchange);
    // An aborted request gets no response.
    exchange.request.signal.throwIfAborted();
    const message = `The emulator failed in ${exchange.where}: ${error instanceof Error ? error.message : String(error)}`;
    return errorResponse(new ApiFailure(500, 10500, "Emulator_Crashed", message), exchange);
  }
};

/** Finds the key, and counts the request. */
export const admitted: Step<OperationExchange> = async (exchange, next) => {
  const { operation, request, state, rules } = exchange;
  const key = authenticate(operation.endpoint, request.headers, state);
  const refusal = exchange.rateLimit.refusal(key);
  if (refusal) return refusal;
  if (key && key.kind !== "orgApiKey" && !rules.takesKeysOfDeletedProjects) projectOf(key, state);
  exchange.key = key;
  return next();
};

/** Reads and validates the query and the body. */
export const validated: Step<OperationExchange> = async (exchange, next) => {
  const { operation, request, rules, catalog, lifetime } = exchange;
  const parameters = new URL(request.url).searchParams;
  for (const ignored of rules.ignoredParameters ?? []) parameters.delete(ignored);
  const query = operation.query && acceptable(operation.query, decodeQuery(operation.query, parameters), exchange);
  const body = operation.body && acceptable(operation.body, await readBody(request), exchange);
  const errors = [
    ...validationErrors("query", operation.query, query),
    ...validationErrors("body", operation.body, body),
    ...slugErrors(query, catalog),
    ...urlErrors(rules.passesBodyOn ? { query } : { query, body }).map((found) => found.slice(1)),
  ];
  if (errors.length > 0) throw validationFailure(errors);
  lifetime.signal.throwIfAborted();
  Object.assign(exchange, { query, body });
  return next();
};

/** A query or body as the service accepts it: with a limit in range and, on request, without unknown fields. */
function acceptable(schema: NonNullable<Operation["body"]>, value: unknown, { settings }: Engine): unknown {
  const known = settings.unknownFields === "ignore" ? withoutUnknownFields(schema, value) : value;
  return withClampedLimit(schema, known);
}

import type { Operation } from "../../resources/operation.js";
import { authenticate, projectOf, type RateLimit } from "./admission.js";
import { checkedInput, slugErrors, urlErrors, validationFailure } from "./check-request.js";
import type { Engine, HandlerContext, OperationRules, RouteContext } from "./engine.js";
import type { Faults, InjectedFault } from "./faults.js";
import { decodeQuery, readBody } from "./read-request.js";
import type { RequestLog } from "./request-log.js";
import { ApiFailure, errorBody, errorResponse, faultResponse, json } from "./responses.js";

/** Everything needed to serve requests. */
export interface ServingEngine extends Engine {
  readonly rateLimit: RateLimit;
  readonly faults: Faults;
  readonly log: RequestLog;
}

/** A request, and what the steps need to know of it. */
export interface StepContext extends ServingEngine, RouteContext {
  /** Names what is served, in messages. */
  readonly where: string;
  /** The operation, if it is one. */
  readonly operation?: Operation;
  readonly fault?: InjectedFault | undefined;
}

/** A request to an operation. Its steps set the key, the project, the query and the body. */
export interface OperationContext
  extends StepContext,
    Partial<Pick<HandlerContext<Operation["endpoint"]>, "key" | "project" | "query" | "body">> {
  readonly operation: Operation;
  readonly rules: OperationRules;
  readonly apiVersion: "v3" | "v3.1";
}

type Handle<Context> = (context: Context) => Promise<Response>;

/** One step of serving a request: it responds itself, or with what `next` responds. Its name is in stack traces. */
type Step<Context> = (next: Handle<Context>) => Handle<Context>;

/** Puts steps in front of a handler, the first one outermost. */
export function chain<Context>(steps: readonly Step<Context>[], handle: Handle<Context>): Handle<Context> {
  return steps.reduceRight((next, step) => step(next), handle);
}

/** Logs the request, even if a fault breaks the connection or the caller aborts. */
export function logged<Context extends StepContext>(next: Handle<Context>): Handle<Context> {
  return function log(context) {
    return context.log.record(context, next);
  };
}

/** Ends a request whose state was replaced in the meantime: its response, or error, describes a state that is gone. */
export function unlessReplaced<Context extends StepContext>(next: Handle<Context>): Handle<Context> {
  return async function endIfReplaced(context) {
    const { signal } = context.lifetime;
    try {
      const response = await next(context);
      if (!signal.aborted) return response;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    const message = "The emulator was reset or restored while it handled this request";
    const details = { status: 400, code: 10400, slug: "Emulator_Replaced", message };
    // Ids of the state are for the requests that come after.
    return json(400, errorBody(details, crypto.randomUUID()), context);
  };
}

/** Applies an injected fault. */
export function faulty<Context extends StepContext>(next: Handle<Context>): Handle<Context> {
  return async function applyFault(context) {
    const { fault, request, clock, lifetime } = context;
    if (fault?.delayMs !== undefined) {
      await clock.sleep(fault.delayMs, AbortSignal.any([request.signal, lifetime.signal]));
    }
    if (fault?.status === undefined && fault?.connection === undefined) return next(context);
    // Truncating needs a response.
    const runs = fault.when === "after" || fault.connection === "truncate";
    return faultResponse(fault, runs ? await next(context) : undefined, context);
  };
}

/** Turns a thrown ApiFailure into its response, and any other error into a 500 of the emulator. */
export function withErrors<Context extends StepContext>(next: Handle<Context>): Handle<Context> {
  return async function respondToErrors(context) {
    try {
      return await next(context);
    } catch (error) {
      context.lifetime.signal.throwIfAborted();
      if (error instanceof ApiFailure) return errorResponse(error, context);
      // An aborted request gets no response.
      context.request.signal.throwIfAborted();
      const message = `The emulator failed in ${context.where}: ${error instanceof Error ? error.message : String(error)}`;
      return errorResponse(new ApiFailure(500, 10500, "Emulator_Crashed", message), context);
    }
  };
}

/** Finds the key and its project, and counts the request. */
export const admitted: Step<OperationContext> = (next) =>
  async function admit(context) {
    const { operation, request, state, rules, rateLimit } = context;
    const key = authenticate(operation.endpoint, request.headers, state);
    const refusal = rateLimit.refusal(key);
    if (refusal) return refusal;
    const mayBeDeleted = !key || key.kind === "orgApiKey" || rules.takesKeysOfDeletedProjects;
    return next(Object.assign(context, { key, project: projectOf(key, state, mayBeDeleted) }));
  };

/** Reads and validates the query and the body. */
export const validated: Step<OperationContext> = (next) =>
  async function validate(context) {
    const { operation, request, url, rules, catalog, lifetime, settings } = context;
    const ignoresUnknown = settings.unknownFields === "ignore";
    // A copy, because the log shows the URL.
    const parameters = new URLSearchParams(url.searchParams);
    for (const ignored of rules.ignoredParameters ?? []) parameters.delete(ignored);
    const errors: string[] = [];
    const given = operation.query && decodeQuery(operation.query, parameters);
    const query = checkedInput("query", operation.query, given, ignoresUnknown, errors);
    const sent = operation.body && (await readBody(request));
    const body = checkedInput("body", operation.body, sent, ignoresUnknown, errors);
    slugErrors(query, catalog, errors);
    urlErrors(query, "query", errors);
    if (!rules.passesBodyOn) urlErrors(body, "body", errors);
    if (errors.length > 0) throw validationFailure(errors);
    lifetime.signal.throwIfAborted();
    return next(Object.assign(context, { query, body }));
  };

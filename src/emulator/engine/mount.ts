// The room of every request's steps (log, fault, errors, admission, input, handler, response) and of the state that
// they use. It imports `catalog`, `src/contract`, shapes of `src/resources`, and `endpoint.ts` of `src/client`, but no
// folder of the emulator for a resource. Start here, then `state.ts`.

import { HonoBase } from "hono/hono-base";
import { TrieRouter } from "hono/router/trie-router";
import type { OperationName } from "../../contract/operations.js";
import type { Operation } from "../../resources/operation.js";
import { REQUEST_ID } from "../../shared/headers.js";
import { messageOf } from "../../shared/message-of.js";
import { authenticate, projectOf } from "./admission.js";
import { checkInput, slugErrors, urlErrors, validationFailure } from "./check-request.js";
import type { Engine, ExtraRoute, OperationHandlers, OperationRules, RequestContext, RouteContext } from "./engine.js";
import type { InjectedFault } from "./fault-schema.js";
import type { Faults } from "./faults.js";
import { splitNewerFields } from "./newer-fields.js";
import type { RateLimiter } from "./rate-limiter.js";
import { readBody } from "./read-body.js";
import { decodeQuery } from "./read-query.js";
import type { RequestLog } from "./request-log.js";
import { ApiFailure, checkedResponse, errorBody, errorResponse, faultResponse, jsonResponse } from "./responses.js";
import { defaultVersion, literalsFirst, routesOf, withColons } from "./routes.js";

/** Everything needed to serve requests. */
interface ServingEngine extends Engine {
  readonly rateLimit: RateLimiter;
  readonly faults: Faults;
  readonly log: RequestLog;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A request, and what the steps need to know of it. */
interface StepContext extends ServingEngine, RouteContext {
  readonly requestId: string | undefined;
  /** Names what is served, in messages. */
  readonly where: string;
  /** The operation, if it is one. */
  readonly operation?: Operation;
  readonly fault?: InjectedFault | undefined;
}

type AnyContext = RequestContext<Operation["endpoint"]>;

/** A request to an operation. */
interface OperationContext extends StepContext, Pick<AnyContext, "defaultVersion"> {
  readonly operation: Operation;
  readonly rules: OperationRules;
  readonly handle: (context: AnyContext) => unknown;
}

/** Serves the contract's operations and the extra routes. All emulators share the routes, and pass their engine. */
export function mount(
  handlers: OperationHandlers,
  rules: Readonly<Partial<Record<OperationName, OperationRules>>>,
  extraRoutes: readonly ExtraRoute[],
): (request: Request, engine: ServingEngine) => Response | Promise<Response> {
  // The default tries two routers, and keeps both in the bundle.
  const app = new HonoBase<{ Bindings: ServingEngine }>({ router: new TrieRouter() });
  const serveOperation = withSteps(runOperation);
  for (const operation of literalsFirst) {
    const { name, method, path } = operation.endpoint;
    // The type of `handlers` pairs each operation with a handler that takes its context.
    const handle = handlers[name] as OperationContext["handle"];
    for (const [apiVersion, route] of routesOf(path)) {
      const prepared = { operation, handle, rules: rules[name] ?? {}, defaultVersion: defaultVersion(apiVersion) };
      app.on(method, withColons(route), ({ req, env }) => {
        const context = contextOf(env, req.raw, req.param(), name);
        return env.log.record({ ...context, ...prepared, fault: env.faults.take(name) }, serveOperation);
      });
    }
  }
  for (const { methods, path, handle } of extraRoutes) {
    const serveRoute = withSteps(async (context) => handle(context));
    app.on([...methods], withColons(path), ({ req, env }) =>
      env.log.record(contextOf(env, req.raw, req.param(), `${req.method} ${path}`), serveRoute),
    );
  }
  const serveNothing = withSteps(rejectRoute);
  app.notFound(({ req, env }) =>
    env.log.record(contextOf(env, req.raw, {}, `${req.method} ${new URL(req.url).pathname}`), serveNothing),
  );
  // A broken connection isn't a response, so the caller has to break it.
  app.onError((error) => {
    throw error;
  });
  return app.fetch;
}

function contextOf(engine: ServingEngine, request: Request, params: StepContext["params"], where: string): StepContext {
  const url = new URL(request.url);
  const requestId = UUID.exec(request.headers.get(REQUEST_ID) ?? "")?.[0];
  // A request keeps the lifetime that it began with.
  const lifetime = { ...engine.lifetime };
  return { ...engine, lifetime, request, requestId, url, origin: url.origin, params, where };
}

const rejectRoute: Handle<StepContext> = async ({ url, where }) => {
  const fix = /.\/api\//.test(url.pathname) ? "Check baseUrl: paths of the API start with /api" : undefined;
  throw new ApiFailure(404, 10404, "HTTP_NotFound", `No ${where}`, fix);
};

type Handle<Context extends StepContext> = (context: Context) => Promise<Response>;

/** Puts the steps of every request around what responds. Their names are in stack traces. */
function withSteps<Context extends StepContext>(respond: Handle<Context>): Handle<Context> {
  return dated(unlessReplaced(faulty(withErrors(respond))));
}

/** Sends the emulator's own time. A server on a port would send the machine's. */
function dated<Context extends StepContext>(next: Handle<Context>): Handle<Context> {
  return async function sendDate(context) {
    const response = await next(context);
    response.headers.set("date", new Date(context.clock.now()).toUTCString());
    return response;
  };
}

/** Ends a request whose state was replaced in the meantime: its response, or error, describes a state that is gone. */
function unlessReplaced<Context extends StepContext>(next: Handle<Context>): Handle<Context> {
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
    return jsonResponse(400, errorBody(details, crypto.randomUUID()), context);
  };
}

/** Applies an injected fault. */
function faulty<Context extends StepContext>(next: Handle<Context>): Handle<Context> {
  return async function applyFault(context) {
    const { fault, request, clock, lifetime } = context;
    if (!fault) return next(context);
    const isAfter = fault.when === "after";
    const delay = async () => {
      if (fault.delayMs === undefined) return;
      await clock.sleep(fault.delayMs, AbortSignal.any([request.signal, lifetime.signal]));
    };
    if (!isAfter) await delay();
    const isBroken = fault.status !== undefined || fault.connection !== undefined;
    // Truncating needs a response.
    const response = isAfter || !isBroken || fault.connection === "truncate" ? await next(context) : undefined;
    if (isAfter) await delay();
    return response && !isBroken ? response : faultResponse(fault, response, context);
  };
}

/** Turns a thrown ApiFailure into its response, and any other error into a 500 of the emulator. */
function withErrors<Context extends StepContext>(next: Handle<Context>): Handle<Context> {
  return async function respondToErrors(context) {
    try {
      return await next(context);
    } catch (error) {
      context.lifetime.signal.throwIfAborted();
      if (error instanceof ApiFailure) return errorResponse(error, context);
      // An aborted request gets no response.
      context.request.signal.throwIfAborted();
      const message = `The emulator failed in ${context.where}: ${messageOf(error)}`;
      return errorResponse(new ApiFailure(500, 10500, "Emulator_Crashed", message), context);
    }
  };
}

/** Runs the handler of an operation, if the key, the query and the body are valid, and checks its result. */
async function runOperation(context: OperationContext): Promise<Response> {
  const { operation, request, rules, state, rateLimit, lifetime, handle } = context;
  const { endpoint } = operation;
  const key = authenticate(endpoint, request.headers, state);
  const refusal = rateLimit.refusal(key);
  if (refusal) return refusal;
  const sent = operation.body && (await readBody(request, endpoint));
  lifetime.signal.throwIfAborted();
  // It may have been deleted while the body arrived.
  const mayBeDeleted = !key || key.kind === "orgApiKey" || rules.takesKeysOfDeletedProjects;
  const project = projectOf(key, state, mayBeDeleted);
  const result = await handle({ ...context, key, project, ...validInput(sent, context) });
  return checkedResponse(operation, result, context);
}

/** The query and body of a request. @throws {ApiFailure} 400 if they aren't valid. */
function validInput(sent: unknown, context: OperationContext) {
  const { operation, url, rules, catalog, settings } = context;
  const ignoresUnknown = settings.unknownFields === "ignore";
  const hasQuery = operation.query && url.search !== "";
  const given = hasQuery ? decodeQuery(operation.query, url.searchParams, rules.ignoredParameters) : {};
  const query = checkInput("query", operation.query, given, ignoresUnknown);
  const split = rules.newer ? splitNewerFields(sent, rules.newer) : { body: sent, newer: {}, errors: [] };
  const body = checkInput("body", operation.body, split.body, ignoresUnknown);
  const errors = [
    ...query.errors,
    ...split.errors,
    ...body.errors,
    ...slugErrors(query.value, catalog),
    ...urlErrors(query.value, "query"),
    ...(rules.passesBodyOn ? [] : urlErrors(body.value, "body")),
  ];
  if (errors.length > 0) throw validationFailure(errors);
  return { query: query.value, body: body.value, newer: split.newer };
}

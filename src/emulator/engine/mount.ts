import { HonoBase } from "hono/hono-base";
import { TrieRouter } from "hono/router/trie-router";
import type { OperationName } from "../../contract/operations.js";
import type { Operation } from "../../resources/operation.js";
import { chain } from "../../shared/chain.js";
import { REQUEST_ID } from "../../shared/headers.js";
import { messageOf } from "../../shared/message-of.js";
import { authenticate, projectOf, type ServedRateLimit } from "./admission.js";
import { checkedInput, slugErrors, urlErrors, validationFailure } from "./check-request.js";
import type { Engine, ExtraRoute, OperationHandlers, OperationRules, RequestContext, RouteContext } from "./engine.js";
import type { Faults } from "./faults.js";
import { splitNewerFields } from "./newer-fields.js";
import { readBody } from "./read-body.js";
import { decodeQuery } from "./read-query.js";
import type { RequestLog } from "./request-log.js";
import { ApiFailure, checkedResponse, errorBody, errorResponse, faultResponse, jsonResponse } from "./responses.js";
import { literalsFirst, routesOf, withColons } from "./routes.js";
import type { InjectedFault } from "./schema.js";

/** Everything needed to serve requests. */
interface ServingEngine extends Engine {
  readonly rateLimit: ServedRateLimit;
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

/** A request to an operation. Its steps set the key, the project, the query and the body. */
interface OperationContext
  extends StepContext,
    Partial<Pick<RequestContext<Operation["endpoint"]>, "key" | "project" | "query" | "body" | "newer">> {
  readonly operation: Operation;
  readonly rules: OperationRules;
  readonly apiVersion: "v3" | "v3.1";
}

type AnyHandler = (context: RequestContext<Operation["endpoint"]>) => unknown;

/** Serves the contract's operations and the extra routes. All emulators share the routes, and pass their engine. */
export function mount(
  handlers: OperationHandlers,
  rules: Readonly<Partial<Record<OperationName, OperationRules>>>,
  extraRoutes: readonly ExtraRoute[],
): (request: Request, engine: ServingEngine) => Response | Promise<Response> {
  // The default tries two routers, and keeps both in the bundle.
  const app = new HonoBase<{ Bindings: ServingEngine }>({ router: new TrieRouter() });
  const handleOperation: Handle<OperationContext> = async (context) => {
    // The type of `handlers` already pairs each operation with its handler.
    const handler = handlers[context.operation.endpoint.name as OperationName] as AnyHandler;
    // The steps before have set what the handler needs.
    return checkedResponse(context.operation, await handler(context as Parameters<AnyHandler>[0]), context);
  };
  const serveOperation = chain(OPERATION_STEPS, handleOperation, around);
  for (const operation of literalsFirst) {
    const { method, path } = operation.endpoint;
    // The contract's own names.
    const name = operation.endpoint.name as OperationName;
    for (const [apiVersion, route] of routesOf(path)) {
      const prepared = { operation, rules: rules[name] ?? {}, apiVersion };
      app.on(method, withColons(route), ({ req, env }) =>
        serveOperation({ ...contextOf(env, req.raw, req.param(), name), ...prepared, fault: env.faults.take(name) }),
      );
    }
  }
  for (const { methods, path, handle } of extraRoutes) {
    const handleRoute: Handle<StepContext> = async (context) => handle(context);
    const serveRoute = chain(ROUTE_STEPS, handleRoute, around);
    app.on([...methods], withColons(path), ({ req, env }) =>
      serveRoute(contextOf(env, req.raw, req.param(), `${req.method} ${path}`)),
    );
  }
  const serveNothing = chain(UNKNOWN_ROUTE_STEPS, rejectRoute, around);
  app.notFound(({ req, env }) =>
    serveNothing(contextOf(env, req.raw, {}, `${req.method} ${new URL(req.url).pathname}`)),
  );
  // A broken connection isn't a response, so the caller has to break it.
  app.onError((error) => {
    throw error;
  });
  return (request, engine) => app.fetch(request, engine);
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

type Handle<Context> = (context: Context) => Promise<Response>;

/** One step of serving a request: it responds itself, or with what `next` responds. Its name is in stack traces. */
type ServeStep<Context> = (next: Handle<Context>) => Handle<Context>;

const around = <Context>(step: ServeStep<Context>, next: Handle<Context>) => step(next);

/** Logs the request, even if a fault breaks the connection or the caller aborts. */
function logged<Context extends StepContext>(next: Handle<Context>): Handle<Context> {
  return function log(context) {
    return context.log.record(context, next);
  };
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

/** Finds the key, and counts the request. */
const admitted: ServeStep<OperationContext> = (next) =>
  async function admit(context) {
    const { operation, request, state, rateLimit } = context;
    const key = authenticate(operation.endpoint, request.headers, state);
    return rateLimit.refusal(key) ?? next(Object.assign(context, { key }));
  };

/** Reads the body, finds the key's project, and validates the query and the body. */
const validated: ServeStep<OperationContext> = (next) =>
  async function validate(context) {
    const { operation, request, url, rules, state, key, catalog, lifetime, settings } = context;
    const sent = operation.body && (await readBody(request, operation.endpoint));
    lifetime.signal.throwIfAborted();
    // It may have been deleted while the body arrived.
    const mayBeDeleted = !key || key.kind === "orgApiKey" || rules.takesKeysOfDeletedProjects;
    const project = projectOf(key, state, mayBeDeleted);
    const ignoresUnknown = settings.unknownFields === "ignore";
    // A copy, because the log shows the URL.
    const parameters = new URLSearchParams(url.searchParams);
    for (const ignored of rules.ignoredParameters ?? []) parameters.delete(ignored);
    const errors: string[] = [];
    const given = operation.query && decodeQuery(operation.query, parameters);
    const query = checkedInput("query", operation.query, given, ignoresUnknown, errors);
    const { body: older, newer } = splitNewerFields(sent, rules.newer ?? {}, errors);
    const body = checkedInput("body", operation.body, older, ignoresUnknown, errors);
    slugErrors(query, catalog, errors);
    urlErrors(query, "query", errors);
    if (!rules.passesBodyOn) urlErrors(body, "body", errors);
    if (errors.length > 0) throw validationFailure(errors);
    return next(Object.assign(context, { project, query, body, newer }));
  };

/** The steps of serving a request, outermost first. */
const OPERATION_STEPS: readonly ServeStep<OperationContext>[] = [
  logged,
  dated,
  unlessReplaced,
  faulty,
  withErrors,
  admitted,
  validated,
];
const ROUTE_STEPS: readonly ServeStep<StepContext>[] = [logged, dated, unlessReplaced, withErrors];
const UNKNOWN_ROUTE_STEPS: readonly ServeStep<StepContext>[] = [logged, dated, withErrors];

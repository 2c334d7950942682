import { HonoBase } from "hono/hono-base";
import { TrieRouter } from "hono/router/trie-router";
import type { OperationName } from "../../contract/operations.js";
import type { Operation } from "../../resources/operation.js";
import { chain } from "../../shared/chain.js";
import { REQUEST_ID } from "../../shared/headers.js";
import { messageOf } from "../../shared/message-of.js";
import { authenticate, projectOf } from "./admission.js";
import { checkInput, slugErrors, urlErrors, validationFailure } from "./check-request.js";
import type { Engine, ExtraRoute, OperationHandlers, OperationRules, RequestContext, RouteContext } from "./engine.js";
import type { Faults } from "./faults.js";
import { splitNewerFields } from "./newer-fields.js";
import type { RateLimiter } from "./rate-limiter.js";
import { readBody } from "./read-body.js";
import { decodeQuery } from "./read-query.js";
import type { RequestLog } from "./request-log.js";
import { ApiFailure, checkedResponse, errorBody, errorResponse, faultResponse, jsonResponse } from "./responses.js";
import { literalsFirst, routesOf, withColons } from "./routes.js";
import type { InjectedFault } from "./schema.js";

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
interface OperationContext extends StepContext, Pick<AnyContext, "apiVersion"> {
  readonly operation: Operation;
  readonly rules: OperationRules;
  readonly handle: (context: AnyContext) => unknown;
}

/** A request with a valid key, or to an operation that takes none. */
interface AdmittedContext extends OperationContext, Pick<AnyContext, "key"> {}

/** A request that its handler takes. */
interface ValidContext extends AdmittedContext, Pick<AnyContext, "project" | "query" | "body" | "newer"> {}

/** Serves the contract's operations and the extra routes. All emulators share the routes, and pass their engine. */
export function mount(
  handlers: OperationHandlers,
  rules: Readonly<Partial<Record<OperationName, OperationRules>>>,
  extraRoutes: readonly ExtraRoute[],
): (request: Request, engine: ServingEngine) => Response | Promise<Response> {
  // The default tries two routers, and keeps both in the bundle.
  const app = new HonoBase<{ Bindings: ServingEngine }>({ router: new TrieRouter() });
  const serveOperation = chain(OPERATION_STEPS, admitted(validated(runHandler)), around);
  for (const operation of literalsFirst) {
    const { name, method, path } = operation.endpoint;
    // The type of `handlers` pairs each operation with a handler that takes its context.
    const handle = handlers[name] as OperationContext["handle"];
    for (const [apiVersion, route] of routesOf(path)) {
      const prepared = { operation, handle, rules: rules[name] ?? {}, apiVersion };
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
function admitted(next: Handle<AdmittedContext>): Handle<OperationContext> {
  return async function admit(context) {
    const { operation, request, state, rateLimit } = context;
    const key = authenticate(operation.endpoint, request.headers, state);
    return rateLimit.refusal(key) ?? next({ ...context, key });
  };
}

/** Reads the body, finds the key's project, and validates the query and the body. */
function validated(next: Handle<ValidContext>): Handle<AdmittedContext> {
  return async function validate(context) {
    const { operation, request, rules, state, key, lifetime } = context;
    const sent = operation.body && (await readBody(request, operation.endpoint));
    lifetime.signal.throwIfAborted();
    // It may have been deleted while the body arrived.
    const mayBeDeleted = !key || key.kind === "orgApiKey" || rules.takesKeysOfDeletedProjects;
    const project = projectOf(key, state, mayBeDeleted);
    return next({ ...context, project, ...validInput(sent, context) });
  };
}

/** The query and body of a request. @throws {ApiFailure} 400 if they aren't valid. */
function validInput(sent: unknown, context: AdmittedContext) {
  const { operation, url, rules, catalog, settings } = context;
  const ignoresUnknown = settings.unknownFields === "ignore";
  // A copy, because the log shows the URL.
  const parameters = new URLSearchParams(url.searchParams);
  for (const ignored of rules.ignoredParameters ?? []) parameters.delete(ignored);
  const given = operation.query && decodeQuery(operation.query, parameters);
  const query = checkInput("query", operation.query, given, ignoresUnknown);
  const { body: older, newer, errors: newerErrors } = splitNewerFields(sent, rules.newer ?? {});
  const body = checkInput("body", operation.body, older, ignoresUnknown);
  const errors = [
    ...query.errors,
    ...newerErrors,
    ...body.errors,
    ...slugErrors(query.value, catalog),
    ...urlErrors(query.value, "query"),
    ...(rules.passesBodyOn ? [] : urlErrors(body.value, "body")),
  ];
  if (errors.length > 0) throw validationFailure(errors);
  return { query: query.value, body: body.value, newer };
}

/** Runs the operation's handler, and checks its result. */
const runHandler: Handle<ValidContext> = async (context) =>
  checkedResponse(context.operation, await context.handle(context), context);

/** The steps around every request of a kind, outermost first. */
const OPERATION_STEPS: readonly ServeStep<OperationContext>[] = [logged, dated, unlessReplaced, faulty, withErrors];
const ROUTE_STEPS: readonly ServeStep<StepContext>[] = [logged, dated, unlessReplaced, withErrors];
const UNKNOWN_ROUTE_STEPS: readonly ServeStep<StepContext>[] = [logged, dated, withErrors];

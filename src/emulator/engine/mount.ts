import { HonoBase } from "hono/hono-base";
import { TrieRouter } from "hono/router/trie-router";
import { operations } from "../../contract/operations.js";
import type { Operation } from "../../resources/operation.js";
import { authenticate, projectOf, type RateLimit } from "./admission.js";
import {
  slugErrors,
  takesUrls,
  urlErrors,
  validationErrors,
  validationFailure,
  withoutUnknownFields,
} from "./check-request.js";
import {
  type Engine,
  type ExtraRoute,
  type HandlerContext,
  type Handlers,
  requestContext,
  unlessReplaced,
} from "./engine.js";
import type { Faults, InjectedFault } from "./faults.js";
import { decodeQuery, readBody, withClampedLimit } from "./read-request.js";
import type { RequestLog } from "./request-log.js";
import { ApiFailure, checkedResponse, errorResponse, faultResponse } from "./responses.js";

/** Everything needed to serve requests. */
interface MountContext extends Engine {
  readonly rateLimit: RateLimit;
  readonly faults: Faults;
  readonly log: RequestLog;
}

type AnyHandler = (context: HandlerContext<Operation["endpoint"]>) => unknown;

/**
 * Serves the contract's operations and the extra routes. Authentication, rate limit, validation, and errors are handled
 * here, for all of them.
 */
export function mount(
  handlers: Handlers,
  context: MountContext,
  extraRoutes: readonly ExtraRoute[],
): (request: Request) => Promise<Response> {
  // The default tries two routers, and keeps both in the bundle.
  const app = new HonoBase({ router: new TrieRouter() });
  for (const operation of literalsFirst) {
    const { endpoint } = operation;
    // The type of `handlers` already pairs each operation with its handler.
    const handler = handlers[endpoint.name] as AnyHandler;
    for (const [apiVersion, path] of routesOf(endpoint.path)) {
      app.on(endpoint.method, path.replace(/\{(\w+)\}/g, ":$1"), (route) =>
        respond(operation, handler, { apiVersion, params: route.req.param() }, route.req.raw, requestContext(context)),
      );
    }
  }
  for (const extraRoute of extraRoutes) {
    app.on([...extraRoute.methods], extraRoute.path.replace(/\{(\w+)\}/g, ":$1"), (route) =>
      serveExtraRoute(extraRoute, route.req.param(), route.req.raw, requestContext(context)),
    );
  }
  app.notFound(({ req: { raw: request } }) =>
    context.log.record({ request }, async () => {
      const { pathname } = new URL(request.url);
      const fix = /.\/api\//.test(pathname) ? "Check baseUrl: paths of the API start with /api" : undefined;
      const failure = new ApiFailure(404, 10404, "HTTP_NotFound", `No ${request.method} ${pathname}`, fix);
      return errorResponse(failure, context);
    }),
  );
  // A broken connection isn't a response, so the caller has to break it.
  app.onError((error) => {
    throw error;
  });
  return async (request) => app.fetch(request);
}

/**
 * The routes of a path. A path without a version is served under both; a v3 path is also served under v3.1, but a v3.1
 * path isn't served under v3. Assumption E4.
 */
function routesOf(path: string): ["v3" | "v3.1", string][] {
  if (path.includes("{apiVersion}")) {
    return (["v3", "v3.1"] as const).map((version) => [version, path.replace("{apiVersion}", version)]);
  }
  if (path.startsWith("/api/v3/"))
    return [
      ["v3", path],
      ["v3.1", path.replace("/api/v3/", "/api/v3.1/")],
    ];
  return [["v3.1", path]];
}

/** The operations, literal segments first, so `/tools/enum` doesn't match as a tool with the slug `enum`. */
const literalsFirst = operations
  .map((operation) => ({
    operation,
    rank: operation.endpoint.path.replaceAll("{apiVersion}", "").replace(/\{\w+\}/g, "\uffff"),
  }))
  .sort((one, other) => (one.rank < other.rank ? -1 : 1))
  .map(({ operation }) => operation);

interface MatchedRoute {
  readonly apiVersion: "v3" | "v3.1";
  readonly params: Readonly<Record<string, string>>;
}

async function respond(
  operation: Operation,
  handler: AnyHandler,
  matched: MatchedRoute,
  request: Request,
  context: MountContext,
): Promise<Response> {
  const { name } = operation.endpoint;
  const fault = context.faults.take(name);
  return context.log.record({ request, operation: name, fault }, () =>
    unlessReplaced(context, () => serveWithFault(operation, handler, matched, request, fault, context)),
  );
}

async function serveWithFault(
  operation: Operation,
  handler: AnyHandler,
  matched: MatchedRoute,
  request: Request,
  fault: InjectedFault | undefined,
  context: MountContext,
): Promise<Response> {
  if (fault?.delayMs !== undefined) {
    await context.clock.sleep(fault.delayMs, AbortSignal.any([request.signal, context.lifetime.signal]));
  }
  const replaces = fault !== undefined && (fault.status !== undefined || fault.connection !== undefined);
  // Truncating needs a response.
  const runs = !replaces || fault.when === "after" || fault.connection === "truncate";
  const response = runs ? await serve(operation, handler, matched, request, context) : undefined;
  return response === undefined || replaces ? faultResponse(fault ?? {}, response, context) : response;
}

function serve(
  operation: Operation,
  handler: AnyHandler,
  { apiVersion, params }: MatchedRoute,
  request: Request,
  context: MountContext,
): Promise<Response> {
  const { name } = operation.endpoint;
  return withErrors(name, request, context, async () => {
    const key = authenticate(operation.endpoint, request.headers, context.state);
    const refusal = context.rateLimit.refusal(key);
    if (refusal) return refusal;
    // A deleted project's key can only call session.info. Assumption E54.
    if (key && key.kind !== "orgApiKey" && name !== "session.info") projectOf(key, context.state);
    const parameters = new URL(request.url).searchParams;
    for (const removed of REMOVED_PARAMETERS[name] ?? []) parameters.delete(removed);
    const query = operation.query && acceptable(operation.query, decodeQuery(operation.query, parameters), context);
    const body = operation.body && acceptable(operation.body, await readBody(request), context);
    const errors = [
      ...validationErrors("query", operation.query, query),
      ...validationErrors("body", operation.body, body),
      ...slugErrors(query, context.catalog),
      ...(takesUrls(name) ? urlErrors({ query, body }).map((found) => found.slice(1)) : []),
    ];
    if (errors.length > 0) throw validationFailure(errors);
    const { origin } = new URL(request.url);
    context.lifetime.signal.throwIfAborted();
    const data = await handler({ ...context, origin, apiVersion, params, query, body, key });
    return checkedResponse(operation, data, context);
  });
}

/** Parameters of earlier versions, which the service ignores. */
const REMOVED_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  "connectedAccounts.list": ["label", "labels"],
};

/** A query or body as the service accepts it: with a limit in range and, on request, without unknown fields. */
function acceptable(schema: NonNullable<Operation["body"]>, value: unknown, { settings }: MountContext): unknown {
  const known = settings.unknownFields === "ignore" ? withoutUnknownFields(schema, value) : value;
  return withClampedLimit(schema, known);
}

async function serveExtraRoute(
  extraRoute: ExtraRoute,
  params: Readonly<Record<string, string>>,
  request: Request,
  context: MountContext,
): Promise<Response> {
  const { origin } = new URL(request.url);
  return context.log.record({ request }, () =>
    unlessReplaced(context, () =>
      withErrors(`${request.method} ${extraRoute.path}`, request, context, async () =>
        extraRoute.handle({ ...context, request, params, origin }),
      ),
    ),
  );
}

/** Turns a thrown ApiFailure into its response, and any other error into a 500 of the emulator. */
async function withErrors(
  where: string,
  request: Request,
  context: MountContext,
  run: () => Promise<Response>,
): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    context.lifetime.signal.throwIfAborted();
    if (error instanceof ApiFailure) return errorResponse(error, context);
    // An aborted request gets no response.
    request.signal.throwIfAborted();
    const message = `The emulator failed in ${where}: ${error instanceof Error ? error.message : String(error)}`;
    return errorResponse(new ApiFailure(500, 10500, "Emulator_Crashed", message), context);
  }
}

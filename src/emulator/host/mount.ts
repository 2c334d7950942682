import { Hono } from "hono";
import type { Operation } from "../../contract/operation.js";
import { operations } from "../../contract/operations.js";
import { MAX_VALIDATION_ERRORS, takesUrls, urlErrors, validationErrors } from "./check-request.js";
import type { ExtraRoute, HandlerContext, Handlers, World } from "./context.js";
import { ApiFailure, invalidRequest } from "./errors.js";
import type { Faults, InjectedFault } from "./faults.js";
import { authenticate } from "./guard.js";
import { projectOf } from "./lookup.js";
import type { RateLimit } from "./rate-limit.js";
import { decodeQuery, readBody } from "./read-request.js";
import { type RequestLog, recorded } from "./request-log.js";
import { checkedResponse, crashResponse, errorResponse, faultResponse, json, unknownRoute } from "./responses.js";

/** What stands around every handler. */
interface MountContext extends World, RequestLog {
  readonly rateWindow: RateLimit;
  readonly faults: Faults;
}

type AnyHandler = (context: HandlerContext<Operation["endpoint"]>) => unknown;

/**
 * The service as one function. Routes come from the contract; guard, window, checks and errors are done here, once. Doors
 * are the addresses that are no operations.
 */
export function mount(
  handlers: Handlers,
  surroundings: MountContext,
  doors: readonly ExtraRoute[] = [],
): (request: Request) => Promise<Response> {
  const app = new Hono();
  for (const operation of [...operations].sort(literalsFirst)) {
    const { endpoint } = operation;
    // The handler of this endpoint takes what this endpoint takes; the table's types were checked where it was made.
    const handler = handlers[endpoint.name] as AnyHandler;
    for (const [apiVersion, path] of routesOf(endpoint.path)) {
      app.on(endpoint.method, path.replace(/\{(\w+)\}/g, ":$1"), (route) =>
        respond(operation, handler, { apiVersion, params: route.req.param() }, route.req.raw, surroundings),
      );
    }
  }
  for (const door of doors) {
    app.on([...door.methods], door.path.replace(/\{(\w+)\}/g, ":$1"), (route) =>
      serveExtraRoute(door, route.req.param(), route.req.raw, surroundings),
    );
  }
  app.notFound(({ req: { raw: request } }) =>
    recorded({ request }, surroundings, async () => unknownRoute(request, surroundings)),
  );
  // A broken connection is no answer: the front that called makes it real.
  app.onError((error) => {
    throw error;
  });
  return async (request) => app.fetch(request);
}

/**
 * The addresses that serve a path. A path without a version exists under both; one of v3 is served under v3.1 as well, and
 * one that the spec ties to v3.1 is not served under v3. See assumption E4.
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

/** `/tools/enum` must not be taken for a tool with the slug `enum`. */
function literalsFirst(one: Operation, other: Operation): number {
  const rank = ({ endpoint }: Operation) => endpoint.path.replaceAll("{apiVersion}", "").replace(/\{\w+\}/g, "\uffff");
  return rank(one) < rank(other) ? -1 : 1;
}

interface MatchedRoute {
  readonly apiVersion: "v3" | "v3.1";
  readonly params: Readonly<Record<string, string>>;
}

async function respond(
  operation: Operation,
  handler: AnyHandler,
  arrival: MatchedRoute,
  request: Request,
  surroundings: MountContext,
): Promise<Response> {
  const { name } = operation.endpoint;
  const fault = surroundings.faults.take(name);
  return recorded({ request, operation: name, fault }, surroundings, () =>
    serveWithFault(operation, handler, arrival, request, fault, surroundings),
  );
}

async function serveWithFault(
  operation: Operation,
  handler: AnyHandler,
  arrival: MatchedRoute,
  request: Request,
  fault: InjectedFault | undefined,
  surroundings: MountContext,
): Promise<Response> {
  if (fault?.delayMs !== undefined) await surroundings.clock.sleep(fault.delayMs, request.signal);
  const spoils = fault !== undefined && (fault.status !== undefined || fault.connection !== undefined);
  // A truncated answer needs an answer to truncate.
  const runs = !spoils || fault.when === "after" || fault.connection === "truncate";
  const response = runs ? await serve(operation, handler, arrival, request, surroundings) : undefined;
  return response === undefined || spoils ? faultResponse(fault ?? {}, response, surroundings) : response;
}

function serve(
  operation: Operation,
  handler: AnyHandler,
  { apiVersion, params }: MatchedRoute,
  request: Request,
  surroundings: MountContext,
): Promise<Response> {
  const { rateWindow } = surroundings;
  const { name } = operation.endpoint;
  return withErrors(name, request, surroundings, async () => {
    const key = authenticate(operation.endpoint, request.headers, surroundings.state);
    // What needs no key spends nobody's budget.
    if (key && !rateWindow.take()) {
      const retryAfter = String(rateWindow.retryAfterSeconds());
      return json(429, rateWindow.refusal(), surroundings, { "retry-after": retryAfter });
    }
    // Of a project that was deleted a key can only ask what became of it. See assumption E54.
    if (key && key.kind !== "orgApiKey" && name !== "session.info") projectOf(key, surroundings.state);
    const query = operation.query && decodeQuery(operation.query, new URL(request.url).searchParams);
    const body = operation.body && (await readBody(request));
    const complaints = [
      ...validationErrors("query", operation.query, query),
      ...validationErrors("body", operation.body, body),
      ...(takesUrls(name) ? urlErrors({ query, body }).map((found) => found.slice(1)) : []),
    ];
    if (complaints.length > 0) throw invalidRequest(complaints.slice(0, MAX_VALIDATION_ERRORS));
    const { origin } = new URL(request.url);
    const data = await handler({ ...surroundings, origin, apiVersion, params, query, body, key });
    return checkedResponse(operation, data, surroundings);
  });
}

async function serveExtraRoute(
  door: ExtraRoute,
  params: Readonly<Record<string, string>>,
  request: Request,
  surroundings: MountContext,
): Promise<Response> {
  const { origin } = new URL(request.url);
  return recorded({ request }, surroundings, () =>
    withErrors(`${request.method} ${door.path}`, request, surroundings, async () =>
      door.open({ ...surroundings, request, params, origin }),
    ),
  );
}

/** Answers, and what is thrown is an answer too: a refusal as itself, anything else as a failure of the emulator. */
async function withErrors(
  where: string,
  request: Request,
  surroundings: MountContext,
  run: () => Promise<Response>,
): Promise<Response> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ApiFailure) return errorResponse(error, surroundings);
    // A caller that went away gets no answer.
    request.signal.throwIfAborted();
    return crashResponse(where, error, surroundings);
  }
}

import { HonoBase } from "hono/hono-base";
import { TrieRouter } from "hono/router/trie-router";
import { type OperationName, operations } from "../../contract/operations.js";
import type { Operation } from "../../resources/operation.js";
import type { ExtraRoute, HandlerContext, Handlers, OperationRules } from "./engine.js";
import { ApiFailure, checkedResponse } from "./responses.js";
import {
  admitted,
  chain,
  faulty,
  logged,
  type OperationContext,
  type ServingEngine,
  type StepContext,
  unlessReplaced,
  validated,
  withErrors,
} from "./steps.js";

type AnyHandler = (context: HandlerContext<Operation["endpoint"]>) => unknown;

/** Serves the contract's operations and the extra routes. */
export function mount(
  handlers: Handlers,
  rules: Readonly<Partial<Record<OperationName, OperationRules>>>,
  extraRoutes: readonly ExtraRoute[],
  engine: ServingEngine,
): (request: Request) => Response | Promise<Response> {
  // The default tries two routers, and keeps both in the bundle.
  const app = new HonoBase({ router: new TrieRouter() });
  const contextOf = (request: Request, params: StepContext["params"], where: string): StepContext => {
    const url = new URL(request.url);
    // A request keeps the lifetime that it began with.
    return { ...engine, lifetime: { ...engine.lifetime }, request, url, origin: url.origin, params, where };
  };
  const serveOperation = chain<OperationContext>(
    [logged, unlessReplaced, faulty, withErrors, admitted, validated],
    async (context) => {
      // The type of `handlers` already pairs each operation with its handler.
      const handler = handlers[context.operation.endpoint.name as OperationName] as AnyHandler;
      // The steps before have set what the handler needs.
      return checkedResponse(context.operation, await handler(context as Parameters<AnyHandler>[0]), context);
    },
  );
  for (const operation of literalsFirst) {
    const { method, path } = operation.endpoint;
    // The contract's own names.
    const name = operation.endpoint.name as OperationName;
    for (const [apiVersion, route] of routesOf(path)) {
      const prepared = { operation, rules: rules[name] ?? {}, apiVersion };
      app.on(method, withColons(route), ({ req }) =>
        serveOperation({ ...contextOf(req.raw, req.param(), name), ...prepared, fault: engine.faults.take(name) }),
      );
    }
  }
  for (const { methods, path, handle } of extraRoutes) {
    const serveRoute = chain<StepContext>([logged, unlessReplaced, withErrors], async (context) => handle(context));
    app.on([...methods], withColons(path), ({ req }) =>
      serveRoute(contextOf(req.raw, req.param(), `${req.method} ${path}`)),
    );
  }
  const serveNothing = chain<StepContext>([logged, withErrors], async ({ url, where }) => {
    const fix = /.\/api\//.test(url.pathname) ? "Check baseUrl: paths of the API start with /api" : undefined;
    throw new ApiFailure(404, 10404, "HTTP_NotFound", `No ${where}`, fix);
  });
  app.notFound(({ req }) => serveNothing(contextOf(req.raw, {}, `${req.method} ${new URL(req.url).pathname}`)));
  // A broken connection isn't a response, so the caller has to break it.
  app.onError((error) => {
    throw error;
  });
  return app.fetch;
}

/** A path as the router takes it. */
function withColons(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
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

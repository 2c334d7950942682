import { Hono } from "hono";
import * as z from "zod/mini";
import { checkShape } from "../../contract/check-shape.js";
import { ConfigError } from "../../errors/local.js";
import type { JsonObject } from "../../resources/schema-kit.js";
import { CONTROL_PREFIX, EMULATOR_URL, INSPECTOR_TOKEN, REPORTS_PATH } from "../../shared/control-plane.js";
import { DELIVERY_ATTEMPT } from "../../shared/headers.js";
import type { Assembly } from "../assembly/emulator.js";
import { BROWSER_HEADERS, contentPolicy, hashSource } from "../engine/browser-headers.js";
import { readBody } from "../engine/read-body.js";
import { ApiFailure } from "../engine/responses.js";
import { withColons } from "../engine/routes.js";
import type { ControlCall, ControlEndpoint, ControlledEmulator } from "./endpoint-kit.js";
import { controlEndpoints } from "./endpoints.js";
import { EventStream } from "./event-stream.js";

/** The part of an emulator on a port that is for this machine only: the control plane, and the inspector at `/`. */
export function localPlane(emulator: ControlledEmulator, engine: Assembly) {
  const token = crypto.randomUUID();
  const stream = new EventStream();
  engine.subscribe((activity) => stream.add(activity));
  const control = controlPlane({ emulator, engine, stream });
  return {
    /** Whether a request is for it. */
    matches: (request: Request) =>
      new URL(request.url).pathname.startsWith(`${CONTROL_PREFIX}/`) || isForInspector(request),
    /** Responds to a request of a caller on this machine. */
    serve: async (request: Request): Promise<Response> => {
      // Others choose where deliveries go.
      if (request.headers.has(DELIVERY_ATTEMPT)) return Response.json(FOR_A_DELIVERY, { status: 403 });
      if (isForInspector(request)) return inspectorPage(token);
      if (request.method === "GET" && !isForOtherPage(request)) return control(request);
      if (isFromPage(request) && request.headers.get(INSPECTOR_TOKEN) !== token) {
        return Response.json(NO_TOKEN, { status: 403 });
      }
      const response = await control(request);
      const outcome = await outcomeOf(request, response);
      // What toolsets report is an activity itself.
      if (outcome.path !== CONTROL_PREFIX + REPORTS_PATH) engine.feed.publish({ type: "control", ...outcome });
      return response;
    },
  };
}

/** Programs that get `/` still receive the service's 404. */
function isForInspector({ method, url, headers }: Request): boolean {
  return method === "GET" && new URL(url).pathname === "/" && (headers.get("accept") ?? "").includes("text/html");
}

const FOR_A_DELIVERY = {
  message: "The control plane doesn't take webhook deliveries. Change the URL of the subscription.",
};

const NO_TOKEN = {
  message:
    "Web pages can't control the emulator, except for its own inspector. Use it, or send the request from a program.",
};

/** Whether a browser sent a request for a page, which always names its origin. */
function isFromPage({ headers }: Request): boolean {
  return headers.has("origin") || headers.has("sec-fetch-site");
}

/** Whether a browser loads something into a page of another origin. It couldn't read it, but measure it. */
function isForOtherPage({ headers }: Request): boolean {
  return (
    /^(cross|same)-site$/.test(headers.get("sec-fetch-site") ?? "") && headers.get("sec-fetch-mode") !== "navigate"
  );
}

async function outcomeOf({ method, url }: Request, response: Response) {
  const { status } = response;
  const { message }: { message?: unknown } = status < 400 ? {} : Object(await response.clone().json());
  return { method, path: new URL(url).pathname, status, error: message === undefined ? null : String(message) };
}

/** The emulator that the control plane controls. */
type Controlled = Pick<ControlCall, "emulator" | "engine" | "stream">;

/** HTTP API to control the emulator from another process. */
function controlPlane(controlled: Controlled): (request: Request) => Promise<Response> {
  const app = new Hono().basePath(CONTROL_PREFIX);
  for (const endpoint of controlEndpoints) {
    app.on(endpoint.method, withColons(endpoint.path), (route) =>
      respondToControl(endpoint, route.req.param(), route.req.raw, controlled),
    );
  }
  app.get("/openapi.json", (route) => route.json(controlDocument(controlEndpoints)));
  app.notFound((route) =>
    route.json({ message: `The control plane doesn't have ${route.req.method} ${route.req.path}` }, 404),
  );
  app.onError((error, route) => {
    if (error instanceof ConfigError) return route.json({ message: error.message }, 400);
    if (!(error instanceof ApiFailure)) throw error;
    const { status, message, errors } = error.details;
    return Response.json({ message: errors?.join("; ") ?? message }, { status });
  });
  return async (incoming) => app.fetch(incoming);
}

async function respondToControl(
  endpoint: ControlEndpoint,
  params: Readonly<Record<string, string>>,
  request: Request,
  controlled: Controlled,
): Promise<Response> {
  const body = endpoint.body && (await readBody(request, { hasSchemas: true, ...endpoint.limits }));
  if (endpoint.body) checkShape(endpoint.body, body, "Invalid body");
  const result = await endpoint.run({ ...controlled, params, body, request });
  return result instanceof Response ? result : Response.json(result ?? {});
}

/** The control plane as an OpenAPI 3.1 document, served at `/_emulator/openapi.json`. */
function controlDocument(endpoints: readonly ControlEndpoint[]): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const endpoint of endpoints) {
    const path = CONTROL_PREFIX + endpoint.path;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeEndpoint(endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Control plane of the emulator",
      description: "Only callers on the same machine may use it, under a loopback host name. There are no credentials.",
      version: "1",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: EMULATOR_URL }],
    security: [],
    paths,
  };
}

function describeEndpoint({ name, path, summary, body, response }: ControlEndpoint): JsonObject {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => ({
    name: parameter,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const isRequired = body !== undefined && !body.safeParse(undefined).success;
  return {
    operationId: name,
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: isRequired, content: json(schemaOf(body)) } }),
    responses: {
      200: { description: "Success", content: json(schemaOf(response)) },
      ...(body && { 413: failure("The body is too large") }),
      400: failure("Invalid input"),
      403: failure("The caller isn't on this machine"),
    },
  };
}

function failure(description: string): JsonObject {
  const schema = { type: "object", properties: { message: { type: "string" } }, required: ["message"] };
  return { description, content: json(schema) };
}

const json = (schema: JsonObject): JsonObject => ({ "application/json": { schema } });

function schemaOf(schema: z.ZodMiniType): JsonObject {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return described;
}

/**
 * The inspector: one page that loads nothing from elsewhere.
 *
 * @param token allows the page to change the emulator. Pages of other origins can't read it.
 */
async function inspectorPage(token: string): Promise<Response> {
  // Loaded when the page is first opened: most emulators run in tests, which never do.
  const { INSPECTOR } = await import("./inspector-bundle.js");
  if (!INSPECTOR) return new Response(NOT_BUILT, { status: 501 });
  const { script, style } = INSPECTOR;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="emulator-token" content="${token}">
<title>Emulator</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<noscript>The inspector needs JavaScript. The control plane works without: see ${CONTROL_PREFIX}/openapi.json.</noscript>
<script>${script}</script>
</body>
</html>
`;
  const policy = [
    contentPolicy(),
    `script-src ${await hashSource(script)}`,
    `style-src ${await hashSource(style)}`,
    "connect-src 'self'",
    "img-src data:",
    "require-trusted-types-for 'script'",
  ].join("; ");
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": policy };
  return new Response(html, {
    headers: { ...BROWSER_HEADERS, ...headers, "cross-origin-resource-policy": "same-origin" },
  });
}

const NOT_BUILT = "The inspector is part of the built package: run npm run build.\n";

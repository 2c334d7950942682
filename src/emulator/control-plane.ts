import { Hono } from "hono";
import { mismatchesOf } from "../contract/check.js";
import { ConfigError, describeMismatches } from "../errors/local.js";
import type { ControlCall, ControlEndpoint } from "./control-endpoint.js";
import { controlEndpoints } from "./control-endpoints.js";
import { CONTROL_PREFIX, controlDocument } from "./control-openapi.js";
import { ApiFailure } from "./host/errors.js";
import { readBody } from "./host/read-request.js";

/** The emulator that the control plane controls. */
type Controlled = Pick<ControlCall, "emulator" | "engine" | "stream">;

/** HTTP API to control the emulator from another process. */
export function controlPlane(controlled: Controlled): (request: Request) => Promise<Response> {
  const app = new Hono().basePath(CONTROL_PREFIX);
  for (const endpoint of controlEndpoints) {
    app.on(endpoint.method, endpoint.path.replace(/\{(\w+)\}/g, ":$1"), (route) =>
      respond(endpoint, route.req.param(), route.req.raw, controlled),
    );
  }
  app.get("/openapi.json", (route) => route.json(controlDocument(controlEndpoints)));
  app.notFound((route) =>
    route.json({ message: `The control plane doesn't have ${route.req.method} ${route.req.path}` }, 404),
  );
  app.onError((error, route) => {
    if (error instanceof ConfigError) return route.json({ message: error.message }, 400);
    if (error instanceof ApiFailure) return errorResponse(error);
    throw error;
  });
  return async (incoming) => app.fetch(incoming);
}

async function respond(
  endpoint: ControlEndpoint,
  params: Readonly<Record<string, string>>,
  request: Request,
  controlled: Controlled,
): Promise<Response> {
  const body = endpoint.body && (await checkedBody(endpoint, endpoint.body, request));
  const result = await endpoint.run({ ...controlled, params, body, request });
  return result instanceof Response ? result : Response.json(result ?? {});
}

async function checkedBody(
  { limits }: ControlEndpoint,
  schema: NonNullable<ControlEndpoint["body"]>,
  request: Request,
): Promise<unknown> {
  const body = await readBody(request, limits);
  const mismatches = mismatchesOf(schema, body);
  if (mismatches.length === 0) return body;
  throw new ConfigError(`Invalid body: ${describeMismatches(mismatches)}.`);
}

function errorResponse({ details: { status, message, errors } }: ApiFailure): Response {
  return Response.json({ message: errors?.join("; ") ?? message }, { status });
}

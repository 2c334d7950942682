import { Hono } from "hono";
import * as z from "zod/mini";
import { mismatchesOf } from "../../contract/check.js";
import { ConfigError, describeMismatches } from "../../errors/local.js";
import { readBody } from "../host/read-request.js";
import { ApiFailure } from "../host/responses.js";
import type { ControlCall, ControlEndpoint } from "./endpoint.js";
import { controlEndpoints } from "./endpoints.js";

/** Path prefix of the control plane. The service has no such paths. */
export const CONTROL_PREFIX = "/_emulator";

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

type Json = Record<string, unknown>;

/** The control plane as an OpenAPI 3.1 document, served at `/_emulator/openapi.json`. */
function controlDocument(endpoints: readonly ControlEndpoint[]): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = CONTROL_PREFIX + endpoint.path;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describe(endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Control plane of the emulator",
      description: "Only callers on the same machine may use it, under a loopback host name. There are no credentials.",
      version: "1",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "http://127.0.0.1:4747" }],
    security: [],
    paths,
  };
}

function describe({ name, path, summary, body, response, contentType = "application/json" }: ControlEndpoint): Json {
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
      200: { description: "Success", content: { [contentType]: { schema: schemaOf(response) } } },
      ...(body && { 413: failure("The body is too large") }),
      400: failure("Invalid input"),
      403: failure("The caller isn't on this machine"),
    },
  };
}

function failure(description: string): Json {
  const schema = { type: "object", properties: { message: { type: "string" } }, required: ["message"] };
  return { description, content: json(schema) };
}

const json = (schema: Json): Json => ({ "application/json": { schema } });

function schemaOf(schema: z.ZodMiniType): Json {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: "input" });
  return described;
}

import * as z from "zod/mini";
import type { ControlEndpoint } from "./control-endpoint.js";

/** Path prefix of the control plane. The service has no such paths. */
export const CONTROL_PREFIX = "/_emulator";

type Json = Record<string, unknown>;

/** The control plane as an OpenAPI 3.1 document, served at `/_emulator/openapi.json`. */
export function controlDocument(endpoints: readonly ControlEndpoint[]): Json {
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

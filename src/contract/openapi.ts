import * as z from "zod/mini";
import { commonFields } from "../resources/connected-accounts/state-fields-schema.js";
import { ErrorBody, RateLimitBody } from "../resources/errors/schema.js";
import type { Operation } from "../resources/operation.js";
import type { IdFormat } from "../resources/schema-kit.js";
import { API_VERSIONS, DEFAULT_API_VERSION } from "../shared/api-versions.js";
import { EMULATOR_URL } from "../shared/control-plane.js";
import { CREDENTIAL_KINDS, CREDENTIALS } from "../shared/credentials.js";
import type { Json } from "../shared/json.js";
import { operations } from "./operations.js";
import * as shapes from "./shapes.js";

const SCHEMAS = "#/components/schemas/";
const RESPONSES = "#/components/responses/";
const PARAMETERS = "#/components/parameters/";

const VERSION = "{apiVersion}";

/** Fields that the values of every connection state may have. Their schemas refer to it instead of repeating it. */
const COMMON_FIELDS = { id: "CommonConnectionFields", schema: z.object(commonFields) };

/**
 * The contract as an OpenAPI 3.1 document, made from the same endpoints and schemas that the client and the emulator
 * use.
 *
 * @param version the version to put into `info`; the package's own in `svc-sdk/openapi.json`.
 */
export function openApiDocument(version: string): Record<string, unknown> {
  const names = z.registry<{ id: string }>();
  for (const [id, shape] of Object.entries<unknown>(shapes)) {
    if (isSchema(shape)) names.add(shape, { id });
  }
  names.add(COMMON_FIELDS.schema, { id: COMMON_FIELDS.id });
  const toJsonSchema = { io: "input", uri: (id: string) => SCHEMAS + id, override } as const;
  const { schemas } = z.toJSONSchema(names, toJsonSchema);

  const reference = (schema: z.ZodMiniType): Json => {
    const id = names.get(schema)?.id;
    return id === undefined
      ? plain(z.toJSONSchema(schema, { ...toJsonSchema, metadata: names }))
      : { $ref: SCHEMAS + id };
  };
  const stated = operations.map((operation) => ({
    operation,
    parameters: [
      ...pathParameters(operation.endpoint.path),
      ...queryParameters(operation, reference),
      ...headerParameters(operation),
    ],
  }));
  const shared = sharedParameters(stated.flatMap(({ parameters }) => parameters));
  const paths: Record<string, Json> = {};
  for (const { operation, parameters } of stated) {
    const description = describeOperation(operation, parameters.map(shared.reference), reference);
    const path = pathItemOf(operation.endpoint.path);
    paths[path] = { ...paths[path], [operation.endpoint.method.toLowerCase()]: description };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Tool-access platform", version, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "{baseUrl}", variables: { baseUrl: { default: EMULATOR_URL } } }],
    tags: [...new Set(operations.map(({ endpoint }) => tagOf(endpoint.name)))].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, plain(schema)])),
      parameters: shared.parameters,
      responses: {
        RateLimited: { description: "Too many requests", content: json(reference(RateLimitBody)) },
        Failed: { description: "Failure", content: json(reference(ErrorBody)) },
      },
      securitySchemes: Object.fromEntries(CREDENTIAL_KINDS.map((kind) => [kind, securityScheme(kind)])),
    },
  };
}

/** Not all exports are schemas: there are lists such as the auth schemes. */
function isSchema(value: unknown): value is z.ZodMiniType {
  return typeof value === "object" && value !== null && "_zod" in value;
}

function describeOperation(
  operation: Operation,
  parameters: readonly Json[],
  reference: (schema: z.ZodMiniType) => Json,
): Json {
  const { endpoint, spec, body } = operation;
  return {
    operationId: endpoint.name,
    tags: [tagOf(endpoint.name)],
    description: `Specification: ${spec}.`,
    ...(endpoint.deprecated?.includes("operation") && { deprecated: true }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: !body.safeParse(undefined).success, content: json(reference(body)) } }),
    responses: responses(operation, reference),
    security: endpoint.auth.length === 0 ? [] : endpoint.auth.map((kind) => ({ [kind]: [] })),
  };
}

function responses({ status, response }: Operation, reference: (schema: z.ZodMiniType) => Json): Json {
  const good = [status]
    .flat()
    .map((code) => [
      String(code),
      code === 204 ? { description: "Done" } : { description: "Success", content: json(reference(response)) },
    ]);
  return {
    ...Object.fromEntries(good),
    "429": { $ref: `${RESPONSES}RateLimited` },
    default: { $ref: `${RESPONSES}Failed` },
  };
}

/** Parameters used by several operations are written once, by name; different ones with the same name are numbered. */
function sharedParameters(all: readonly Json[]) {
  const uses = new Map<string, number>();
  for (const parameter of all.map((each) => JSON.stringify(each))) uses.set(parameter, (uses.get(parameter) ?? 0) + 1);
  const parameters: Record<string, Json> = {};
  const references = new Map<string, Json>();
  for (const [text, count] of uses) {
    if (count === 1) continue;
    const parameter: Json = JSON.parse(text);
    let id = String(parameter["name"]);
    for (let number = 2; Object.hasOwn(parameters, id); number += 1) id = `${String(parameter["name"])}${number}`;
    parameters[id] = parameter;
    references.set(text, { $ref: PARAMETERS + id });
  }
  const reference = (parameter: Json): Json => references.get(JSON.stringify(parameter)) ?? parameter;
  return { parameters, reference };
}

/** Paths with a version as a parameter. */
const versionedPaths: ReadonlySet<string> = new Set(
  operations.map(({ endpoint }) => endpoint.path).filter((path) => path.includes(VERSION)),
);

/**
 * The path item of an endpoint: one for each URL, because a reader stops at the first that matches. An endpoint of one
 * version is therefore in the item of all versions if that has the same URLs.
 */
function pathItemOf(path: string): string {
  const versioned = path.replace(/^\/api\/v[\d.]+\//, `/api/${VERSION}/`);
  return versionedPaths.has(versioned) ? versioned : path;
}

/** Formats of the ids in paths, by the segment before them. */
const PATH_IDS: Readonly<Record<string, IdFormat>> = {
  auth_configs: "authConfigId",
  connected_accounts: "connectedAccountId",
  manage: "triggerInstanceId",
  project: "projectId",
  session: "toolRouterSessionId",
  webhook_subscriptions: "webhookSubscriptionId",
};

function pathParameters(path: string): Json[] {
  const [, only] = /^\/api\/(v[\d.]+)\//.exec(path) ?? [];
  const versions = { enum: only === undefined ? API_VERSIONS : [only], default: only ?? DEFAULT_API_VERSION };
  return [...pathItemOf(path).matchAll(/(\w*)\/\{(\w+)\}/g)].map(([, before = "", name]) => {
    const schema = name === "apiVersion" ? versions : PATH_IDS[before] && { format: PATH_IDS[before] };
    return { name, in: "path", required: true, schema: { type: "string", ...schema } };
  });
}

function queryParameters({ query }: Operation, reference: (schema: z.ZodMiniType) => Json): Json[] {
  if (!query) return [];
  return Object.entries(definitionOf(query).shape ?? {}).map(([name, schema]) => {
    const { deprecated, ...value } = reference(schema);
    return {
      name,
      in: "query",
      required: !query.safeParse({}).success && !schema.safeParse(undefined).success,
      ...(deprecated === true && { deprecated }),
      schema: value,
      // Maps are written as `name[key]`, lists joined by commas in one parameter. Assumption A1.
      ...(schema.safeParse({}).success ? { style: "deepObject", explode: true } : { style: "form", explode: false }),
    };
  });
}

function headerParameters({ headers }: Operation): Json[] {
  return headers.map((name) => ({ name, in: "header", required: false, schema: { type: "string" } }));
}

function securityScheme(kind: (typeof CREDENTIAL_KINDS)[number]): Json {
  const { header, prefix } = CREDENTIALS[kind];
  if (header === "cookie") return { type: "apiKey", in: "cookie", name: prefix.replace("=", "") };
  return { type: "apiKey", in: "header", name: header };
}

/** The JSON Schema of a query or body, with everything that it refers to inside it. */
export function wholeSchema(schema: z.ZodMiniType): Json {
  return plain(z.toJSONSchema(schema, { io: "input", override: annotate }));
}

interface Conversion {
  readonly zodSchema: z.core.$ZodType;
  readonly jsonSchema: z.core.JSONSchema.JSONSchema;
}

/** Adds to the JSON Schema what zod doesn't know: known values of an open enum, deprecations, ids. */
function annotate({ zodSchema, jsonSchema }: Conversion): void {
  if ("known" in zodSchema) jsonSchema["x-known-values"] = zodSchema.known;
  if ("isDeprecated" in zodSchema) jsonSchema.deprecated = true;
  if ("idFormat" in zodSchema) jsonSchema.format = String(zodSchema.idFormat);
}

function override({ zodSchema, jsonSchema }: Conversion): void {
  annotate({ zodSchema, jsonSchema });
  const { shape = {} } = definitionOf(zodSchema);
  const hasCommonFields = Object.entries(commonFields).every(([name, field]) => shape[name] === field);
  if (!hasCommonFields || zodSchema === COMMON_FIELDS.schema) return;
  const own = Object.entries(jsonSchema.properties ?? {}).filter(([name]) => !Object.hasOwn(commonFields, name));
  jsonSchema.allOf = [{ $ref: SCHEMAS + COMMON_FIELDS.id }];
  jsonSchema.properties = Object.fromEntries(own);
}

function definitionOf(
  schema: z.core.$ZodType,
): z.core.$ZodTypeDef & { shape?: Readonly<Record<string, z.ZodMiniType>> } {
  return schema._zod.def;
}

/** OpenAPI documents have the dialect and the ids elsewhere. */
function plain({ $schema: _dialect, $id: _id, "~standard": _standard, ...schema }: Json): Json {
  return schema;
}

function json(schema: Json): Json {
  return { "application/json": { schema } };
}

function tagOf(operation: string): string {
  return operation.slice(0, operation.indexOf("."));
}

import { Validator as JsonSchema } from "@cfworker/json-schema";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { openApiDocument, operations, shapes } from "../../src/contract/index.js";

/** The parts of the document that the tests read. */
interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly securitySchemes: Readonly<Record<string, { readonly name: string }>>;
  };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly style?: string;
  readonly explode?: boolean;
  readonly deprecated?: boolean;
  readonly schema: { readonly enum?: readonly string[]; readonly format?: string };
}

interface OperationObject {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

type Content = Readonly<Record<string, { readonly schema: object }>>;

// The document is JSON, as published; the validator below checks its shape.
const document = JSON.parse(JSON.stringify(openApiDocument("1.2.3"))) as Document;

const described = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

/** The parameters of an operation, including shared ones. */
function parametersOf({ parameters = [] }: OperationObject): Parameter[] {
  return parameters.flatMap((parameter) =>
    "$ref" in parameter
      ? (document.components.parameters[parameter.$ref.replace("#/components/parameters/", "")] ?? [])
      : [parameter],
  );
}

/** Every value of a key, at any depth. */
function valuesOf(key: string, value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [...(name === key ? [inner] : []), ...valuesOf(key, inner)]);
}

test("the document is valid OpenAPI 3.1 for an independent validator", async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone({ ...document }));
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
  expect(validator.version).toBe("3.1");
});

test("the validator reports an invalid document", async () => {
  const { paths: _, ...pathless } = document;
  const faulty = { ...pathless, paths: { "/x": { get: { responses: { good: {} } } } } };
  expect((await new Validator().validate(faulty)).valid).toBe(false);
});

test("the document contains every operation once, under its method and path", () => {
  const lines = described.map(({ path, method, operation }) => `${operation.operationId} ${method} ${path}`);
  const moved = operations.filter(({ endpoint: { path } }) => document.paths[path] === undefined);
  const expected = operations.map(
    ({ endpoint: { name, method, path } }) =>
      `${name} ${method} ${document.paths[path] ? path : path.replace("v3.1", "{apiVersion}")}`,
  );
  expect(lines.toSorted()).toEqual(expected.toSorted());
  expect(moved.map(({ endpoint }) => endpoint.name).toSorted()).toEqual(["toolRouter.delete", "toolRouter.update"]);
});

test("each URL is described by one path item", () => {
  const urls = Object.keys(document.paths).flatMap((path) => {
    const versions = path.includes("{apiVersion}") ? ["v3", "v3.1"] : [""];
    return versions.map((version) => path.replace("{apiVersion}", version).replace(/\{\w+\}/g, "{}"));
  });
  expect(urls.filter((url, index) => urls.indexOf(url) !== index)).toEqual([]);
});

test("an operation of one version says so in the path item of all versions", () => {
  const versionsOf = (method: string) =>
    described
      .filter((each) => each.path === "/api/{apiVersion}/tool_router/session/{session_id}" && each.method === method)
      .flatMap(({ operation }) => parametersOf(operation).filter(({ name }) => name === "apiVersion"))
      .map(({ schema }) => schema.enum);
  expect(versionsOf("GET")).toEqual([["v3.1", "v3"]]);
  expect(versionsOf("PATCH")).toEqual([["v3.1"]]);
  expect(versionsOf("DELETE")).toEqual([["v3.1"]]);
});

test("deprecated operations, parameters and fields are marked", () => {
  const operationIds = described.flatMap(({ operation }) => (operation.deprecated ? [operation.operationId] : []));
  expect(operationIds.toSorted()).toEqual([
    "connectedAccounts.refresh",
    "files.list",
    "integrations.update",
    "mcp.deleteInstance",
  ]);
  const parameters = described.flatMap(({ operation }) =>
    parametersOf(operation).flatMap(({ name, deprecated }) => (deprecated ? [`${operation.operationId} ${name}`] : [])),
  );
  expect(parameters).toContain("authConfigs.list deprecated_app_id");
  expect(parameters).toContain("tools.list search");
  const { AuthConfig, CreatedConnectedAccount, SessionProject, ConnectionStatus } = document.components.schemas;
  expect(AuthConfig).toMatchObject({
    properties: { uuid: { deprecated: true }, restrict_to_following_tools: { deprecated: true } },
  });
  expect(SessionProject).toMatchObject({ properties: { is_new_webhook: { deprecated: true } } });
  // The field is deprecated, not the shape that it shares with others.
  expect(CreatedConnectedAccount).toMatchObject({
    properties: { status: { $ref: "#/components/schemas/ConnectionStatus", deprecated: true } },
  });
  expect(ConnectionStatus).not.toHaveProperty("deprecated");
});

test("ids have the specification's formats in records, queries and paths", () => {
  const { AuthConfig, SessionProject, ConnectedAccountDetail } = document.components.schemas;
  expect(AuthConfig).toMatchObject({ properties: { id: { format: "authConfigId" } } });
  expect(ConnectedAccountDetail).toMatchObject({ properties: { id: { format: "connectedAccountId" } } });
  expect(SessionProject).toMatchObject({
    properties: { nano_id: { format: "projectId" }, org: { properties: { id: { format: "orgId" } } } },
  });
  const formats = described.flatMap(({ operation }) =>
    parametersOf(operation).map(({ name, schema }) => `${operation.operationId} ${name} ${schema.format}`),
  );
  expect(formats).toContain("authConfigs.get nanoid authConfigId");
  expect(formats).toContain("connectedAccounts.get nanoid connectedAccountId");
  expect(formats).toContain("toolRouter.get session_id toolRouterSessionId");
});

test("every reference of the document resolves", () => {
  const references = new Set(valuesOf("$ref", document));
  const targets = Object.entries(document.components).flatMap(([kind, components]) =>
    Object.keys(components).map((name) => `#/components/${kind}/${name}`),
  );
  expect(references.size).toBeGreaterThan(150);
  expect([...references].filter((reference) => !targets.includes(String(reference)))).toEqual([]);
});

test("request and response schemas are components, not inside operations", () => {
  const contents = described.flatMap(({ operation: { operationId, requestBody, responses } }) =>
    [requestBody, ...Object.values(responses)].map((part) => ({ operationId, schema: schemaOf(part) })),
  );
  const inlined = contents.filter(({ schema }) => schema !== undefined && !("$ref" in schema));
  expect(inlined.map(({ operationId }) => operationId)).toEqual([]);
});

test("a shape with two uses is written once and referenced twice", () => {
  const known = new Set<string>();
  let repeated = 0;
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const text = JSON.stringify(part);
    const isShape = Object.keys(Object(Reflect.get(part, "properties"))).length >= 3;
    if (isShape && known.has(text)) repeated += text.length;
    else {
      if (isShape) known.add(text);
      for (const inner of Object.values(part)) visit(inner);
    }
  };
  visit(document);
  // Mostly states of connected accounts, which differ by scheme.
  expect(repeated / JSON.stringify(document).length).toBeLessThan(0.07);
});

test.each([
  { val: { status: "ACTIVE", subdomain: "acme" }, fits: true },
  { val: { status: "ACTIVE", subdomain: 5 }, fits: false },
  { val: { status: "ACTIVE", "a key of the toolkit": 5 }, fits: true },
  { val: { status: "AWAKE", subdomain: "acme" }, fits: false },
])("a connection state with $val fits the document as it fits the contract: $fits", ({ val, fits }) => {
  const { components } = document;
  const schema = new JsonSchema({ $ref: "#/components/schemas/ConnectionStateInput", components }, "2020-12");
  const state = { authScheme: "NO_AUTH", val };
  expect([schema.validate(state).valid, shapes.ConnectionStateInput.safeParse(state).success]).toEqual([fits, fits]);
});

test("a map in a query is written in brackets, everything else in one parameter", () => {
  const styles = described.flatMap(({ operation }) => parametersOf(operation).filter((each) => each.in === "query"));
  const maps = styles.filter(({ style }) => style === "deepObject");
  expect(new Set(maps.map(({ name, explode }) => `${name} ${explode}`))).toEqual(new Set(["toolkit_versions true"]));
  expect(styles.filter(({ name }) => name === "toolkit_versions")).toEqual(maps);
  expect(
    styles
      .filter((parameter) => !maps.includes(parameter))
      .every(({ style, explode }) => style === "form" && explode === false),
  ).toBe(true);
});

test("every placeholder of a path is a parameter, and there is no other", () => {
  const odd = described.filter(({ path, operation }) => {
    const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const parameters = parametersOf(operation).filter((parameter) => parameter.in === "path");
    return placeholders.join() !== parameters.map(({ name }) => name).join();
  });
  expect(odd).toEqual([]);
});

test("each operation lists its credentials, and their headers", () => {
  const headers = described.map(({ operation: { operationId, security } }) => [
    operationId,
    security.flatMap(Object.keys).map((scheme) => document.components.securitySchemes[scheme]?.name),
  ]);
  expect(Object.fromEntries(headers)).toMatchObject({
    "session.info": ["x-user-api-key", "x-org-api-key", "authToken"],
    "authConfigs.list": ["x-api-key", "x-user-api-key"],
    "projects.list": ["x-org-api-key"],
    "apiKeys.revoke": [],
  });
});

test("the document has the version it is given", () => {
  expect(document.info.version).toBe("1.2.3");
});

function schemaOf(part: { readonly content?: Content } | undefined): object | undefined {
  return part?.content?.["application/json"]?.schema;
}

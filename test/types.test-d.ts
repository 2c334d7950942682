// Only compiled, never run: every `@ts-expect-error` is a sentence about what must not compile.
import type * as z from "zod/mini";
import { checkContract, type OperationName, shapes } from "../src/contract/index.js";
import type { HandlersOf, OperationHandlers } from "../src/emulator/engine/engine.js";
import type { Emulator, FaultOperation } from "../src/emulator/index.js";
import {
  type ApiPromise,
  endpoint,
  type Middleware,
  NotFoundError,
  type PagePromise,
  RateLimitError,
  type Svc,
  type SvcOptions,
  type Tool,
  type ToolFailure,
  type ToolPage,
  type ToolResult,
  type ToolSuccess,
  typed,
} from "../src/index.js";
import { define, endpoints } from "../src/resources/endpoints.js";
import { operationsOf } from "../src/resources/operation.js";

/** True where two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles for `true` only. */
const holds = <Claim extends true>(claim?: Claim): void => void claim;
/** True without names. Otherwise, the compiler's error says what to do about them. */
type RunWrite<Name extends string> = [Name] extends [never] ? true : `${Name}: run npm run write`;

declare const svc: Svc;

export const neverRun = async (): Promise<void> => {
  // Auth configs: managed and custom are two shapes.
  await svc.authConfigs.create({ toolkit: { slug: "github" } });
  await svc.authConfigs.create({ toolkit: { slug: "github" }, auth_config: { type: "use_svc_managed_auth" } });
  await svc.authConfigs.create({
    toolkit: { slug: "github" },
    auth_config: { type: "use_custom_auth", authScheme: "OAUTH2", credentials: {} },
  });
  // @ts-expect-error a custom config says its scheme
  await svc.authConfigs.create({ toolkit: { slug: "github" }, auth_config: { type: "use_custom_auth" } });
  await svc.authConfigs.create({
    toolkit: { slug: "github" },
    // @ts-expect-error the scheme is one of the specification's
    auth_config: { type: "use_custom_auth", authScheme: "PASSWORD" },
  });
  await svc.authConfigs.create({
    toolkit: { slug: "github" },
    // @ts-expect-error the scheme's key is the wire's own camelCase
    auth_config: { type: "use_custom_auth", auth_scheme: "OAUTH2" },
  });
  // @ts-expect-error a toolkit is named
  await svc.authConfigs.create({});

  // An update says which of the two it is, and so where scopes go.
  await svc.authConfigs.update("ac_1", { type: "default", scopes: ["repo"] });
  await svc.authConfigs.update("ac_1", { type: "custom", credentials: { scopes: ["repo"] } });
  // @ts-expect-error scopes of a custom config stand in its credentials
  await svc.authConfigs.update("ac_1", { type: "custom", scopes: ["repo"] });
  // @ts-expect-error credentials of a managed config are the service's
  await svc.authConfigs.update("ac_1", { type: "default", credentials: { scopes: "repo" } });
  // @ts-expect-error the type is not left out
  await svc.authConfigs.update("ac_1", { name: "n" });

  // Wire names are not re-cased, and misspelt ones are seen.
  await svc.tools.list({ toolkit_slug: "github", limit: 10 });
  // @ts-expect-error wire names are not re-cased
  await svc.tools.list({ toolkitSlug: "github" });
  // @ts-expect-error a misspelt field
  await svc.tools.list({ toolkit_slugs: "github" });
  // @ts-expect-error wire names are not re-cased
  await svc.tools.execute("A", { userId: "u", version: "latest", arguments: {} });
  // @ts-expect-error a tool is named
  await svc.tools.execute({ version: "latest" });
  // @ts-expect-error ids in the path are positional texts
  await svc.authConfigs.get({ nanoid: "ac_1" });
  // @ts-expect-error options come after the query
  await svc.tools.get("A", { timeoutMs: 5 });
  await svc.tools.get("A", undefined, { timeoutMs: 5, signal: undefined, headers: undefined });
  // @ts-expect-error units are in the name
  await svc.tools.get("A", {}, { timeout: 5 });

  // An execution shows both of its cases.
  const run = await svc.tools.execute("A", { version: "latest", arguments: {} });
  holds<Same<typeof run, ToolResult>>();
  holds<Same<ToolResult, ToolSuccess | ToolFailure>>();
  // In both cases there is data, and what is in it is not known.
  const data: Record<string, unknown> = run.data;
  // @ts-expect-error a value in the data is unknown until it is looked at
  const url: string = data["html_url"];
  // @ts-expect-error there may be no error text before the case is known
  const early: string = run.error;
  if (!run.successful) {
    holds<Same<typeof run.error, string | null>>();
    void new Error(run.error ?? "The tool failed");
  } else {
    const none: null | undefined = run.error;
    // @ts-expect-error a success has no error text
    const some: string = run.error;
    void [none, some];
  }
  // @ts-expect-error a misspelt field of an answer
  void run.sucessful;
  void [url, early];

  // Lists are awaitable and iterable, and other calls are not.
  const tools = svc.tools.list();
  holds<Same<typeof tools, PagePromise<ToolPage, Tool>>>();
  for await (const tool of tools) holds<Same<typeof tool, Tool>>();
  for await (const page of tools.pages()) holds<Same<typeof page, ToolPage>>();
  const one = svc.tools.get("A");
  holds<Same<typeof one, ApiPromise<Tool>>>();
  // @ts-expect-error one tool is no list
  const iterable: AsyncIterable<unknown> = one;
  void iterable;

  // A response enum is open: known values are offered, others are admitted.
  const { status } = await svc.authConfigs.get("ac_1");
  const anyStatus: string = status;
  if (status === "ENABLED" || status === "PAUSED") void anyStatus;

  // Errors narrow to their fields.
  const error: unknown = undefined;
  if (error instanceof RateLimitError) void error.retryAfterMs?.toFixed();
  if (error instanceof NotFoundError) {
    if (error.condition === "tool_not_found") void error.suggestedFix;
    // @ts-expect-error conditions are a closed list
    if (error.condition === "tool_missing") void error;
    // @ts-expect-error only a 429 says what remains
    void error.rateLimit;
  }
};

// An endpoint of one's own: its parameters are read from its path.
const members = endpoint({
  name: "team.members",
  method: "GET",
  path: "/api/{apiVersion}/team/{teamId}/members/{memberId}",
  auth: ["apiKey"],
  retry: "safe",
  query: typed<{ role?: string }>(),
  response: typed<{ members: string[] }>(),
});
const rename = endpoint({
  name: "team.rename",
  method: "POST",
  path: "/api/v3/team",
  auth: ["apiKey"],
  retry: "effect",
  body: typed<{ name: string }>(),
  response: typed<{ id: string }>(),
});

export const neverCalled = async (): Promise<void> => {
  const { members: names } = await svc.call(members, { params: { teamId: "1", memberId: "2" } });
  holds<Same<typeof names, string[]>>();
  await svc.call(members, { params: { teamId: "1", memberId: "2" }, query: { role: "admin" } });
  // @ts-expect-error the wrong name of a parameter
  await svc.call(members, { params: { team: "1", memberId: "2" } });
  // @ts-expect-error a parameter is missing
  await svc.call(members, { params: { teamId: "1" } });
  // @ts-expect-error no parameters at all
  await svc.call(members, {});
  // @ts-expect-error {apiVersion} is the client's
  await svc.call(members, { params: { teamId: "1", memberId: "2", apiVersion: "v3" } });
  // @ts-expect-error a parameter is a text
  await svc.call(members, { params: { teamId: 1, memberId: "2" } });
  // @ts-expect-error a field of the query is misspelt
  await svc.call(members, { params: { teamId: "1", memberId: "2" }, query: { rolle: "admin" } });
  // @ts-expect-error this endpoint has no body
  await svc.call(members, { params: { teamId: "1", memberId: "2" }, body: {} });
  // @ts-expect-error this endpoint has a body, and the body a name
  await svc.call(rename, {});
  // @ts-expect-error the body has a name
  await svc.call(rename, { body: {} });
  // @ts-expect-error this endpoint has no parameters
  await svc.call(rename, { params: { teamId: "1" }, body: { name: "n" } });
  await svc.call(rename, { body: { name: "n" } });
};

// @ts-expect-error an endpoint states its repeat class
endpoint({ name: "a", method: "GET", path: "/a", auth: [], response: typed<object>() });
// @ts-expect-error an endpoint states its credentials
endpoint({ name: "a", method: "GET", path: "/a", retry: "safe", response: typed<object>() });
endpoint({
  name: "a",
  method: "GET",
  path: "/a",
  // @ts-expect-error a credential is a client option
  auth: ["x-api-key"],
  retry: "safe",
  response: typed<object>(),
});
endpoint({
  name: "a",
  method: "DELETE",
  path: "/a",
  auth: [],
  retry: "idempotent",
  // @ts-expect-error what a 204 means is a response
  noContent: { status: 5 },
  response: typed<{ status: string }>(),
});

// The contract is total: a schema that is missing, unexpected or of another shape doesn't compile.
const integrations = endpoints("integrations", () => ({
  update: define("PATCH /api/v1/integrations/{integrationId}", {
    body: typed<shapes.UpdateIntegrationBody>(),
    response: typed<shapes.UpdatedIntegration>(),
  }),
}))();
holds<Same<typeof integrations.update.name, "integrations.update">>();
const spec = "Legacy connector update";
const update = { status: 204, body: shapes.UpdateIntegrationBody, response: shapes.UpdatedIntegration } as const;

export const complete = operationsOf(integrations, spec, { update });
// @ts-expect-error an operation is missing
operationsOf(integrations, spec, {});
// @ts-expect-error the body's schema is missing
operationsOf(integrations, spec, { update: { response: shapes.UpdatedIntegration } });
// @ts-expect-error the response's schema is missing
operationsOf(integrations, spec, { update: { body: shapes.UpdateIntegrationBody } });
// @ts-expect-error the response has another shape
operationsOf(integrations, spec, { update: { ...update, response: shapes.ToolSlugs } });
// @ts-expect-error the endpoint has no query
operationsOf(integrations, spec, { update: { ...update, query: shapes.ToolSlugs } });
// @ts-expect-error 404 isn't a success
operationsOf(integrations, spec, { update: { ...update, status: 404 } });
// @ts-expect-error the resource has no such endpoint
operationsOf(integrations, spec, { update, replace: update });

// @ts-expect-error a route starts with a method
define("FETCH /a", { response: typed<object>() });

// An endpoint's own data are of its response, and its parameters those of its path.
define("DELETE /a/{id}", {
  auth: [],
  // @ts-expect-error what an earlier attempt returned is a response
  alreadyApplied: { statuses: [404], data: () => ({ id: 5 }) },
  response: typed<{ id: string }>(),
});
define("DELETE /a/{id}", {
  auth: [],
  // @ts-expect-error the path has no such parameter
  alreadyApplied: { statuses: [404], data: ({ name }) => ({ id: name }) },
  response: typed<{ id: string }>(),
});

// The emulator has a handler for every operation, and each answers its own shape.
export const handler = { "integrations.update": () => ({ status: "success" }) } satisfies HandlersOf<"integrations">;
// @ts-expect-error a handler is missing
export const noHandler = {} satisfies HandlersOf<"integrations">;
// @ts-expect-error a handler answers another shape
export const wrongHandler = { "integrations.update": () => ({ status: 5 }) } satisfies HandlersOf<"integrations">;
export const wrongParameter = {
  // @ts-expect-error a handler reads a parameter that the path does not have
  "integrations.update": ({ params }) => ({ status: params.id }),
} satisfies HandlersOf<"integrations">;
// @ts-expect-error all of them: one alone is not enough
export const notAll = { ...handler } satisfies OperationHandlers;

// The emulator's faults name an operation.
export const faults = ({ faults }: Emulator): void => {
  faults.next("tools.execute", { status: 503 });
  faults.every(2, "*", { status: 503 });
  // A program writes the operations into emulator/engine/fault-operation.ts: the errors name it.
  holds<RunWrite<Exclude<OperationName, FaultOperation>>>();
  holds<RunWrite<Exclude<FaultOperation, OperationName | "*">>>();
  // @ts-expect-error a misspelt operation
  faults.next("tools.exectue", { status: 503 });
  // @ts-expect-error a misspelt operation
  faults.every(2, "tool.execute", { status: 503 });
  // @ts-expect-error any string could be misspelt
  faults.next(String("tools.execute"), { status: 503 });
};

// Options.
export const options: SvcOptions = { apiKey: undefined, use: [checkContract({ onMismatch: () => undefined })] };
// @ts-expect-error a misspelt option
export const misspelt: SvcOptions = { apikey: "ak_1" };
// @ts-expect-error there are two API versions
export const oldVersion: SvcOptions = { apiVersion: "v2" };
// @ts-expect-error report, throw or a function
export const mismatch = checkContract({ onMismatch: "ignore" });
// @ts-expect-error middleware is a function
export const notMiddleware: SvcOptions = { use: ["toolLock"] };
// @ts-expect-error a middleware resolves with the result and its facts
export const noResult: SvcOptions = { use: [async () => undefined] };
export const fixed: Middleware = (call, next) => {
  // @ts-expect-error which call it is can't be changed
  call.callNumber = 5;
  // @ts-expect-error which operation it is can't be changed
  call.endpoint = updateIntegration;
  // @ts-expect-error what is sent is computed from input and versions
  call.sent = {};
  return next();
};
export const narrowed: Middleware = async (call, next) => {
  call.input = { ...call.input, query: { ...call.input.query, limit: 5 } };
  const { data, meta } = await next();
  holds<Same<typeof data, unknown>>();
  return { data, meta };
};

// An inferred schema type is the exported one.
holds<Same<z.infer<typeof shapes.UpdatedIntegration>["status"], shapes.UpdatedIntegration["status"]>>();

// Requests are only read, so lists in them may be frozen.
void svc.connectedAccounts.list({ user_ids: Object.freeze(["ada"]), statuses: ["ACTIVE"] as const });
const subscription = { webhook_url: "https://app.example/hook", enabled_events: ["svc.trigger.message"] } as const;
void svc.webhookSubscriptions.ensure(subscription);
void svc.toolRouter.create({ user_id: "ada", toolkits: { enable: ["github"] }, tags: ["readOnlyHint"] } as const);
/** A value with everything in it frozen. */
type Frozen<Value> = unknown extends Value
  ? Value
  : Value extends string | number | boolean | null | undefined
    ? Value
    : { readonly [Key in keyof Value]: Frozen<Value[Key]> };
type Requests = {
  [Name in keyof typeof shapes as Name extends "ErrorBody"
    ? never
    : Name extends `${string}${"Body" | "Query"}`
      ? Name
      : never]: z.infer<(typeof shapes)[Name]>;
};
type Rejecting = {
  [Name in keyof Requests]: Frozen<Requests[Name]> extends Requests[Name] ? never : Name;
}[keyof Requests];
// The state of a new connection has the type that responses have, in which the list of an OAuth `scope` is mutable.
holds<Same<Rejecting, "CreateConnectedAccountBody">>();
// Responses stay as they were.
holds<Same<ToolPage["items"], Tool[]>>();

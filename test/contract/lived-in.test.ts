import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { operations } from "../../src/contract/index.js";
import { createEmulator, type Emulator, type Snapshot } from "../../src/emulator/index.js";
import { type AnyEndpoint, ApiError, Svc, ValidationError } from "../../src/index.js";
import { checkDeclared } from "../support/declared-fields.js";
import { sized } from "../support/size.js";
import { arbitraryOf, fits } from "./arbitrary.js";

let emulator: Emulator;
let svc: Svc;
let lived: Snapshot;
/** Existing ids, by the names of path parameters. */
let known: Readonly<Record<string, readonly string[]>>;

/** One record of every kind. */
beforeAll(async () => {
  emulator = createEmulator();
  const options = { ...emulator.connection, sessionCookie: "cookie_emulator", env: {}, maxRetries: 0 };
  svc = new Svc({ ...options, use: [checkDeclared()] });
  const trigger = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
    connected_account_id: "ca_github_demo",
    trigger_config: { owner: "octo-org", repo: "hello-world" },
  });
  const subscription = await svc.webhookSubscriptions.create({
    webhook_url: "https://app.example/events",
    enabled_events: ["svc.trigger.message"],
  });
  const endpoint = await svc.webhookEndpoints.create({ toolkit_slug: "slack", client_id: "client-1" });
  const session = await svc.toolRouter.create({ user_id: "user-4711" });
  const server = await svc.mcp.create({ name: "Code server", auth_config_ids: ["ac_github_demo"] });
  const instance = await svc.mcp.createInstance(server.id, { user_id: "user-4711" });
  const project = await svc.projects.create({ name: "second-project" });
  const text = { user_id: "user-4711", version: "latest", arguments: { text: "abc" } };
  const run = await svc.tools.execute("TEXTKIT_REVERSE", text);
  lived = emulator.snapshot();
  known = {
    nanoid: ["ac_github_demo", "ac_weather_demo", "ca_github_demo", "ca_weather_demo", "ca_github_expired"],
    nanoId: ["ca_github_demo", "ca_github_inactive", "ca_github_expired"],
    nano_id: [endpoint.id, project.id],
    status: ["ENABLED", "DISABLED"],
    slug: ["github", "weathermap", "GITHUB_COMMIT_EVENT", "SLACK_NEW_MESSAGE"],
    tool_slug: ["GITHUB_CREATE_AN_ISSUE", "TEXTKIT_REVERSE", "WEATHERMAP_FORECAST", "DRIVE_UPLOAD_FILE"],
    triggerId: [trigger.trigger_id],
    id: [subscription.id, server.id, run.log_id ?? ""],
    session_id: [session.id],
    mount_id: ["files"],
    appKey: ["github"],
    serverId: [server.id],
    instanceId: [instance.id, "user-4711"],
    entity_type: ["tool_calls", "sessions"],
    integrationId: ["integration-demo"],
  };
});

describe("with records of every kind, any valid input gets a valid response", () => {
  test.each(operations.map((operation) => [operation.endpoint.name, operation] as const))(
    "%s",
    async (_, { endpoint, query, body }) => {
      const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)]
        .map(([, name]) => name ?? "")
        .filter((name) => name !== "apiVersion");
      const input = fc.record({
        params: fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom(...(known[name] ?? []))]))),
        query: query ? arbitraryOf(query) : fc.constant(undefined),
        body: body ? arbitraryOf(body) : fc.constant(undefined),
      });
      await fc.assert(
        fc.asyncProperty(input, async (given) => {
          fc.pre((!query || fits(query, given.query ?? {})) && (!body || fits(body, given.body)));
          emulator.restore(lived);
          // The generated input matches this endpoint, but the union of all endpoints can't express that.
          const call = svc.call(endpoint as AnyEndpoint, given as never);
          const error: unknown = await call.then(
            () => undefined,
            (reason: unknown) => reason,
          );
          const isFine =
            error === undefined ||
            // 501 is a valid response: some credentials can't be refreshed.
            (error instanceof ApiError && (error.status < 500 || error.status === 501)) ||
            // An empty list in a query and a tool without a version are rejected before sending, by rules outside the
            // shapes.
            (error instanceof ValidationError && error.mismatches.length === 0);
          expect(isFine ? undefined : error).toBeUndefined();
        }),
        { numRuns: sized(2, 10, 25), maxSkipsPerRun: 400 },
      );
    },
  );
});

import type { OperationName } from "../../src/contract/index.js";
import { BadRequestError, ConflictError, NotFoundError, ServerError } from "../../src/index.js";
import type { Case } from "./case.js";

type Name = Extract<OperationName, `authConfigs.${string}` | `connectedAccounts.${string}`>;

const missing = { as: NotFoundError, status: 404 };
const missingAccount = { ...missing, condition: "connected_account_not_found" } as const;
const bad = { as: BadRequestError, status: 400 };

export const connections: Readonly<Record<Name, Case>> = {
  "authConfigs.create": {
    published: ["POST", "v3", "/auth_configs", "PU", "effect", 201],
    happy: ({ svc }) => svc.authConfigs.create({ toolkit: { slug: "github" } }),
    error: ({ svc }) => svc.authConfigs.create({ toolkit: { slug: "no-such-toolkit" } }),
    refused: missing,
  },
  "authConfigs.list": {
    published: ["GET", "v3", "/auth_configs", "PU", "safe", 200],
    happy: ({ svc }) => svc.authConfigs.list(),
    error: ({ svc }) => svc.authConfigs.list({ cursor: "no cursor" }),
    refused: bad,
  },
  "authConfigs.get": {
    published: ["GET", "v3", "/auth_configs/{nanoid}", "PU", "safe", 200],
    happy: ({ svc }) => svc.authConfigs.get("ac_github_demo"),
    error: ({ svc }) => svc.authConfigs.get("not-an-id"),
    refused: bad,
  },
  "authConfigs.update": {
    published: ["PATCH", "v3", "/auth_configs/{nanoid}", "PU", "idempotent", 200],
    happy: ({ svc }) => svc.authConfigs.update("ac_github_demo", { type: "default", name: "Renamed" }),
    error: ({ svc }) => svc.authConfigs.update("ac_github_demo", { type: "custom", name: "Renamed" }),
    refused: bad,
  },
  "authConfigs.delete": {
    published: ["DELETE", "v3", "/auth_configs/{nanoid}", "PU", "idempotent", 200],
    happy: ({ svc }) => svc.authConfigs.delete("ac_github_demo", { revoke_on_delete: true }),
    error: async ({ svc }) => {
      await svc.authConfigs.delete("ac_github_demo");
      await svc.authConfigs.delete("ac_github_demo");
    },
    refused: missing,
  },
  "authConfigs.setStatus": {
    published: ["PATCH", "v3", "/auth_configs/{nanoid}/{status}", "P", "idempotent", 200],
    happy: ({ svc }) => svc.authConfigs.disable("ac_github_demo"),
    error: ({ svc }) => svc.authConfigs.enable("ac_unknown"),
    refused: missing,
  },

  "connectedAccounts.list": {
    published: ["GET", "both", "/connected_accounts", "PU", "safe", 200],
    happy: ({ svc }) => svc.connectedAccounts.list({ user_ids: ["user-4711"] }),
    error: ({ svc }) => svc.connectedAccounts.list({ cursor: "no cursor" }),
    refused: bad,
  },
  "connectedAccounts.create": {
    published: ["POST", "both", "/connected_accounts", "P", "effect", 201],
    happy: ({ svc }) =>
      svc.connectedAccounts.create({
        auth_config: { id: "ac_weather_demo" },
        connection: {
          user_id: "ada",
          state: { authScheme: "API_KEY", val: { status: "ACTIVE", generic_api_key: "weather-key" } },
        },
      }),
    // The former way to connect managed OAuth accounts.
    error: ({ svc }) =>
      svc.connectedAccounts.create({ auth_config: { id: "ac_github_demo" }, connection: { user_id: "ada" } }),
    refused: bad,
  },
  "connectedAccounts.link": {
    published: ["POST", "both", "/connected_accounts/link", "PU", "effect", 201],
    happy: ({ svc }) => svc.connectedAccounts.link({ auth_config_id: "ac_github_demo", user_id: "ada" }),
    error: ({ svc }) => svc.connectedAccounts.link({ auth_config_id: "ac_unknown", user_id: "ada" }),
    refused: missing,
  },
  "connectedAccounts.get": {
    published: ["GET", "both", "/connected_accounts/{nanoid}", "PU", "safe", 200],
    happy: ({ svc }) => svc.connectedAccounts.get("ca_github_demo"),
    error: ({ svc }) => svc.connectedAccounts.get("ca_unknown"),
    refused: missingAccount,
  },
  "connectedAccounts.update": {
    published: ["PATCH", "both", "/connected_accounts/{nanoid}", "P", "idempotent", 200],
    happy: ({ svc }) => svc.connectedAccounts.update("ca_github_demo", { alias: "work" }),
    error: ({ svc }) =>
      svc.connectedAccounts.update("ca_github_demo", {
        connection: { state: { authScheme: "API_KEY", val: { generic_api_key: "k" } } },
      }),
    refused: bad,
  },
  "connectedAccounts.setStatus": {
    published: ["PATCH", "both", "/connected_accounts/{nanoId}/status", "P", "idempotent", 200],
    happy: ({ svc }) => svc.connectedAccounts.disable("ca_github_demo"),
    error: ({ svc }) => svc.connectedAccounts.enable("ca_unknown"),
    refused: missingAccount,
  },
  "connectedAccounts.refresh": {
    published: ["POST", "both", "/connected_accounts/{nanoid}/refresh", "P", "effect", 200],
    happy: ({ svc }) => svc.connectedAccounts.refresh("ca_github_demo"),
    error: ({ svc }) => svc.connectedAccounts.refresh("ca_weather_demo"),
    refused: { as: ServerError, status: 501 },
  },
  "connectedAccounts.revoke": {
    published: ["POST", "v3.1", "/connected_accounts/{nanoid}/revoke", "P", "idempotent", 200],
    happy: ({ svc }) => svc.connectedAccounts.revoke("ca_github_demo"),
    error: ({ svc }) => svc.connectedAccounts.revoke("ca_github_expired"),
    refused: { as: ConflictError, status: 409 },
  },
  "connectedAccounts.delete": {
    published: ["DELETE", "both", "/connected_accounts/{nanoid}", "PU", "idempotent", 200],
    happy: ({ svc }) => svc.connectedAccounts.delete("ca_github_demo"),
    error: async ({ svc }) => {
      await svc.connectedAccounts.delete("ca_github_demo");
      await svc.connectedAccounts.delete("ca_github_demo");
    },
    refused: missingAccount,
  },
  "connectedAccounts.completeAuth": {
    published: ["POST", "v3.1", "/connected_accounts/complete_auth", "P", "effect", 200],
    happy: async ({ svc, emulator }) => {
      const { redirect_url } = await svc.connectedAccounts.link({ auth_config_id: "ac_github_demo", user_id: "ada" });
      // The project verifies callbacks: the page sends the browser to the verifier, with a session to finish.
      const page = await emulator.fetch(`${redirect_url}/complete`, { method: "POST" });
      const session_uri = new URL(page.headers.get("location") ?? "").searchParams.get("session_uri") ?? "";
      return svc.connectedAccounts.completeAuth({ session_uri, user_id: "ada" });
    },
    error: ({ svc }) => svc.connectedAccounts.completeAuth({ session_uri: "session_unknown", user_id: "ada" }),
    refused: bad,
  },
};

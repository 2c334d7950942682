import type { EmulatorSeed } from "../../../src/emulator/index.js";
import { ApiError } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import type { Front } from "../fronts.js";

/** Auth configs of every kind of connection, and one account per user in the tests. */
export const seed: EmulatorSeed = {
  keys: [
    { kind: "apiKey", value: "ak_emulator" },
    { kind: "userApiKey", value: "uak_emulator" },
    { kind: "apiKey", value: "ak_leaked" },
  ],
  authConfigs: [
    { id: "ac_github", toolkit: "github" },
    { id: "ac_github_own", toolkit: "github", type: "custom", credentials: { client_id: "c", scopes: ["repo"] } },
    { id: "ac_slack", toolkit: "slack" },
    { id: "ac_slack_token", toolkit: "slack", type: "custom", scheme: "BEARER_TOKEN" },
    { id: "ac_weather", toolkit: "weathermap", type: "custom" },
    { id: "ac_off", toolkit: "github", status: "DISABLED" },
  ],
  connectedAccounts: [
    { id: "ca_github", userId: "ada", authConfigId: "ac_github" },
    { id: "ca_slack", userId: "ada", authConfigId: "ac_slack" },
    { id: "ca_weather", userId: "ada", authConfigId: "ac_weather" },
    { id: "ca_dead", userId: "eve", authConfigId: "ac_github", status: "EXPIRED" },
    { id: "ca_gone", userId: "eve", authConfigId: "ac_weather", status: "REVOKED" },
    { id: "ca_failed", userId: "eve", authConfigId: "ac_slack", status: "FAILED" },
  ],
};

/** Creates a link for Ada's GitHub account by default. */
export function link({ svc }: Front, body: Partial<Parameters<typeof svc.connectedAccounts.link>[0]> = {}) {
  return svc.connectedAccounts.link({ auth_config_id: "ac_github", user_id: "ada", ...body });
}

/** Opens a URL of the emulator as a browser would, without following redirects. */
export async function visit({ emulator, baseUrl }: Front, url: string, init: RequestInit = {}) {
  // In process, nothing listens on a port, so call the emulator directly.
  const send = baseUrl.includes("localhost") ? emulator.fetch : fetch;
  const response = await send(url, { redirect: "manual", ...init });
  return { status: response.status, location: response.headers.get("location"), text: await response.text() };
}

/** Posts a form of a page. */
export function post(front: Front, url: string, form: Readonly<Record<string, string>> = {}) {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return visit(front, url, { method: "POST", headers, body: new URLSearchParams(form).toString() });
}

/** The error object of a rejected call. */
export async function refusal(call: PromiseLike<unknown>) {
  const { body } = await rejectionOf(ApiError, call);
  // The emulator returns every error as the service's error object.
  return (body as { error: { status: number; code: number; slug: string; message: string; errors?: string[] } }).error;
}

/** Types of the events so far. */
export function eventTypes({ emulator }: Front): string[] {
  return emulator.events.map(({ type }) => type);
}

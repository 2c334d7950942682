import { describe, expect, test } from "vitest";
import { tool, toolset } from "../../src/agents/index.js";
import { createEmulator } from "../../src/emulator/index.js";
import { Svc } from "../../src/index.js";

const NAMES = [
  ...["password", "pwd", "passwd", "passcode", "passphrase", "db_pass", "pin", "otp"],
  ...["secret", "client_secret", "clientSecret", "credential", "credentials_json", "basic_encoded"],
  ...["api_key", "apiKey", "x-api-key", "access_key", "signing_key", "private-key", "dev_key", "devKey"],
  ...[
    "token",
    "access_token",
    "refreshToken",
    "id-token",
    "x-auth-token",
    "bearer",
    "jwt",
    "verifier",
    "code_verifier",
  ],
  ...["authorization", "x-auth", "cookie", "signature", "X-Amz-Signature", "sig"],
];

/** Names that only look like those of secrets. */
const HARMLESS = [
  ...["page_token", "nextPageToken", "token_type", "max_tokens", "issue_key", "s3key", "idempotency_key"],
  ...["author", "keyboard", "monkey", "design", "compass", "spin", "client_secret_expires_at"],
];

const value = (name: string) => `canary-${name}-value`;
const valuesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, value(name)]));
const shownOf = (names: readonly string[], text: string) => names.filter((name) => text.includes(value(name)));

/** What each reader of secrets' names shows of values with these names. */
const READERS: readonly (readonly [string, (names: readonly string[]) => Promise<string>])[] = [
  [
    "the messages of a client's errors",
    async (names) => {
      // The client sets these two itself.
      const headers = valuesOf(names.filter((name) => !/^(x-api-key|cookie)$/.test(name)));
      const message = Object.values(headers).join(" ");
      const fetch = async () => Response.json({ error: { message } }, { status: 400 });
      const svc = new Svc({ apiKey: "ak_unrelated", baseUrl: "https://svc.test", headers, fetch, env: {} });
      return svc.toolkits.list().then(() => "", String);
    },
  ],
  [
    "a dry run",
    async (names) => {
      const anything = { name: "log_in", description: "", parameters: { type: "object" }, execute: () => "ran" };
      const tools = await toolset(new Svc(createEmulator().connection), { userId: "ada", tools: [tool(anything)] });
      const args = { nested: [valuesOf(names)], headers: names.map((name) => ({ name, value: value(name) })) };
      const call = { callId: "1", name: "log_in", arguments: args };
      return JSON.stringify(await tools.run([call], { dryRun: true }));
    },
  ],
  ...logged("bodies", (names) => ["/", { body: JSON.stringify({ nested: [valuesOf(names)] }) }]),
  ...logged("bodies that aren't JSON", (names) => ["/", { body: `${JSON.stringify(valuesOf(names))},` }]),
  ...logged("headers", (names) => ["/", { headers: valuesOf(names) }]),
  ...logged("URLs", (names) => [`/x?${new URLSearchParams(valuesOf(names))}`, {}]),
  ...logged("URLs in bodies", (names) => [
    "/",
    { body: JSON.stringify({ url: `https://a.example/?${new URLSearchParams(valuesOf(names))}` }) },
  ]),
  ...logged("fragments of URLs in headers", (names) => [
    "/",
    { headers: { referer: `https://a.example/#${new URLSearchParams(valuesOf(names))}` } },
  ]),
  [
    "an account's state",
    async (names) => {
      const svc = new Svc(createEmulator().connection);
      const { id } = await svc.connectedAccounts.create({
        auth_config: { id: "ac_weather_demo" },
        connection: {
          user_id: "ada",
          // Other fields are kept, as those of a toolkit's own instance settings.
          state: { authScheme: "API_KEY", val: { status: "ACTIVE", generic_api_key: "k", ...valuesOf(names) } },
        },
      });
      return JSON.stringify(await svc.connectedAccounts.get(id));
    },
  ],
];

type Sent = readonly [path: string, init: RequestInit];

/** The reader of an emulator's request log. */
function logged(part: string, sent: (names: readonly string[]) => Sent): typeof READERS {
  const read = async (names: readonly string[]) => {
    const emulator = createEmulator();
    const [path, init] = sent(names);
    await emulator.fetch(`http://emulator.localhost${path}`, { method: init.body ? "POST" : "GET", ...init });
    return JSON.stringify(emulator.requests);
  };
  return [[`the emulator's log of ${part}`, read]];
}

describe.each(READERS)("%s", (_reader, read) => {
  test("hide every value with the name of a secret", async () => {
    expect(shownOf(NAMES, await read(NAMES))).toEqual([]);
  });

  test("show values whose names only look like secrets", async () => {
    expect(shownOf(HARMLESS, await read(HARMLESS))).toEqual(HARMLESS);
  });
});

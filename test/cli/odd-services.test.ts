import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.js";
import { sampled } from "../support/size.js";
import { svc } from "./run.js";
import { directoryWith, httpServer } from "./setups.js";

/** Responses that no service sends, or only another server. */
const ODD: readonly unknown[] = [
  ...[7, [], [null], {}, { items: null }, { items: {} }],
  ...[{ items: [null] }, { items: [{}] }, { items: [7], next_cursor: 7 }, { data: null }],
  { items: [{ id: 7, slug: 7, webhook_url: 7, version: 7, toolkit: null, attempts: null, meta: null }] },
  { slug: "github", name: "GitHub", meta: { version: "20260101_00" } },
  { slug: "github", name: "GitHub", meta: { version: 7, available_versions: 7 }, items: [{ slug: null }] },
];

const LINES = [
  "doctor",
  "doctor --json",
  "lock --toolkits github",
  "lock --check",
  "lock --diff",
  "lock --accept GITHUB_GET_A_REPOSITORY",
  "generate --toolkits github --out a.ts",
  "generate --toolkits github --api-version v3 --out a.ts",
  "call tools.list",
  "call tools.get X",
  "call connectedAccounts.get ca_1",
  "deliveries",
  "deliveries --json",
  "deliveries --follow",
  "resend wd_1",
  "trigger GITHUB_COMMIT_EVENT",
  "trigger ti_1",
  "listen --forward-to http://localhost:1/webhooks",
];

/** Of the other commands that read responses, the examples of their help. */
const others = Object.entries(COMMANDS).map(async ([name, [, , load]]) => {
  const { usage, environment = [] } = (await load()).command;
  const isListed = LINES.some((line) => line.split(" ")[0] === name);
  if (isListed || !environment.some(([variable]) => variable === "SVC_BASE_URL")) return [];
  return usage.flatMap(([words]) => (/[[<]/.test(words) ? [] : [`${name} ${words}`.trim()]));
});
const OTHERS = (await Promise.all(others)).flat();

const LOCK = {
  formatVersion: 1,
  toolkits: { github: { version: "20260101_00" } },
  tools: {
    GITHUB_GET_A_REPOSITORY: {
      ...{ toolkit: "github", version: "20260101_00", hash: `sha256-${"a".repeat(43)}=` },
      ...{ textHash: `sha256-${"a".repeat(43)}=`, text: {} },
    },
  },
};

/** Every kind of key that a command may need. */
const KEYS = { SVC_API_KEY: "ak_1", SVC_USER_API_KEY: "uak_1", SVC_ORG_API_KEY: "oak_1" };

/** Words of a failure of our own: nothing that a user can act on. */
const CRASH = /Cannot (read|convert|destructure)|undefined|is not (a function|iterable|an? )|\[object|NaN|\n {4}at /;

describe("a command says that the responses aren't those of the service", () => {
  test.each([...sampled(LINES, 3), ...OTHERS])("svc-sdk %s", async (line) => {
    const cwd = directoryWith({ "svc.lock.json": JSON.stringify(LOCK) });
    const responses = [...ODD.map((body) => ({ status: 200, body })), { status: 404, body: {} }];
    // Together, because some wait before they ask again.
    const all = responses.map(async ({ status, body }) => {
      let requests = 0;
      const url = await httpServer((_request, response) => {
        requests += 1;
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      });
      const ended = await svc(line, { cwd, env: { SVC_BASE_URL: url, ...KEYS } });
      return { status, body, requests, ...ended };
    });
    for (const seen of await Promise.all(all)) {
      expect(seen, "a command that asks nothing proves nothing").not.toMatchObject({ requests: 0 });
      const plain = expect.not.stringMatching(CRASH);
      // `call` prints each response as it is.
      const expected = line.startsWith("call") ? { stderr: plain } : { stdout: plain, stderr: plain };
      expect(seen).toMatchObject(expected);
      if (!line.startsWith("call") && seen.status === 200) expect(seen).not.toMatchObject({ code: 0 });
    }
  });
});

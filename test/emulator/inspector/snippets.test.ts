import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { type OperationName, operations } from "../../../src/contract/index.js";
import type { RequestRecord } from "../../../src/emulator/index.js";
import { canReplay, codeOf, curlOf } from "../../../src/emulator/inspector/snippets.js";
import { Svc } from "../../../src/index.js";
import { connections } from "../../contract/calls-connections.js";
import { events } from "../../contract/calls-events.js";
import { projects } from "../../contract/calls-projects.js";
import { sessions } from "../../contract/calls-sessions.js";
import { tools } from "../../contract/calls-tools.js";
import { type Case, caseContext } from "../../contract/case.js";

const cases: Readonly<Record<OperationName, Case>> = { ...connections, ...tools, ...events, ...sessions, ...projects };
const known = operations.map(({ endpoint: { name, method, path } }) => ({ name, method, path }));
const parts = ({ method, path, body }: RequestRecord) => ({ method, path, body: body === "" ? "" : JSON.parse(body) });

/** bash writes such characters in the encoding of its locale. */
const SHELL = { encoding: "utf8", env: { LC_ALL: "C.UTF-8" } } as const;

/** The operations without "Copy as code", because their methods are those of a session or server. */
const WITHOUT_CODE = /^toolRouter\.(?!create$)/;

describe("copy as code", () => {
  test.each(Object.entries(cases))("sends the same request again: %s", async (name, { happy }) => {
    const { emulator, svc } = caseContext();
    await happy({ emulator, svc, stranger: svc, reader: svc, unchecked: svc });
    const record = emulator.requests.findLast(({ operation }) => operation === name) ?? expect.fail("no request");
    const code = codeOf(record, known);
    if (code === undefined) {
      expect(name).toMatch(WITHOUT_CODE);
      return;
    }
    const client = new Svc({ ...emulator.connection, env: {}, maxRetries: 0 });
    const before = emulator.requests.length;
    // Whether it succeeds a second time depends on the operation; that it's sent doesn't.
    await run(code, client).catch(() => undefined);
    expect(emulator.requests.length).toBeGreaterThan(before);
    expect(parts(emulator.requests.at(-1) ?? expect.fail("nothing sent"))).toEqual(parts(record));
  });

  test("is enable or disable for a status", async () => {
    const { emulator, svc } = caseContext();
    await svc.connectedAccounts.disable("ca_github_demo");
    await svc.connectedAccounts.enable("ca_github_demo");
    await svc.authConfigs.disable("ac_github_demo");
    expect(emulator.requests.map((record) => codeOf(record, known))).toEqual([
      'await svc.connectedAccounts.disable("ca_github_demo");',
      'await svc.connectedAccounts.enable("ca_github_demo");',
      'await svc.authConfigs.disable("ac_github_demo");',
    ]);
    await emulator.fetch("http://emulator.localhost/api/v3/connected_accounts/ca_x/status", {
      method: "PATCH",
      body: "{}",
    });
    expect(codeOf(emulator.requests.at(-1) ?? expect.fail("no request"), known)).toBeUndefined();
  });
});

test("a path that isn't valid percent-encoding can be copied as curl only", async () => {
  const { emulator } = caseContext();
  await emulator.fetch("http://emulator.localhost/api/v3/toolkits/%E0%A4%A", {
    headers: { "x-api-key": "ak_emulator" },
  });
  const record = emulator.requests[0] ?? expect.fail("no request");
  expect(record.operation).toBe("toolkits.get");
  expect(codeOf(record, known)).toBeUndefined();
});

describe("copy as curl", () => {
  test("escapes control characters, which a terminal would act on", async () => {
    const { emulator } = caseContext();
    const body = "it's\n\u001b[201~\rrm -rf \\ \u009b";
    await emulator.fetch("http://emulator.localhost/x", { method: "POST", body });
    const curl = curlOf(emulator.requests[0] ?? expect.fail("no request"), "http://127.0.0.1:4747");
    expect(curl).not.toMatch(/[^\P{Cc}\n]/u);
    expect(execFileSync("bash", ["--norc", "-c", `curl() { printf %s "\${@: -1}"; }\n${curl}`], SHELL)).toBe(body);
  });

  test("quotes for a shell, and has variables in place of credentials", async () => {
    const { emulator } = caseContext();
    await emulator.fetch("http://emulator.localhost/x?q='", {
      method: "POST",
      headers: { "x-api-key": "ak_emulator", "content-type": "application/json" },
      body: `{"title":"it's"}`,
    });
    const record = emulator.requests[0] ?? expect.fail("no request");
    expect(curlOf(record, "http://127.0.0.1:4747").split(" \\\n  ")).toEqual([
      "curl -g -X POST 'http://127.0.0.1:4747/x?q=%27'",
      "-H 'content-type: application/json'",
      '-H "x-api-key: $SVC_API_KEY"',
      `--data-raw '{"title":"it'\\''s"}'`,
    ]);
  });
});

/** Runs a line of code with a client. */
async function run(code: string, svc: Svc): Promise<unknown> {
  return new Function("svc", `return (async () => { ${code} })();`)(svc);
}

describe("a request of the log", () => {
  const EXECUTE = "TEXTKIT_REVERSE";
  const execution = (text: string) => ({ user_id: "ada", version: "latest", arguments: { text } });

  test("can be replayed with the body that was sent", async () => {
    const { emulator, svc } = caseContext();
    await svc.toolkits.list();
    await svc.tools.execute(EXECUTE, execution('grüß dich, "and so on..."'));
    expect(emulator.requests.map(canReplay)).toEqual([true, true]);
  });

  test.each(["secret", "12345678", "a-longer-secret"])("can't be replayed without its secret %j", async (key) => {
    const { emulator, svc } = caseContext();
    await svc.connectedAccounts.create({
      auth_config: { id: "ac_weather_demo" },
      connection: { user_id: "ada", state: { authScheme: "API_KEY", val: { status: "ACTIVE", generic_api_key: key } } },
    });
    expect(emulator.requests.map(canReplay)).toEqual([false]);
  });

  test("can't be replayed if its body was cut or forgotten, or is of no operation", async () => {
    const { emulator, svc } = caseContext();
    await svc.tools.execute(EXECUTE, execution("a".repeat(20_000)));
    await emulator.fetch("http://emulator.localhost/nowhere");
    await svc.tools.execute(EXECUTE, execution("short"));
    const [cut, elsewhere, short] = emulator.requests;
    const forgotten = { ...(short ?? expect.fail("no request")), body: "" };
    expect([cut, elsewhere, short, forgotten].map((record) => record && canReplay(record))).toEqual([
      ...[false, false, true, false],
    ]);
  });
});

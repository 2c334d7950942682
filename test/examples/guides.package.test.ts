import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as agents from "../../src/agents/index.js";
import * as client from "../../src/index.js";
import { type CallOutcome, type ErrorCondition, SvcError } from "../../src/index.js";
import type { WebhookRejectionReason } from "../../src/webhooks/index.js";
import * as webhooks from "../../src/webhooks/index.js";
import { svc } from "../cli/run.js";
import { emulatorWithEnvironment } from "./example-process.js";

const names = readdirSync("docs/guide", { encoding: "utf8" }).filter((name) => name.endsWith(".md"));
const guides = names.map((name) => ({ name, text: readFileSync(`docs/guide/${name}`, "utf8") }));
const textOf = (name: string) => guides.find((guide) => guide.name === name)?.text ?? "";

describe("the page of errors", () => {
  /** The names that its tables explain: a row has what happened and what to do. */
  const explained = [...textOf("errors.md").matchAll(/^\| `(\w+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, name]) => name);

  // The compiler keeps these lists complete.
  const conditions = Object.keys({
    invalid_api_key: 1,
    no_authentication: 1,
    invalid_organization_key: 1,
    several_credentials: 1,
    insufficient_permissions: 1,
    tool_not_found: 1,
    no_connected_account: 1,
    session_only_tool: 1,
    connected_account_not_found: 1,
    auth_refresh_required: 1,
    connected_account_not_active: 1,
    trigger_not_found: 1,
    trigger_instance_deleted: 1,
  } satisfies Record<ErrorCondition, 1>);
  const refusals = Object.keys({
    method_not_allowed: 1,
    unsupported_media_type: 1,
    missing_header: 1,
    duplicate_header: 1,
    bad_timestamp: 1,
    too_old: 1,
    too_new: 1,
    no_match: 1,
    body_too_large: 1,
    body_too_slow: 1,
    body_already_parsed: 1,
    ambiguous_id: 1,
  } satisfies Record<WebhookRejectionReason, 1>);
  const classes = Object.entries({ ...client, ...webhooks, ...agents })
    .filter(([, value]) => Object.prototype.isPrototypeOf.call(SvcError, value))
    .map(([name]) => name);

  test("explains every class, condition and rejection reason once, and no other", () => {
    expect(classes.length).toBeGreaterThan(15);
    expect([...explained].sort()).toEqual([...classes, ...conditions, ...refusals].sort());
  });

  test("the page of retries explains every outcome", () => {
    const outcomes = Object.keys({ not_sent: 1, rejected: 1, unknown: 1 } satisfies Record<CallOutcome, 1>);
    for (const outcome of outcomes) expect(textOf("retries.md")).toMatch(new RegExp(`^\\| \`${outcome}\` \\|`, "m"));
  });
});

describe("a command that a page shows", () => {
  const others = ["README.md", "CHANGELOG.md", "docs/contributing.md", "examples/README.md"];
  const texts = [...guides.map(({ text }) => text), ...others.map((page) => readFileSync(page, "utf8"))];
  const lines = texts.flatMap((text) =>
    [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, code = ""]) =>
      // What a command prints is shown as comments.
      code.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#")),
    ),
  );
  const parts = lines.flatMap((line) => line.split(" && "));
  const startingWith = (...words: readonly string[]) =>
    parts.filter((part) => words.some((word) => part.startsWith(`${word} `) || part === word));

  test("starts with one of a few programs", () => {
    const known = startingWith(
      "mkdir",
      "cd",
      "npm",
      "npx svc-sdk",
      "npx vitest run",
      "node",
      "curl",
      "SVC_LOG=debug node",
      // In the script of a CI, where the emulator must be a child of the script.
      "node_modules/.bin/svc-sdk",
      "SVC_BASE_URL=http://127.0.0.1:4747 SVC_API_KEY=ak_emulator npm",
    );
    expect(parts.filter((part) => !known.includes(part))).toEqual([]);
  });

  test("of svc-sdk exists, with its options", { timeout: 60_000 }, async () => {
    const commands = startingWith("npx svc-sdk").map((part) => part.split(" ").slice(2));
    expect(commands.length).toBeGreaterThan(5);
    const help = new Map<string, string>();
    for (const [command = "", ...options] of commands) {
      // The options of svc-sdk call are those of the operation.
      const name = command === "call" ? `call ${options[0]}` : command;
      const known = help.get(name) ?? (await svc([...name.split(" "), "--help"])).stdout;
      help.set(name, known);
      for (const option of options.filter((word) => word.startsWith("--"))) expect(known).toContain(option);
    }
  });

  test("of npm and node refers to existing scripts and files", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    for (const [, script = ""] of parts.map((part) => /^npm run (\S+)/.exec(part) ?? [])) {
      if (script !== "") expect(Object.keys(scripts)).toContain(script);
    }
    const saved = guides.flatMap(({ text }) =>
      [...text.matchAll(/[Ss]ave (?:this|both|the next)[^`.]* as `(.+?)`/g)].map(([, name]) => name),
    );
    for (const file of startingWith("node", "SVC_LOG=debug node").map((part) => /node (\S+)/.exec(part)?.[1] ?? "")) {
      expect(saved.includes(file) || existsSync(file), file).toBe(true);
    }
    for (const part of startingWith("npx vitest run")) expect(existsSync(part.split(" ")[3] ?? ""), part).toBe(true);
  });

  test("of the emulator's control plane works as described", async (context) => {
    const { emulator } = await emulatorWithEnvironment(context);
    const svc = new client.Svc({ ...emulator.connection, env: {} });
    const { trigger_id } = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
      user_id: "user-4711",
      trigger_config: { owner: "octo-org", repo: "hello-world" },
    });
    const pattern =
      /^curl (?:--silent --retry 20 --retry-delay 1 --retry-connrefused )?(?:-N )?(?:-X (\w+) )?http:\/\/127\.0\.0\.1:4747(\S+)(?: -d (?:'(.*)'|@(\S+)))?(?: -H "accept: (.*)")?(?: > (\S+))?$/;
    const calls = startingWith("curl").map((part) => pattern.exec(part) ?? [part]);
    expect(calls.length).toBeGreaterThan(4);
    const saved = new Map<string, string>();
    for (const [line, method = "GET", path = "", data = null, file = "", accept = "*/*", output = ""] of calls) {
      const address = emulator.url + path.replace("ti_XXXXXXXXXXXX", trigger_id);
      const response = await fetch(address, { method, body: saved.get(file) ?? data, headers: { accept } });
      expect(response.status, line).toBe(200);
      if (output) saved.set(output, await response.text());
      else await response.body?.cancel();
    }
  });
});

import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../src/emulator/node.js";
import { Svc } from "../../src/index.js";
import { EXPECTED_FAILURES } from "./mcp-expected-failures.js";
import { conformanceToolkits } from "./mcp-fixtures.js";
import { renamingProxy } from "./renaming-proxy.js";

const suite = resolve("test/programs/agreement/node_modules/@modelcontextprotocol/conformance/dist/index.js");
const isInstalled = existsSync(suite);
const needs = isInstalled ? "" : " [skipped: needs npm run agreement]";

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

interface Result extends Check {
  readonly scenario: string;
}

/** The URL of a session that exposes the fixture tools to anyone, under the names that the suite gives them. */
async function fixtureUrl(): Promise<string> {
  const emulator = await startEmulator({ toolkits: conformanceToolkits });
  onTestFinished(() => emulator.close());
  const svc = new Svc(emulator.connection);
  await svc.projects.updateConfig({ require_mcp_api_key: false });
  const tools = conformanceToolkits.flatMap((toolkit) => toolkit.tools.map(({ slug }) => slug));
  const session = await svc.toolRouter.create({ user_id: "ada", preload: { tools } });
  const names = new RegExp(tools.join("|"), "gi");
  const origin = await renamingProxy({
    target: emulator.url,
    sent: (text) => text.replace(names, (name) => name.toUpperCase()),
    received: (text) => text.replace(names, (name) => name.toLowerCase()),
  });
  return origin + new URL(session.mcp.url).pathname;
}

/** Runs the suite for a revision. */
async function resultsOf(revision: string) {
  const folder = mkdtempSync(join(tmpdir(), "mcp-conformance-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const args = ["server", "--url", await fixtureUrl(), "--requirements", revision, "--output-dir", folder];
  // It exits with 1 if any check fails.
  await promisify(execFile)(process.execPath, [suite, ...args], { maxBuffer: 1e8 }).catch(() => undefined);
  return readdirSync(folder).flatMap((name) => {
    const scenario = name.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, "");
    const checks: readonly Check[] = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8"));
    return checks.map((check) => ({ ...check, scenario }));
  });
}

describe.skipIf(!isInstalled)(`the MCP conformance suite${needs}`, () => {
  test.each([
    ["2026-07-28", 120],
    ["2025-11-25", 40],
  ] as const)("finds only the expected failures in revision %s", async (revision, atLeast) => {
    const results = await resultsOf(revision);
    const expected = Object.keys(EXPECTED_FAILURES[revision]);
    const failed = results.filter(({ status }) => status === "FAILURE");
    const isExpected = ({ scenario, id }: Result) =>
      expected.some((key) => key === scenario || key === `${scenario}:${id}`);
    expect(failed.filter((result) => !isExpected(result))).toEqual([]);
    const stale = expected.filter(
      (key) => !failed.some(({ scenario, id }) => key === scenario || key === `${scenario}:${id}`),
    );
    expect(stale).toEqual([]);
    expect(results.filter(({ status }) => status === "SUCCESS").length).toBeGreaterThanOrEqual(atLeast);
  });
});

test.each(["caching", "http-header-validation", "http-custom-header", "json-schema-2020-12", "dns-rebinding"])(
  "no failure of the MCP conformance suite is expected in %s",
  (scenario) => {
    const names = Object.values(EXPECTED_FAILURES).flatMap((failures) => Object.keys(failures));
    expect(names.filter((name) => name.startsWith(scenario))).toEqual([]);
  },
);

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sized } from "../support/size.js";
import { emulatorWithEnvironment, outputOf, start } from "./example-process.js";

const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const ISSUE = "Opened https://github.example.com/octo-org/hello-world/issues/1";

/** Output of each example with a fresh emulator. */
const STORIES: Readonly<Record<string, readonly unknown[]>> = {
  "first-call": [
    "GITHUB_CREATE_AN_ISSUE 00000000_00, 20250905_00, 20251023_00",
    like(/^GITHUB_GET_AN_ISSUE /),
    like(/^GITHUB_LIST_REPOSITORY_ISSUES /),
    "GITHUB_STAR_A_REPOSITORY 20251023_00",
    like(/^GITHUB_GET_A_REPOSITORY_ARCHIVE /),
    ISSUE,
    "tool_not_found: Tool slugs are case-sensitive: did you mean GITHUB_CREATE_AN_ISSUE?",
  ],
  keys: [
    like(/^\d+ toolkits$/),
    "Developer in emulator",
    like(/^projects\.list needs a credential\. .*SVC_ORG_API_KEY/),
    like(/^new Svc\(\): (?!.*ak_).*apiKey .*Remove \/api\/v3.*https/),
  ],
  "execute-tool": [
    like(/^WEATHERMAP_WEATHER: /),
    like(/^WEATHERMAP_FORECAST: /),
    "WEATHERMAP_FORECAST 20250801_00 takes city,days",
    like(/^Berlin: \[\{"celsius":\d+,"sky":"\w+"\},/),
    "The weather service said: city not found",
    'Arguments: {"city":"Oslo","days":1}',
  ],
  "tool-versions": ["GITHUB_CREATE_AN_ISSUE needs a version", "pinned: 20250905_00", "asked for: 00000000_00"],
  "locked-tools": ["starred: true", "TEXTKIT_REVERSE is not locked"],
  "typed-tools": ["#1 is open: https://github.example.com/octo-org/hello-world/issues/1", "sent: true"],
  "validate-arguments": ["days: expected at most 7, received more"],
  "logs-and-usage": ["failed: city not found", like(/^log_[\w-]+ city not found$/), "WEATHERMAP_FORECAST: 1 calls"],
  "own-store": [
    "passed: starts a call once for many simultaneous callers",
    "passed: remembers a start, then its result",
    "passed: keeps calls with similar ids apart, and a long result whole",
    "passed: forgets a call that didn't run, and changes no other start of the call",
    "passed: keeps the result of a second start from a late end of the first",
    "passed: keeps the record of a new start from many simultaneous ends of an earlier one",
    "passed: keeps no result of a call without a start",
    "passed: keeps ten thousand calls apart",
  ],
  "emulator-state": ["{ number: 7 }", "Issues are disabled", "[ 'It broke', 'It broke again' ]", "ACTIVE"],
  "emulator-folder": ["Slack is gone"],
  "emulate-catalog": [
    "{ id: 't_3', state: 'open', opened_by: 'sample.1201@example.com' } true",
    "Invalid request data provided: following fields are missing: title",
    "{ id: 't_1', state: 'closed' }",
    like(/^svc\.trigger\.message \{ id: 'sample_/),
  ],
  "start-emulator": [like(/^\d+ toolkits at http:\/\/127\.0\.0\.1:\d+$/)],
  "watch-emulator": ["tools.execute { text: 'abc' }", ...Array(3).fill("svc.connected_account.expired: 200 thanks")],
  "proxy-request": [like(/^200 \{ celsius: \d+, sky: '\w+' \}$/)],
  "upload-file": ["Stored letter.txt as file-1, 13 bytes", "Got text/plain: Dear Ada, …"],
  "connect-account": [
    like(/^Send the browser to http:\/\/.+\/link\/lk_[\w-]+$/),
    like(/^The browser comes back to .+\?status=success&connected_account_id=ca_[\w-]+$/),
    like(/^ca_[\w-]+ is ACTIVE$/),
    ISSUE,
  ],
  "own-oauth-client": ["OAUTH2, managed: false"],
  "connect-with-key": [
    "API_KEY takes generic_api_key",
    like(/^ca_[\w-]+ is ACTIVE$/),
    like(/^ca_[\w-]+ weathermap ACTIVE$/),
    like(/^\d+ accounts, each once$/),
  ],
  "reconnect-account": [like(/^Ask the user to open http:\/\/.+\/link\/lk_[\w-]+$/), "starred: true"],
  subscribe: [
    like(/^export SVC_WEBHOOK_SECRET=whsec_\w+$/),
    "Events go to https://app.example/webhooks, as V3",
    ...Array(4).fill(like(/^svc\.\w+\.\w+: /)),
  ],
  "create-trigger": ["Commit event needs owner and repo", like(/^ti_[\w-]+ listens$/), like(/^ti_[\w-]+ is disabled$/)],
  "verify-webhook": [
    "GITHUB_COMMIT_EVENT for user-4711: Fix the build",
    "ca_5TgBn9YhUj2M has to be reconnected",
    "unknown event: svc.of.tomorrow",
    "rejected: no_match",
  ],
  "find-user": ["V1 user-4711"],
  "rotate-secret": ["the new secret was lost", "signed with secret 0", "200", "signed with secret 1", "200"],
  "handle-errors": [
    "Tool slugs are case-sensitive: did you mean GITHUB_CREATE_AN_ISSUE?",
    "let the user connect an account",
    like(/^status 401; for support: .+/),
    "no response (ECONNREFUSED)",
    like(/^\{"name":"NotFoundError",(?!.*ak_emulator)/),
  ],
  "record-starts": ["succeeded", "succeeded", "succeeded"],
  "repeat-safely": ["Opened.", "tools.execute broken, logs.listToolExecutions 200, logs.getToolExecution 200"],
  "bound-calls": ["deadlineMs of 1 ms", "the user closed the page"],
  "observe-calls": [
    like(/^2 of \d+, 1 attempt, status 200$/),
    "tools.list: query.search is deprecated",
    "toolkits.list and tools.list: 9 lines",
  ],
  "faster-on-node": [like(/^\d+ toolkits$/)],
  "own-dispatcher": [like(/^\d+ toolkits true$/)],
  middleware: [like(/^toolkits\.list \d/), "2 tools", "Deleting is switched off here."],
  "trace-calls": ["POST /api/v3.1/tools/execute/{tool_slug} 200", like(/^execute_tool TEXTKIT_REVERSE/)],
  "share-limits": ["2000 per window, 1969 left, 0 in flight, 0 queued", "100 tokens"],
  "agent-session": [
    like(/^An MCP client reaches the session at http:\/\/.+\/trs_[\w-]+\/mcp with x-api-key$/),
    "GITHUB_CREATE_AN_ISSUE fits; not connected: github",
    like(/^The agent asks its user to open http:\/\/.+\/link\/lk_[\w-]+$/),
    ISSUE,
  ],
  "mcp-client": [like(/SVC_SEARCH_TOOLS .*TEXTKIT_REVERSE$/), like(/cba/)],
  "older-mcp-client": [like(/SVC_SEARCH_TOOLS .*TEXTKIT_REVERSE$/), like(/cba/)],
  "move-from-client": [ISSUE],
  "move-payloads": [
    "V1 undefined Fix the build",
    "V2 user-4711 Fix the build",
    "V3 user-4711 Fix the build",
    "from now on V3",
  ],
  "move-to-v3-1": ["00000000_00", "00000000_00", "20251023_00"],
  "call-anything": ["It is ca_of_0b5e now"],
};

/** Examples that run until stopped, need Redis, or are in another test. */
const ELSEWHERE = ["quickstart", "readme", "local-receiver", "webhook-receiver", "redis-receiver", "share-rate-window"];

describe.concurrent("the example", { timeout: 60_000 }, () => {
  // Each is a process.
  test.for(Object.entries(STORIES).slice(0, sized(2, Infinity)))(
    "%s runs against an emulator and exits",
    async ([name, story], context) => {
      const { environment } = await emulatorWithEnvironment(context);
      const lines = await outputOf([`examples/${name}.ts`], environment);
      expect(lines).toEqual(story);
      expect(lines.join()).not.toContain(environment["SVC_API_KEY"]);
    },
  );
});

test("the lockfile of the examples matches the emulator", async (context) => {
  const { environment } = await emulatorWithEnvironment(context);
  const check = start(context, ["dist/cli.js", "lock", "--check", "--lock", "examples/svc.lock.json"], environment);
  expect(await check.line(/^examples/)).toBe("examples/svc.lock.json: 8 tools match.");
});

const tasks = readdirSync("examples", { encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && file !== "svc.gen.ts",
);

test("every example of a task is run, is short, and says how to run it", () => {
  const told = [...Object.keys(STORIES), ...ELSEWHERE].map((name) => `${name}.ts`);
  expect([...tasks].sort()).toEqual(told.sort());
  for (const file of tasks.filter((name) => name !== "readme.ts")) {
    const lines = readFileSync(`examples/${file}`, "utf8").trimEnd().split("\n");
    expect(lines.length, file).toBeLessThanOrEqual(50);
    expect(lines.slice(0, 2).join(), file).toMatch(new RegExp(`node examples/${file}|npm run quickstart`));
  }
});

test("an example imports only packages and its own files", () => {
  const imports = readdirSync("examples", { recursive: true, encoding: "utf8" })
    // The parts of svc-sdk init become a project first: test/package/init-projects.long.package.test.ts compiles those.
    .filter((file) => file.endsWith(".ts") && !file.startsWith("init/"))
    .flatMap((file) => [...readFileSync(`examples/${file}`, "utf8").matchAll(/ from "([^"]+)"/g)])
    .map(([, source]) => source ?? "");
  const others = imports.filter((source) => source.startsWith("..") || source.includes("/src/"));
  expect(others.filter((source) => source !== "../svc.lock.json")).toEqual([]);
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The text of a file, with each line break as one space, also within comments and strings. */
const textOf = (path: string) =>
  readFileSync(path, "utf8")
    .replace(/" \+\n\s*"/g, "")
    .replace(/\n\s*(\*|\/\/)? ?/g, " ");

/** A constant of a file, such as `FULL`, or `KEPT.calls` for a field of an object. */
function numberOf(path: string, name: string): number {
  const [constant = "", field = ""] = name.split(".");
  const [, value = ""] = new RegExp(`const ${constant} = ([^;]+);`).exec(textOf(path)) ?? [];
  const [, digits = ""] = (field ? new RegExp(`\\b${field}: ([\\d_.]+)`) : /^([\d_.]+)$/).exec(value) ?? [];
  expect(digits, `${path} has no number ${name}`).not.toBe("");
  return Number(digits.replaceAll("_", ""));
}

/** By file, sentences in which `#` is the number. */
type Sentences = Readonly<Record<string, string | readonly string[]>>;

const ENDPOINTS = "src/emulator/control-plane/endpoints.ts";
const INTERFACE = "src/emulator/assembly/interface.ts";
const RUNS = "src/emulator/engine/run-log.ts";
const EVENTS = "src/emulator/deliveries/events.ts";
const REQUESTS = "src/emulator/engine/request-log.ts";
const RULES = "src/client/pacing/rate-window-rules.ts";
const BUDGET = "src/client/retry-budget.ts";
const LIMITS = "src/shared/service-limits.ts";
const USAGE = "src/resources/usage/schema.ts";

test.each<[path: string, name: string, sentences: Sentences, unit?: number]>([
  [
    REQUESTS,
    "KEPT_REQUESTS",
    {
      [ENDPOINTS]: "Lists the requests received, oldest first; at most the last #.",
      [INTERFACE]: "Requests received, with their responses, oldest first; at most the last # since",
    },
  ],
  [REQUESTS, "KEPT_BODIES", { "src/emulator/engine/request-schema.ts": "together exceed # characters." }],
  [
    RUNS,
    "KEPT.calls",
    {
      [ENDPOINTS]: "Lists the calls that toolsets reported, oldest first; at most the last #.",
      [INTERFACE]: "including denied and waiting calls. At most the last # since",
    },
  ],
  [RUNS, "KEPT.steps", { "src/contract/run-schema.ts": "The latest steps, at most #." }],
  [
    EVENTS,
    "KEPT_EVENTS",
    {
      [ENDPOINTS]: "Lists the emitted events, oldest first; at most the last #.",
      [INTERFACE]: "Emitted events, oldest first; at most the last #.",
    },
  ],
  [
    EVENTS,
    "KEPT_DELIVERIES",
    {
      [ENDPOINTS]: "Lists the webhook deliveries, oldest first; at most # finished ones.",
      "src/emulator/deliveries/controls.ts": "Deliveries, oldest first; at most # finished ones.",
    },
  ],
  [
    "src/emulator/tools/run-tool.ts",
    "KEPT_EXECUTIONS",
    { "src/emulator/tools/controls.ts": "among the last # executions of all tools." },
  ],
  [
    "src/shared/control-plane.ts",
    "KEPT_CHARACTERS",
    {
      "src/emulator/engine/request-schema.ts": "The body's first # characters.",
      "src/emulator/engine/event-schema.ts": "The body's first # characters.",
      "src/contract/run-schema.ts": [
        "The first # characters of the JSON.",
        "The first # characters of the string for the model.",
      ],
    },
  ],
  [
    "src/emulator/control-plane/event-stream.ts",
    "KEPT.items",
    { "docs/guide/emulator-reference.md": "keeps only the latest #, it sends" },
  ],
  ["src/emulator/inspector/store.ts", "KEPT", { "docs/guide/inspector.md": "The page keeps the latest # activities." }],
  [
    "src/emulator/mcp/handlers.ts",
    "DEFAULT_SERVERS",
    { "src/resources/mcp/schema.ts": "Items per page. The default is #." },
  ],
  [
    "src/emulator/mcp/handlers.ts",
    "DEFAULT_INSTANCES",
    { "src/resources/mcp/schema.ts": "Items per page. The default is #." },
  ],
  [
    "src/emulator/connected-accounts/flows.ts",
    "FLOW_MS",
    {
      "src/emulator/connected-accounts/handlers.ts": "or is older than # minutes",
      "src/emulator/connected-accounts/transitions.ts": "did not complete within # minutes",
      "src/resources/connected-accounts/schema.ts": "Valid for # minutes.",
      "src/resources/connected-accounts/request-schema.ts": "Works once, within # minutes.",
      "src/resources/connected-accounts/connected-accounts.ts": [
        "to `redirect_url` within # minutes.",
        "A session can be completed once, within # minutes.",
      ],
    },
    60_000,
  ],
  [LIMITS, "LARGEST_PAGE", { "src/resources/shared.ts": "Items per page, from 1 to #." }],
  [LIMITS, "USAGE_BOUNDS.longestRangeDays", { [USAGE]: "the maximum # days." }],
  [LIMITS, "USAGE_BOUNDS.defaultRangeDays", { [USAGE]: "The default range is the last # days," }],
  [LIMITS, "USAGE_BOUNDS.defaultGroups", { [USAGE]: "The default is #." }],
  [RULES, "RESERVE.part", { "src/client/request-options.ts": "the last #% of each window's requests" }, 0.01],
  [RULES, "RESERVE.leastLimit", { "src/client/request-options.ts": "unless the limit is below #." }],
  [BUDGET, "FULL", { [BUDGET]: ["Starts with # tokens, the maximum.", "Number of tokens left, at most #."] }],
  [BUDGET, "PRICE.retry", { [BUDGET]: "A retry costs # tokens," }],
  [BUDGET, "PRICE.retryAfterTimeout", { [BUDGET]: "tokens, or # after a timeout," }],
  [
    "src/client/options/checks.ts",
    "NODES_LIMIT_MS",
    { "src/client/options/options.ts": "Node's own `fetch` ends a silent request after #." },
  ],
  ["src/stores/shared-rate-window.ts", "TIMEOUT_MS", { "src/stores/stored-rate-window.ts": "takes longer than # ms," }],
  [
    "src/webhooks/claims.ts",
    "MIN_LEASE_MS",
    { "src/webhooks/receiver-options.ts": "after twice this time, but at least # seconds." },
    1_000,
  ],
])("the docs of %s say its number %s", (path, name, sentences, unit = 1) => {
  const number = numberOf(path, name) / unit;
  // 1000, 10,000, and 300_000 in comments about code.
  const forms = [String(number), number.toLocaleString("en-US"), number.toLocaleString("en-US").replaceAll(",", "_")];
  for (const [file, parts] of Object.entries(sentences)) {
    const text = textOf(file);
    for (const part of [parts].flat()) {
      const isThere = forms.some((form) => text.includes(part.replace("#", form)));
      expect(isThere, `${file} doesn't contain "${part.replace("#", String(number))}": edit it, or this test`).toBe(
        true,
      );
    }
  }
});

// Numbers that a sentence says in words.
test.each<[path: string, code: string, file: string, sentence: string]>([
  [
    "src/client/call/retry.ts",
    "(0.5 + clock.random() / 2) * Math.min(8_000, 500 * 2 ** retries)",
    "src/client/options/options.ts",
    "after half a second, which doubles up to eight seconds, minus a random part of up to half,",
  ],
  [
    RULES,
    "RESERVE_ENDS = 0.5;",
    "src/client/request-options.ts",
    "After half of the window, any call may use the reserve.",
  ],
  [
    "src/stores/shared-rate-window.ts",
    "MOST = { tries: 100, ms: 1_000 };",
    "src/stores/stored-rate-window.ts",
    "if no swap succeeds for a second,",
  ],
  [
    "src/stores/shared-rate-window.ts",
    "RETRY_MS = 1_000;",
    "src/stores/stored-rate-window.ts",
    "It tries the store again every second,",
  ],
  [
    "src/webhooks/claims.ts",
    "Math.max(2 * handlerTimeoutMs, MIN_LEASE_MS); this.storeTimeoutMs = this.leaseMs / 4;",
    "src/webhooks/receiver-options.ts",
    "Each response of the store may take half of this time, but at least a second.",
  ],
  [
    "src/emulator/triggers/rules.ts",
    "isManaged ? 15 : 1;",
    "src/resources/triggers/schema.ts",
    "the default is 15, the minimum 15 with managed credentials and 1 with your own.",
  ],
])("the docs of %s say %s in words", (path, code, file, sentence) => {
  expect(textOf(path), `the code changed: edit "${sentence}" in ${file}, then this test`).toContain(code);
  expect(textOf(file), `the sentence changed: edit ${code} in ${path}, then this test`).toContain(sentence);
});

// What the site holds and in which order: the pages that people read, and the tasks that exports are grouped by.
import { readdirSync, readFileSync } from "node:fs";

const INDEX = "docs/guide/README.md";
const LOOKED_UP = ["docs/operations.md", "docs/terminology.md", "docs/assumptions.md"];
/** The guides in the order of their index, each with what it says of them. */
const rows = [...readFileSync(INDEX, "utf8").matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\) \| (.+) \|$/gm)];
const summaries = new Map(rows.map(([, name, summary]) => [`docs/guide/${name}`, summary]));
const forgotten = below("docs/guide").filter((path) => path !== INDEX && !summaries.has(path));
if (forgotten.length > 0) throw new Error(`${INDEX} lacks a row for ${forgotten.join(", ")}.`);

function below(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  return names.sort().map((name) => `${folder}/${name}`);
}

const page = (category) => (path) => ({ path, category, title: titleOf(path), summary: summaries.get(path) });

/** The pages, each with its title and its place in the navigation; guides have a summary too. */
export const GUIDES = [
  ...[INDEX, ...summaries.keys()].map(page("Guides")),
  ...LOOKED_UP.map(page("Look up")),
  ...["CHANGELOG.md", ...below("docs").filter((path) => !LOOKED_UP.includes(path)), ...below("docs/decisions")].map(
    page("The project"),
  ),
];

/** The first heading of a page. */
function titleOf(path) {
  const [, title] = /^# (.+)$/m.exec(readFileSync(path, "utf8")) ?? [];
  if (title === undefined) throw new Error(`${path} has no heading: start it with "# " and a title.`);
  return title.replaceAll("`", "");
}

/**
 * Tasks, and the sources whose exports serve each task. The first match counts. `spec` is the part of the specification
 * for sources that aren't a resource.
 */
export const TASKS = [
  {
    task: "Client",
    sources:
      /^(svc|client\/(options\/options|request-options|clock|promises|pages|middleware|endpoint|whole-list|versions|received|running-call))\.d|^undici\//,
    spec: "Authentication",
  },
  { task: "Tools", sources: /^resources\/(tools|toolkits)\/|^resources\/typed-catalog/ },
  { task: "Tools for a model", sources: /^agents\// },
  { task: "Typed tools and the lock", sources: /^client\/middleware\/tool-lock|^catalog\// },
  { task: "Accounts", sources: /^resources\/(auth-configs|connected-accounts|shared)\b/ },
  { task: "Triggers", sources: /^resources\/triggers\// },
  { task: "Webhooks", sources: /^(webhooks|resources\/(events|webhook-\w+))\/|^errors\/webhook/, spec: "Events" },
  { task: "Agent sessions and MCP", sources: /^resources\/(tool-router|mcp)\// },
  { task: "Files", sources: /^resources\/files\// },
  { task: "Errors", sources: /^errors\//, spec: "Errors" },
  {
    task: "Rate limits and retries",
    sources: /^client\/(pacing\/|retry-budget)|^client\/middleware\/share-retry-budget|^stores\/.*(rate-limit|window)/,
    spec: "Limits",
  },
  { task: "Webhooks for a fleet", sources: /^stores\//, spec: "Events" },
  {
    task: "Logs, events and traces",
    sources: /^(client\/events|client\/middleware\/(logging|observe)|otel\/|resources\/logs\/)/,
  },
  { task: "Projects, keys and usage", sources: /^resources\/(projects|api-keys|usage|session|integrations)\// },
  { task: "Contract", sources: /^contract\/|^resources\/(schema-kit|operation)|\.zod\.d/ },
  { task: "Emulator", sources: /^emulator\// },
  { task: "Testing", sources: /^testing\// },
];

/** The task that the exports of a declaration file serve; `source` is a path below the declarations. */
export function taskOf(source) {
  const found = TASKS.find(({ sources }) => sources.test(source));
  if (!found) throw new Error(`No task of scripts/docs/outline.mjs takes ${source}: add it to one.`);
  return found;
}

// The pages that people read, in the order of the site, and the tasks that exports are grouped by.
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";

const INDEX = "docs/guide/README.md";
const [, ...sections] = readFileSync(INDEX, "utf8").split(/^## /m);

/** The groups of the index, each with its pages and what the index says of them. */
export const GROUPS = sections.map((section) => ({
  title: section.slice(0, section.indexOf("\n")),
  pages: [...section.matchAll(/^\| \[([^\]]+)\]\(([^)]+\.md)\) \| (.+) \|$/gm)].map(([, name, link, summary]) => {
    const path = posix.join("docs/guide", link);
    return { path, name, title: titleOf(path), summary };
  }),
}));
const listed = GROUPS.flatMap(({ pages }) => pages.map(({ path }) => path));
const forgotten = readdirSync("docs/guide").filter(
  (name) => name !== "README.md" && !listed.includes(`docs/guide/${name}`),
);
if (forgotten.length > 0) throw new Error(`${INDEX} lacks a row for ${forgotten.join(", ")}.`);

/** The first heading of a page. */
function titleOf(path) {
  const [, title] = /^# (.+)$/m.exec(readFileSync(path, "utf8")) ?? [];
  if (title === undefined) throw new Error(`${path} has no heading: start it with "# " and a title.`);
  return title.replaceAll("`", "");
}

/** Tasks, and the sources whose exports serve each task. The first match counts. */
export const TASKS = [
  {
    task: "Client",
    sources:
      /^(svc|shared\/credentials|client\/(options\/options|request-options|clock|api-promise|pages|middleware|endpoint|whole-list|versions|received-response|running-call))\.d|^undici\//,
  },
  { task: "Tools", sources: /^resources\/(tools|toolkits)\/|^resources\/typed-catalog/ },
  { task: "Tools for a model", sources: /^agents\// },
  { task: "Typed tools and the lock", sources: /^client\/middleware\/tool-lock|^catalog\// },
  { task: "Accounts", sources: /^resources\/(auth-configs|connected-accounts|shared)\b/ },
  { task: "Triggers", sources: /^resources\/triggers\// },
  { task: "Webhooks", sources: /^(webhooks|resources\/(events|webhook-\w+))\/|^errors\/webhook/ },
  { task: "Agent sessions and MCP", sources: /^resources\/(tool-router|mcp)\// },
  { task: "Files", sources: /^resources\/files\// },
  { task: "Errors", sources: /^errors\// },
  {
    task: "Rate limits and retries",
    sources: /^client\/(pacing\/|retry-budget)|^client\/middleware\/share-retry-budget|^stores\/.*(rate-limit|window)/,
  },
  { task: "Webhooks for a fleet", sources: /^stores\// },
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

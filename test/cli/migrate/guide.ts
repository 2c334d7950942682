import { CLIENT_METHODS } from "../../../src/cli/migrate/client-methods.js";
import { CORE_METHODS, SESSION_METHODS } from "../../../src/cli/migrate/core-methods.js";
import { type Method, type MethodTable, methodsOf } from "../../../src/cli/migrate/method-table.js";

/** Rows that the guide has in a sentence instead. */
const RULES: readonly ((path: string) => string)[] = [
  (path) => path.replace(/\.retrieve$/, ".get"),
  (path) => path.replace(/\.retrieve([A-Z])/, (_, first: string) => `.${first.toLowerCase()}`),
  (path) => path.replace("toolRouter.session.", "toolRouter.use(id)."),
  (path) => path.replace("triggerInstances.", "triggers."),
  (path) => path.replace("org.owner.project.", "projects.").replace(/\.retrieve$/, ".get"),
  (path) => path.replace("webhooks.subscriptions.", "webhookSubscriptions."),
  (path) => path.replace("webhooks.endpoints.", "webhookEndpoints."),
];

/** The methods that have another name or other arguments, as the guide shows them. */
export function methodTables(): readonly string[] {
  return [
    table("`@composio/client`", CLIENT_METHODS),
    table("`@composio/core`", CORE_METHODS),
    table("A session of `@composio/core`", SESSION_METHODS),
  ];
}

function table(title: string, methods: MethodTable): string {
  const rows = new Map<string, string[]>();
  for (const method of methodsOf(methods).values()) {
    const calls = callsOf(method);
    const isStatus = calls.every((call) => /\.(enable|disable)\(/.test(call));
    const [name = ""] = /^.*(?=\([^(]*\)$)/.exec(calls[0] ?? "") ?? [];
    if (isStatus || RULES.some((rule) => rule(method.path) === name)) continue;
    const key = calls.map((call) => `\`${call}\``).join(", ");
    rows.set(key, [...(rows.get(key) ?? []), `\`${method.path}\``]);
  }
  const lines = [...rows].map(([calls, paths]) => `| ${paths.join(", ")} | ${calls} |`);
  return [`| ${title} | Here |`, "|---|---|", ...lines].join("\n");
}

/** The calls of a method's templates, without those that are as before. */
function callsOf({ path, parameters, cases }: Method): string[] {
  const same = `${path}(${parameters.filter((name) => name !== "options").join(", ")})`;
  const calls = cases.flatMap(([, template]) => {
    if (/^[!=]/.test(template)) return [];
    const call = template
      .replace(/(?:, )?\$(?:absent|options)\b/g, "")
      .replace(/\$params\.(\w+)/g, "$1")
      .replace(/\$(\w+)(?:\.\w+|-\w+|#\w+)?/g, "$1")
      .replace(/(\w+): \1\b/g, "$1");
    return call === same ? [] : [call];
  });
  return [...new Set(calls)];
}

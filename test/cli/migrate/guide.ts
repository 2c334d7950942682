import { CLIENT_METHODS } from "../../../src/cli/migrate/client-methods.js";
import { CORE_METHODS, SESSION_METHODS } from "../../../src/cli/migrate/core-methods.js";
import { type Method, type MethodTable, methodsOf } from "../../../src/cli/migrate/method-table.js";

/** The methods that have another name or other arguments, as the guide shows them. */
export function methodTables(): readonly string[] {
  return [
    table("`@composio/client`", CLIENT_METHODS),
    table("`@composio/core`", CORE_METHODS),
    table("A session of `@composio/core`", SESSION_METHODS),
  ];
}

function table(title: string, methods: MethodTable): string {
  const rows = [...methodsOf(methods).values()].flatMap((method) => {
    const calls = callsOf(method);
    return calls.length === 0 ? [] : [`| \`${method.path}\` | ${calls.map((call) => `\`${call}\``).join(", ")} |`];
  });
  return [`| ${title} | Here |`, "|---|---|", ...rows].join("\n");
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

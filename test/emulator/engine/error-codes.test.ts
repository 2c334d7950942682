import { readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { OF_OTHER_USER } from "../../../src/shared/account-status.js";
import { sources, syntaxOf } from "../../support/sources.js";

/** Codes and slugs in public descriptions of services of this kind. */
const PUBLISHED = `
  600 ConnectedAccount_BadRequest
  606 ConnectedAccount_ResourceNotFound
  612 ConnectedAccount_MissingRequiredFields
  801 APIKey_InvalidAPIKey
  811 APIKey_APIKeyExpired
  812 APIKey_InsufficientPermissions
  902 Auth_Unauthorized
  906 Auth_NoAuthProvided
  1213 TriggerInstance_PollingConfigInvalid
  1810 ActionExecute_ConnectedAccountNotFound
  1812 ActionExecute_ConnectedAccountEntityIdMismatch
  1820 ActionExecute_ConnectedAccountExpired
  2113 UserApiKey_Unauthorized
  2206 Organization_InsufficientPermissions
  2401 Tool_ToolNotFound
  4300 ToolRouterV2_BadRequest
  4301 ToolRouterV2_ToolNotFound
  4302 ToolRouterV2_NoActiveConnection
  4305 ToolRouterV2_InvalidToolkitSlugs
  4308 ToolRouterV2_NoManagedAuth
  4324 ToolRouterV2_ToolkitNotAllowed
  4326 ToolRouterV2_ToolkitsIsNoAuth
  4340 ToolRouterV2_InternalServerError
  10401 HTTP_Unauthorized`;

/** The functions that create errors from a code or slug, and their errors. Arguments are literals, or source text. */
const CREATORS: Readonly<Record<string, (given: readonly string[]) => readonly string[]>> = {
  ApiFailure: ([, code, slug]) => [`${code} ${slug}`],
  notFound: ([domain, , code]) => [`${code} ${domain}_ResourceNotFound`],
  unauthorized: ([code, slug]) => [`${code} ${slug}`],
  sessionError: ([code, reason]) => [`${code} ToolRouterV2_${reason}`],
  mcpError: ([reason]) => [`10400 MCP_${reason}`],
  proxyError: ([slug]) => [`10400 ${slug}`],
  checkActive: ([, domain = "ActionExecute", code = "1820"]) => [
    `${code} ${domain}_ConnectedAccountExpired`,
    `${Number(code) + 1} ${domain}_ConnectedAccountNotActive`,
  ],
  // Its code has the status of the fault, and its slug is the emulator's own.
  faultResponse: () => [],
};
/** Slugs that other modules need. */
const CONSTANTS: Readonly<Record<string, string>> = { OF_OTHER_USER };

/** The errors that the emulator sends, with a place that creates them. */
function errorsOfEmulator(): Map<string, string> {
  const found = new Map<string, string>();
  for (const { path, text } of sources.filter((source) => source.path.startsWith("emulator/"))) {
    const file = syntaxOf(path, text);
    const visit = (node: ts.Node): void => {
      // Calls in a creator have its parameters.
      if (ts.isFunctionDeclaration(node) && CREATORS[node.name?.text ?? ""]) return;
      ts.forEachChild(node, visit);
      if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
      const name = node.expression.getText(file);
      if (!Object.hasOwn(CREATORS, name)) return;
      const given = (node.arguments ?? []).map((argument) =>
        ts.isStringLiteral(argument) ? argument.text : (CONSTANTS[argument.getText(file)] ?? argument.getText(file)),
      );
      const place = `src/${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
      for (const error of CREATORS[name]?.(given) ?? []) found.set(error, place);
    };
    visit(file);
  }
  return found;
}

const errors = errorsOfEmulator();
const published = new Set(PUBLISHED.trim().split(/\s*\n\s*/));
const [row = ""] = /^\| E1 \|.*$/m.exec(readFileSync("docs/assumptions.md", "utf8")) ?? [];
const assumed = new Set([...row.matchAll(/(\d+) `(\w+)`/g)].map(([, code, slug]) => `${code} ${slug}`));
const placed = ([error, place]: [string, string]) => `${place}: ${error}`;

test("every error has a literal code and slug, or is created by one of CREATORS", () => {
  const unread = [...errors].filter(([error]) => !/^\d+ [A-Z]\w+$/.test(error));
  expect(unread.map(placed), "add the function around it to CREATORS in this file").toEqual([]);
});

test("every code and slug is published, or is in row E1 of docs/assumptions.md", () => {
  const isOwn = (error: string) => error.includes(" Emulator_");
  const missing = [...errors].filter(([error]) => !published.has(error) && !assumed.has(error) && !isOwn(error));
  expect(missing.map(placed), "add to row E1, with the slug in backticks").toEqual([]);
  const gone = [...assumed].filter((error) => !errors.has(error) || published.has(error));
  expect(gone, "remove from row E1: published, or the emulator doesn't send it").toEqual([]);
});

test("no code of a resource has two slugs", () => {
  const all = [...new Set([...errors.keys(), ...published])];
  const codeOf = (error: string) => Number.parseInt(error, 10);
  const isShared = (error: string) => all.some((other) => other !== error && codeOf(other) === codeOf(error));
  const shared = all.filter((error) => codeOf(error) < 10_000 && isShared(error));
  expect(shared, "give one of them a free number of the block").toEqual([]);
});

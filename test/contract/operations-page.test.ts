import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { faultOperations, methodsOf, operationsPage, termsPage } from "../../scripts/operations-page.ts";
import { operations } from "../../src/contract/index.js";
import { Svc } from "../../src/index.js";

const page = readFileSync("docs/operations.md", "utf8");
const terminology = readFileSync("docs/terminology.md", "utf8");

/** What to do if a file is outdated. */
const RUN = "run npm run write";

const svc = new Svc({ baseUrl: "https://api.example.com", apiKey: "ak_test", env: {} });
const session = svc.toolRouter.use("trs_test");
/** Objects that the page's method names start with. */
const roots: Readonly<Record<string, object>> = {
  svc,
  session,
  "session.mounts()": session.mounts(),
};

/** The resources of the client by their names. */
const resources = Object.entries(svc).filter(([, value]) => typeof value === "object" && value !== null);

/** The methods of an object that a user can call. */
function callable(value: object): string[] {
  return Object.getOwnPropertyNames(Object.getPrototypeOf(value)).filter(
    (name) => name !== "constructor" && typeof Reflect.get(value, name) === "function",
  );
}

function find(method: string): unknown {
  const root = method.startsWith("session.mounts().") ? "session.mounts()" : (method.split(".")[0] ?? "");
  const names = method.slice(root.length + 1).split(".");
  return names.reduce<unknown>((value, name) => Reflect.get(Object(value), name), roots[root]);
}

describe("the page of operations", () => {
  test("shows every operation as in the contract, and every omitted one", () => {
    expect(operationsPage(page, operations), RUN).toBe(page);
  });

  test("shows no other operation", () => {
    const rows = page.split("\n").filter((line) => / \| (safe|idempotent|effect) \|$/.test(line));
    expect(rows.length, `rows of docs/operations.md: ${RUN}`).toBe(operations.length);
  });

  test("gets rows that it lacks", () => {
    const lacking = page.replace(/\n\| `svc\.tools\.get`.*/, "").replace(/\n\| POST `\/cli.*/, "");
    expect(lacking.length).toBeLessThan(page.length - 200);
    expect(operationsPage(lacking, operations), RUN).toBe(page);
  });

  test.each(operations.map(({ endpoint }) => [endpoint.name] as const))("names methods for %s that exist", (name) => {
    const advice = "add the method, or its other name to METHODS in scripts/operations-page.ts";
    for (const method of methodsOf(name)) expect(typeof find(method), `${method}: ${advice}`).toBe("function");
  });

  test("names every method of the client", () => {
    const methods = [
      ...resources.flatMap(([name, resource]) => callable(resource).map((method) => `svc.${name}.${method}`)),
      ...callable(session).map((method) => `session.${method}`),
      ...callable(session.mounts()).map((method) => `session.mounts().${method}`),
    ];
    expect(methods.length).toBeGreaterThan(operations.length);
    const missing = methods.filter((method) => !page.includes(`\`${method}\``) && !page.includes(`\`${method}(`));
    expect(missing, `methods in no row of docs/operations.md: ${RUN}`).toEqual([]);
  });

  test("names every API group of the specification", () => {
    const groups =
      "CLI, Logs, OpenAPI, Organization, API Keys, Webhooks, Webhook Endpoints, Team, Payments, Billing, Files, MCP, MCP Partner, Stripe Projects, Profiling, Tool Router (labs), Admin, User";
    const named = [...page.matchAll(/^\| ([^|`]+) \|/gm)].flatMap(([, cell]) => (cell ?? "").split(", "));
    expect(groups.split(", ").filter((group) => !named.includes(group))).toEqual([]);
  });
});

test("every operation can have a fault", () => {
  const written = readFileSync("src/emulator/engine/fault-operation.ts", "utf8");
  expect(faultOperations(operations), RUN).toBe(written);
});

describe("the page of terms", () => {
  test("contains the specification's map", () => {
    const map = [
      ["entity ID", "user ID (`user_id`)"],
      ["actions", "tools"],
      ["apps / appType", "toolkits"],
      ["integration / integration ID", "auth config / auth config ID (`auth_config_id`)"],
      ["connection", "connected account"],
    ];
    for (const [old, current] of map) expect(terminology).toContain(`| ${old} | ${current} |`);
  });

  test("contains every old spelling that the types mark as replaced, and no other", () => {
    expect(terminology.split("## Old spellings")[1]?.match(/^\| `svc/gm)?.length).toBeGreaterThan(25);
    expect(termsPage(terminology), RUN).toBe(terminology);
  });
});

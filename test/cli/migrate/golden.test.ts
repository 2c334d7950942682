import { describe, expect, test } from "vitest";
import { CLIENT_METHODS } from "../../../src/cli/migrate/client-methods.js";
import { CONNECTION_METHODS, CORE_METHODS, SESSION_METHODS } from "../../../src/cli/migrate/core-methods.js";
import { methodsOf } from "../../../src/cli/migrate/method-table.js";
import { Svc } from "../../../src/index.js";
import { WALK } from "../../agreement/reference-calls.js";
import { migrate, programs } from "./golden.js";

const before = programs("before");
const after = programs("after");
const once = migrate(before);

describe("svc-sdk migrate", () => {
  test.each([...before.keys()])("rewrites %s as its golden file shows", (path) => {
    expect(once.contents.get(path)).toBe(after.get(path));
  });

  test("is tested with at least 40 programs", () => {
    expect([...after.keys()]).toEqual([...before.keys()]);
    expect(new Set([...before.keys()].map((path) => path.slice(0, 2))).size).toBeGreaterThanOrEqual(40);
  });

  test("changes nothing the second time", () => {
    expect([...migrate(once.contents).changed.keys()]).toEqual([]);
  });

  test("leaves programs alone that only look alike", () => {
    const untouched = [...before.keys()].filter((path) => !once.changed.has(path));
    expect(untouched).toEqual(["29-looks-alike.ts", "errors.ts"]);
  });

  test("reports each comment that it leaves, with its line", () => {
    const reported = [...once.todos].flatMap(([path, todos]) => todos.map(({ line }) => `${path}:${line}`));
    const found = [...after].flatMap(([path, text]) =>
      text.split("\n").flatMap((line, index) => (line.includes("TODO(svc-sdk)") ? [`${path}:${index + 1}`] : [])),
    );
    expect(reported).toEqual(found);
    expect(found.length).toBeGreaterThan(10);
  });
});

/** The calls in templates, such as `tools.get` and `toolRouter.use().execute`. */
function targets(table: typeof CLIENT_METHODS): string[] {
  return [...methodsOf(table).values()].flatMap(({ path, cases }) =>
    cases.flatMap(([, template]) => {
      if (template.startsWith("!")) return [];
      if (template === "=") return [path];
      const code = template.replace(/use\([^)]*\)/, "use()").replace(/mounts\([^)]*\)/, "mounts()");
      return (code.match(/(?<!\$\w*)[\w.]+(?:\(\)\.\w+)*(?=\()/g) ?? []).map((call) => call.replace(/^\./, ""));
    }),
  );
}

/** Follows such a path from an object. */
function follow(from: unknown, path: string): unknown {
  return path.split(".").reduce((owner, name) => {
    const value: unknown = Reflect.get(Object(owner), name.replace("()", ""));
    return name.endsWith("()") ? Reflect.apply(Object(value), owner, ["id"]) : value;
  }, from);
}

describe("the tables of svc-sdk migrate", () => {
  test("have every method of the reference client that has a counterpart", () => {
    const own = [...methodsOf(CLIENT_METHODS).keys()].filter((path) => path !== "withOptions");
    expect(own.toSorted()).toEqual(WALK.map(([method]) => method).toSorted());
  });

  test("call only methods that exist", () => {
    const svc = new Svc({ baseUrl: "http://127.0.0.1:1", apiKey: "ak_1" });
    const calls = [CLIENT_METHODS, CORE_METHODS, CONNECTION_METHODS].flatMap(targets);
    const functions = ["toolset", "normalizeTrigger", "verifyWebhook"];
    const missing = [...new Set(calls)].filter((call) => typeof follow(svc, call) !== "function");
    expect(missing.toSorted()).toEqual(functions.toSorted());
    const session = svc.toolRouter.use("trs_1");
    expect(targets(SESSION_METHODS).filter((call) => typeof follow(session, call) !== "function")).toEqual(["toolset"]);
  });
});

import { beforeAll, describe, expect, test } from "vitest";
import { ABSENT, type Made, WALK } from "./reference-calls.js";
import { isInstalled, load, needs, vendorService } from "./vendor.js";

/**
 * The newest published reference client of this API is `@composio/client`. It runs against the emulator on a port,
 * through a server that renames what has the vendor's name.
 */
type Client = Readonly<Record<string, unknown>>;

/** Calls a method by its path, such as `tools.execute`. */
function call(client: Client, method: string, args: readonly unknown[]): Promise<unknown> {
  const names = method.split(".");
  const last = names.pop() ?? "";
  const owner = names.reduce<unknown>((value, name) => Reflect.get(Object(value), name), client);
  return Reflect.apply(Reflect.get(Object(owner), last), owner, args);
}

/** The paths of all methods below an object. */
function methodsOf(owner: unknown, path: readonly string[] = []): string[] {
  const inherited: unknown = Object.getPrototypeOf(owner);
  const names = [...Object.keys(Object(owner)), ...(path.length > 0 ? Object.getOwnPropertyNames(inherited) : [])];
  return names.flatMap((name) => {
    const value: unknown = Reflect.get(Object(owner), name);
    if (["constructor", "logger"].includes(name)) return [];
    if (typeof value === "function") return path.length > 0 ? [[...path, name].join(".")] : [];
    return typeof value === "object" && value !== null ? methodsOf(value, [...path, name]) : [];
  });
}

describe.skipIf(!isInstalled)(`the newest published reference client${needs}`, () => {
  let Constructor: new (options: object) => Client;
  beforeAll(async () => {
    // The package's main export is its class.
    Constructor = (await load("@composio/client/dist/index.mjs"))["Composio"] as typeof Constructor;
  });

  async function connected() {
    const { emulator, origin } = await vendorService();
    const { apiKey, userApiKey, orgApiKey } = emulator.connection;
    return new Constructor({ apiKey, userApiKey, orgApiKey, baseURL: origin, maxRetries: 0 });
  }

  test("gets a success from every operation that the specification has", async () => {
    const client = await connected();
    const results = new Map<string, unknown>();
    const made: Made = (method, ...path) =>
      String(path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), results.get(method)));
    const failed: unknown[] = [];
    for (const [method, args] of WALK) {
      const result = await call(client, method, args(made)).catch(
        (error: unknown) => void failed.push({ method, error }),
      );
      results.set(method, result);
      if (method !== "toolRouter.session.files.createUploadURL") continue;
      await fetch(made(method, "upload_url"), { method: "PUT", body: "It rains." });
    }
    expect(failed).toEqual([]);
  });

  test.each(ABSENT)("gets 404 from %s, which the specification doesn't have", async (method, args) => {
    await expect(call(await connected(), method, args)).rejects.toMatchObject({ status: 404 });
  });

  test("has no other method", async () => {
    const tried = [...WALK, ...ABSENT].map(([method]) => method);
    expect(methodsOf(await connected()).toSorted()).toEqual(tried.toSorted());
  });
});

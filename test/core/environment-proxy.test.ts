import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { promisify } from "node:util";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";

const run = promisify(execFile);
const FOLDER = "node_modules/.cache/environment-proxy";
const PROGRAM = `${FOLDER}/client.mjs`;

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  const contents = `
    import { Svc } from "./src/index.js";
    try {
      const options = JSON.parse(process.argv[2]);
      new Svc({ apiKey: "ak_secret", environment: {}, ...options, fetch: options.fetch && (() => undefined) });
      console.log("made");
    } catch (error) {
      console.log(error.message);
    }`;
  const stdin = { contents, resolveDir: "." };
  await build({ stdin, outfile: PROGRAM, bundle: true, platform: "node", format: "esm" });
});

/** What a process with these variables says of a client with these options. */
async function clientIn(env: Readonly<Record<string, string>>, options: object, flags: readonly string[] = []) {
  const { stdout } = await run(process.execPath, [...flags, PROGRAM, JSON.stringify(options)], { env });
  return stdout.trim();
}

const local = { baseUrl: "http://127.0.0.1:4747" };
const proxied = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: "http://proxy.example.com:3128" };

describe("a plain-http URL of this machine with a proxy in the environment", () => {
  test.each(["http://127.0.0.1:4747", "http://localhost:4747", "http://[::1]:4747"])(
    "is rejected: %s",
    async (baseUrl) => {
      const message = await clientIn(proxied, { baseUrl });
      expect(message).toMatch(
        /baseUrl is on this machine, but HTTP_PROXY sends its requests, including keys, to a proxy/,
      );
      expect(message).toContain("NO_PROXY");
      expect(message).not.toContain("ak_secret");
    },
  );

  test("is rejected if Node was started with the flag, or has it in its options", async () => {
    const { HTTP_PROXY: http_proxy } = proxied;
    const flags = process.allowedNodeEnvironmentFlags.has("--use-env-proxy") ? ["--use-env-proxy"] : [];
    if (flags.length > 0) expect(await clientIn({ http_proxy }, local, flags)).toContain("http_proxy");
    if (flags.length > 0)
      expect(await clientIn({ http_proxy, NODE_OPTIONS: flags.join() }, local)).toContain("http_proxy");
  });

  test.each(["127.0.0.1", "localhost,127.0.0.1", "*", "127.0.0.1:4747", ".0.0.1", "*.0.0.1", "a 127.0.0.1"])(
    "is accepted with NO_PROXY %s",
    async (NO_PROXY) => {
      expect(await clientIn({ ...proxied, NO_PROXY }, local)).toBe("made");
      expect(await clientIn({ ...proxied, no_proxy: NO_PROXY }, local)).toBe("made");
    },
  );

  test.each(["localhost", "127.0.0.1:1", "0.0.1", "127.0.0.10"])("isn't excepted by NO_PROXY %s", async (NO_PROXY) => {
    expect(await clientIn({ ...proxied, NO_PROXY }, local)).toContain("NO_PROXY");
  });

  test("is accepted if the runtime doesn't use the variable, or the program says so", async () => {
    const { HTTP_PROXY } = proxied;
    expect(await clientIn({ HTTP_PROXY }, local)).toBe("made");
    expect(await clientIn({ NODE_USE_ENV_PROXY: "1" }, local)).toBe("made");
    expect(await clientIn(proxied, { ...local, allowInsecureHttp: true })).toBe("made");
    expect(await clientIn(proxied, { ...local, fetch: true })).toBe("made");
    expect(await clientIn(proxied, { baseUrl: "https://localhost" })).toBe("made");
  });
});

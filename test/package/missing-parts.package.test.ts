import { cpSync, globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, inject, test } from "vitest";
import { freePort } from "../support/ports.js";

const { project } = inject("packed");
const broken = join(project, "broken/svc-sdk");

/** The built module that declares a function. */
function chunkWith(declared: string): string {
  const found = globSync(`${broken}/dist/*.js`).filter((path) => readFileSync(path, "utf8").includes(declared));
  expect(found, declared).toHaveLength(1);
  return String(found[0]);
}

beforeAll(() => {
  cpSync(join(project, "node_modules/svc-sdk"), broken, { recursive: true });
  for (const declared of [
    "function connectionAdvice({ phase",
    "async function upload(",
    "async function waitUntilActive(",
    "function structuralMismatches(",
    "function failureText(",
  ]) {
    rmSync(chunkWith(declared));
  }
});

async function client() {
  const { Svc } = await import(pathToFileURL(join(broken, "dist/index.js")).href);
  return new Svc({ baseUrl: `http://127.0.0.1:${await freePort()}`, apiKey: "ak_1", maxRetries: 0 });
}

test("a failed connection is reported without its advice if that can't be loaded", async () => {
  const svc = await client();
  await expect(svc.tools.list()).rejects.toMatchObject({
    name: "ConnectionError",
    code: "ECONNREFUSED",
    message: expect.stringMatching(/^tools\.list: no response from http:\S+ \(ECONNREFUSED\)\.$/),
  });
});

test.each([
  ["files.upload", (svc) => svc.files.upload(new Uint8Array(1), { mimetype: "text/plain" })],
  ["files.download", (svc) => svc.files.download("https://storage.example/file")],
  ["connectedAccounts.waitUntilActive", (svc) => svc.connectedAccounts.waitUntilActive("ca_1")],
  // biome-ignore lint/suspicious/noExplicitAny: the client comes from a copy of the package, without its types
] as readonly [string, (svc: any) => Promise<unknown>][])(
  "%s says that its part can't be loaded",
  async (name, use) => {
    await expect(use(await client())).rejects.toMatchObject({
      name: "SvcError",
      message: expect.stringMatching(
        new RegExp(
          `^${name}: nothing was sent, because a part of svc-sdk can't be loaded \\(.+\\)\\. Deploy all files`,
        ),
      ),
    });
  },
);

/** An emulator, and a toolset of it with one tool. */
async function oneTool() {
  const load = (entry: string) => import(pathToFileURL(join(broken, `dist/${entry}.js`)).href);
  const { createEmulator } = await load("emulator");
  const { toolset } = await load("agents");
  const { Svc } = await load("index");
  const emulator = createEmulator();
  const svc = new Svc({ ...emulator.connection, maxRetries: 0 });
  return { emulator, tools: await toolset(svc, { userId: "user-1", tools: ["TEXTKIT_REVERSE"] }) };
}

test("wrong arguments of a tool don't run it, even if what lists the mistakes can't be loaded", async () => {
  const { emulator, tools } = await oneTool();
  const [result] = await tools.run([{ callId: "call_1", name: "TEXTKIT_REVERSE", arguments: { text: 1 } }]);
  expect(result).toMatchObject({ status: "not_run", error: { name: "SvcError" } });
  const paths: string[] = emulator.requests.map(({ path }: { path: string }) => path);
  expect(paths.filter((path) => path.includes("/execute"))).toEqual([]);
});

test("a model reads that a call failed and may have run, even if the reason's words can't be loaded", async () => {
  const { emulator, tools } = await oneTool();
  emulator.faults.next("tools.execute", { status: 502, when: "after" });
  const [result] = await tools.run([{ callId: "call_1", name: "TEXTKIT_REVERSE", arguments: { text: "abc" } }]);
  expect(result).toMatchObject({
    status: "unknown",
    text: "TEXTKIT_REVERSE failed. It may have run. Check what it did before you call it again.",
    error: { name: "ServerError" },
  });
});

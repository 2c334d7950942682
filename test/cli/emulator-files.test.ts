import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emulatorCommand, svc } from "./run.js";
import { directoryWith } from "./setups.js";

const headers = { "x-api-key": "ak_emulator" };

const written = (name: string, content: string) => join(directoryWith({ [name]: content }), name);

describe("svc-sdk emulator with files", () => {
  const toolkit = (name: string) => ({
    ...{ slug: "mine", name },
    tools: [{ slug: "MINE_ONE", name: "One", description: "", input: {}, output: { type: "object", required: ["a"] } }],
  });
  const execute = async (url: string, slug: string) => {
    const body = JSON.stringify({ user_id: "user-4711", version: "latest", arguments: {} });
    const response = await fetch(`${url}/api/v3.1/tools/execute/${slug}`, { method: "POST", headers, body });
    return (await response.json()) as { data: object; log_id: string };
  };

  test("--toolkits takes a JSON file or a module", async () => {
    const json = await emulatorCommand(["--toolkits", written("toolkits.json", JSON.stringify([toolkit("JSON")]))]);
    expect(await execute(json.url, "MINE_ONE")).toMatchObject({ data: { a: expect.anything() } });
    const code = `const [made] = ${JSON.stringify([toolkit("module")])};
      export default [{ ...made, tools: [{ ...made.tools[0], run: () => ({ a: "code" }) }] }];`;
    const module = await emulatorCommand(["--toolkits", written("toolkits.mjs", code)]);
    expect((await execute(module.url, "MINE_ONE")).data).toEqual({ a: "code" });
  });

  test("--toolkits takes the file that the reference of the emulator shows", async () => {
    const page = readFileSync("docs/guide/emulator-reference.md", "utf8");
    const [, shown = ""] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? [];
    const { url } = await emulatorCommand(["--toolkits", written("toolkits.json", shown)]);
    const response = await fetch(`${url}/api/v3.1/tools/TRACKER_OPEN_TICKET`, { headers });
    expect(await response.json()).toMatchObject({ toolkit: { slug: "tracker" }, no_auth: false });
  });

  test("--catalog runs every tool of a file that svc-sdk lock --catalog-out wrote", async () => {
    const service = await emulatorCommand(["--log", "none"]);
    const file = join(directoryWith(), "snapshot.json");
    const env = { SVC_BASE_URL: service.url, SVC_API_KEY: "ak_emulator" };
    const line = [
      "lock",
      "--toolkits",
      "textkit,github",
      "--catalog-out",
      file,
      "--out",
      join(directoryWith(), "svc.lock.json"),
    ];
    expect(await svc(line, { env })).toMatchObject({ code: 0 });
    const { toolkits } = JSON.parse(readFileSync(file, "utf8")) as { toolkits: { tools: { slug: string }[] }[] };
    const slugs = toolkits.flatMap(({ tools }) => tools.map(({ slug }) => slug));
    const running = await emulatorCommand(["--catalog", file, "--log", "none"]);
    const results = await Promise.all(slugs.map((slug) => execute(running.url, slug)));
    expect(slugs.length).toBeGreaterThan(5);
    expect(results.every(({ log_id }) => log_id.startsWith("log_sample_"))).toBe(true);
  });

  test.each<[string, string, string, RegExp]>([
    ["--toolkits", "toolkits.json", "[{}]", /toolkits\.json doesn't contain a list of toolkits: \[0\]\.slug/],
    ["--toolkits", "toolkits.mjs", "throw new Error('Broken')", /^svc-sdk: Can't load the toolkits .*: Broken/],
    ["--catalog", "catalog.json", "{}", /catalog\.json isn't a valid catalog: /],
  ])("rejects %s %s with %s", async (option, name, content, message) => {
    const { code, stderr } = await svc(["emulator", "--port", "0", option, written(name, content)]);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

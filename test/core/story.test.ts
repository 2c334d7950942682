import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Svc } from "../../src/index.js";

/** The files named in "How a call works" of docs/contributing.md, in its order. */
function filesOfTheStory(): string[] {
  const [, story = ""] = readFileSync("docs/contributing.md", "utf8").split("## How a call works\n");
  const [text = ""] = story.split("\n## ");
  return [...text.matchAll(/`([\w-]+\/[\w/-]+\.ts)`/g)].map(([, file = ""]) => file);
}

/** The source files in which functions run during one warm call. */
async function filesOfACall(): Promise<string[]> {
  const body = JSON.stringify({ data: {}, error: null, successful: true, log_id: "log_1" });
  const svc = new Svc({
    baseUrl: "https://api.example.com",
    apiKey: "ak",
    environment: {},
    fetch: async () => new Response(body, { headers: { "content-type": "application/json" } }),
  });
  const call = () => svc.tools.execute("A_TOOL", { user_id: "u", version: "20251023_00", arguments: {} });
  await call();
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await call();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const source = `${resolve("src")}/`;
  const ran = result.flatMap(({ url, functions }) => {
    const path = url.startsWith("file:") ? fileURLToPath(url) : url;
    // The test runner wraps each export in a function without a name.
    const isRun = functions.some(
      ({ functionName, ranges: [range] }) => functionName !== "" && range && range.count > 0,
    );
    return path.startsWith(source) && isRun ? [path.slice(source.length)] : [];
  });
  return [...new Set(ran)].sort();
}

test("the contributor guide names exactly the files that run during a call", async () => {
  const story = filesOfTheStory();
  expect(story.length).toBeLessThanOrEqual(12);
  expect([...new Set(story)].sort()).toEqual(await filesOfACall());
});

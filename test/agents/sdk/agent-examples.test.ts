import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { LARGE } from "../every-adapter.js";
import { APPROVED, CONNECTED, LARGE_APPROVED, LOOPS, OTHERS, STORIES } from "./agent-examples.js";

const root = resolve(import.meta.dirname, "../../..");

test("a program that answers a public thread is in a guide, and has at most 30 lines of code", () => {
  const guides = readdirSync(resolve(root, "docs/guide")).map((name) =>
    readFileSync(resolve(root, "docs/guide", name), "utf8"),
  );
  const list = readFileSync(resolve(root, "examples/README.md"), "utf8");
  const programs = readdirSync(resolve(root, "examples/agents/threads"));
  expect(programs.length).toBeGreaterThan(2);
  for (const program of programs) {
    const text = readFileSync(resolve(root, "examples/agents/threads", program), "utf8");
    const [thread] = /https:\/\/github\.com\/[\w-]+\/[\w-]+\/(issues|pull)\/\d+/.exec(text) ?? [];
    expect(guides.join()).toContain(`(../../examples/agents/threads/${program})`);
    expect(list).toContain(`(agents/threads/${program}) ([request](${thread}))`);
    expect(STORIES).toHaveProperty([`threads/${program.replace(".ts", "")}`]);
    const code = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("//"));
    expect(code.length, program).toBeLessThanOrEqual(30);
  }
});

test("every example of an agent is run", () => {
  const files = readdirSync(resolve(root, "examples/agents"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const loops = [...LOOPS, ...LARGE, ...APPROVED, ...LARGE_APPROVED, ...CONNECTED];
  const run = [...loops, ...Object.keys(STORIES), ...OTHERS].map((name) => `${name}.ts`);
  const advice = "an adapter has the example of its name, and others their output in STORIES of agent-examples.ts";
  expect(files.sort(), advice).toEqual(run.sort());
});

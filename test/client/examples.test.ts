import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

const run = promisify(execFile);

/** What an example prints. Fails where it fails, where it complains, and where it does not end. */
async function outputOf(name: string): Promise<string[]> {
  const { stdout, stderr } = await run(process.execPath, [`examples/${name}.ts`], {
    encoding: "utf8",
    timeout: 20_000,
    // No key and no address: an example needs nothing but the package.
    env: { PATH: process.env["PATH"], NODE_NO_WARNINGS: "1" },
  });
  expect(stderr).toBe("");
  return stdout.trimEnd().split("\n");
}

describe("the example", { timeout: 30_000 }, () => {
  test("connect-account sends a user to the page, reads the way back and acts through the account", async () => {
    expect(await outputOf("connect-account")).toEqual([
      expect.stringMatching(/^Send the browser to http:\/\/.+\/link\/lk_[\w-]+$/),
      expect.stringMatching(/^The browser comes back to .+\?status=success&connected_account_id=ca_[\w-]+$/),
      expect.stringMatching(/^ca_[\w-]+ is ACTIVE$/),
      "Opened https://github.example.com/octo-org/hello-world/issues/1",
    ]);
  });

  test("create-trigger receives the commit it listens for, once", async () => {
    expect(await outputOf("create-trigger")).toEqual([
      "Commit event needs owner and repo",
      expect.stringMatching(/^ti_[\w-]+ listens$/),
      "user-4711 sees a commit: Fix the typo",
      expect.stringMatching(/^ti_[\w-]+ rests$/),
    ]);
  });

  test("agent-session searches, connects and executes, and prints no key", async () => {
    const lines = await outputOf("agent-session");
    expect(lines).toEqual([
      expect.stringMatching(/^An MCP client reaches the session at http:\/\/.+\/trs_[\w-]+\/mcp with x-api-key$/),
      "GITHUB_CREATE_AN_ISSUE fits; not connected: github",
      expect.stringMatching(/^The agent asks its user to open http:\/\/.+\/link\/lk_[\w-]+$/),
      "Opened https://github.example.com/octo-org/hello-world/issues/1",
    ]);
    expect(lines.join()).not.toContain("ak_emulator");
  });

  test("upload-file gives a file to a tool and gets it back", async () => {
    expect(await outputOf("upload-file")).toEqual([
      "Stored letter.txt as file-1, 13 bytes",
      "Got text/plain: Dear Ada, …",
    ]);
  });

  test("call-anything reaches an operation without a method", async () => {
    expect(await outputOf("call-anything")).toEqual(["It is ca_of_0b5e now"]);
  });
});

test("an example fits a screen and says how to run it", () => {
  const mine = ["connect-account", "create-trigger", "agent-session", "upload-file", "call-anything"];
  for (const name of mine) {
    const lines = readFileSync(`examples/${name}.ts`, "utf8").split("\n");
    expect(lines.length, name).toBeLessThan(60);
    expect(lines[0], name).toContain(`node examples/${name}.ts`);
  }
});

test("an example imports what a user can import, and nothing else", () => {
  const imports = readdirSync("examples", { encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => [...readFileSync(`examples/${name}`, "utf8").matchAll(/ from "([^"]+)"/g)])
    .map(([, source]) => source ?? "");
  expect(imports.filter((source) => source.startsWith(".") || source.includes("/src/"))).toEqual([]);
});

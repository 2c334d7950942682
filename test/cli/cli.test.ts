import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.js";
import { Svc } from "../../src/index.js";
import { svc } from "./run.js";
import { directoryWith, emulated, receiver, service } from "./setups.js";

describe("svc-sdk", () => {
  test("every command lists its options and exit codes with --help, and is in the help of svc-sdk", async () => {
    const names = Object.keys(COMMANDS);
    const help = await Promise.all(names.map(async (name) => [name, await svc([name, "--help"])] as const));
    const { stdout: main } = await svc(["--help"]);
    for (const [name, { code, stdout, stderr }] of help) {
      expect([name, code, stderr]).toEqual([name, 0, ""]);
      const { command } = (await COMMANDS[name]?.[2]()) ?? {};
      for (const option of Object.keys(command?.options ?? {})) expect(stdout, name).toContain(`--${option}`);
      expect(stdout).toMatch(/^Exit codes$/m);
      expect(main).toContain(`  svc-sdk ${name} `);
    }
  });

  test.each([
    [["emulator", "--prot", "1"], "Unknown option '--prot'. Did you mean --port? See svc-sdk emulator --help."],
    [["emulator", "-port", "1"], "Write it with two dashes: --port. See svc-sdk emulator --help."],
    [["emulatr"], "Unknown command: emulatr. Did you mean emulator?"],
  ])("suggests the word that was meant: %j", async (words, message) => {
    const { code, stderr } = await svc(words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe("svc-sdk doctor", () => {
  test("exits with 0 if it finds nothing", async () => {
    const { url } = await service();
    const { code, stdout, stderr } = await svc("doctor", { env: { SVC_BASE_URL: url, SVC_API_KEY: "ak_emulator" } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("\nOK   service: responds with 200\n");
    expect(stdout).toMatch(/\n\nHealthy\.\n$/);
  });

  test("exits with 3 if it finds something, and prints it as text or JSON, without the key", async () => {
    const { SVC_BASE_URL } = (await emulated()).env;
    const revoked = { env: { SVC_BASE_URL, SVC_API_KEY: "ak_revoked" } };
    const [text, json] = await Promise.all([svc("doctor", revoked), svc("doctor --json", revoked)]);
    expect([text.code, json.code]).toEqual([3, 3]);
    expect(text.stdout).toContain(
      "FAIL key: SVC_API_KEY\n     The service rejects the key in SVC_API_KEY (401). [key_rejected]",
    );
    expect(text.stdout).toContain("     Fix: export SVC_API_KEY=<a new key>\n");
    expect(text.stdout).toContain("\n1 problem found.\n");
    const { ok, checks } = JSON.parse(json.stdout);
    expect(ok).toBe(false);
    expect(checks).toContainEqual({
      check: "key",
      state: "failed",
      detail: "SVC_API_KEY",
      findings: [expect.objectContaining({ id: "key_rejected", fix: "export SVC_API_KEY=<a new key>" })],
    });
    expect(text.stdout + json.stdout).not.toContain("ak_revoked");
  });

  test("exits with 2 for a receiver that isn't a URL", async () => {
    const { code, stderr } = await svc(["doctor", "--receiver", "localhost:3000"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--receiver must be a URL such as http://localhost:3000/webhooks.");
  });

  test.each(["deliveries", "trigger GITHUB_COMMIT_EVENT", "listen --forward-to http://localhost:3000"])(
    "says that SVC_BASE_URL needs a scheme before svc-sdk %s",
    async (line) => {
      const { code, stderr } = await svc(line, { env: { SVC_BASE_URL: "localhost:4747" } });
      expect([code, stderr]).toEqual([
        1,
        "svc-sdk: SVC_BASE_URL must be a URL that starts with http. Set it to the URL that svc-sdk emulator prints.\n",
      ]);
    },
  );

  test("exits with 2 for a timeout that a timer can't have", async () => {
    for (const seconds of ["0.0001", "3601", "x"]) {
      const { code, stderr } = await svc(["doctor", "--timeout", seconds], {
        env: { SVC_BASE_URL: "http://127.0.0.1:1" },
      });
      const message = `svc-sdk: --timeout must be a number of seconds from 0.001 to 3600, not ${seconds}.`;
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});

describe("svc-sdk call", () => {
  test("prints the response as JSON", async () => {
    const { env, emulator } = await emulated();
    const cwd = directoryWith({ "arguments.json": '{ "text": "abc" }' });
    const words = "call tools.execute TEXTKIT_REVERSE --user_id ada --version latest --arguments @arguments.json".split(
      " ",
    );
    const { code, stdout, stderr } = await svc(words, { env, cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ successful: true, data: { text: "cba" } });
    expect(emulator.requests.map(({ operation }) => operation)).toEqual(["tools.execute"]);
  });

  test("names the variable if no base URL is set", async () => {
    expect(await svc(["call", "tools.list", "--limit", "1"])).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "svc-sdk: SVC_BASE_URL isn't set. Set it to the service's URL, or to the URL that svc-sdk emulator prints.\n",
    });
  });

  test("reads standard input for one option, without the last newline", async () => {
    const { env } = await emulated();
    const read = await svc("call connectedAccounts.list --user_ids @-", { env, input: "user-4711\n" });
    expect(JSON.parse(read.stdout)).toMatchObject({ items: [{ user_id: "user-4711" }, {}, {}] });
    const reverse = "call tools.execute TEXTKIT_REVERSE --version latest";
    expect(await svc(`${reverse} --user_id @- --text @-`, { env, input: "ada\n" })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^svc-sdk: --(\w+): --(?!\1)\w+ reads standard input\. Pass one of them as @file\. See/,
      ),
    });
    const unreadable = await svc(`${reverse} --body -`, { env });
    expect(unreadable).toMatchObject({ code: 2, stderr: expect.stringMatching(/^svc-sdk: --body: Standard input is/) });
  });

  test.skipIf(!existsSync("/proc"))("says that a folder below /proc can't be created", async () => {
    const { env } = await emulated();
    const commands = [
      ["emulator", "--port", "0", "--data", "/proc/nowhere/data"],
      ["lock", "--toolkits", "textkit", "--out", "/proc/nowhere/svc.lock.json"],
      ["init", "/proc/nowhere/app", "--template", "node"],
    ];
    for (const words of commands) {
      const { code, stderr } = await svc(words, { env });
      expect(code, words.join(" ")).toBe(1);
      expect(stderr).toMatch(/^svc-sdk: .*ENOENT: no such file or directory, mkdir '\/proc\/nowhere'.*\n$/m);
    }
  });

  test("prints the service's error with its advice to standard error, and exits with 1", async () => {
    const { env } = await emulated();
    const { code, stdout, stderr } = await svc("call tools.get github_star", { env });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^svc-sdk: tools\.get: 404 Tool github_star not found\. Did you mean GITHUB_STAR_A_REPOSITORY\?/,
    );
  });

  test("exits with 2 for what only the client rejects, and with 1 for a missing key", async () => {
    const { env } = await emulated();
    const { SVC_API_KEY: _key, ...others } = { ...env, SVC_USER_API_KEY: "uak_emulator" };
    const ended = await Promise.all([
      svc("call tools.get X --version 1", { env }),
      svc(["call", "tools.get", ""], { env }),
      svc("call triggers.listActive", { env: others }),
    ]);
    expect(ended.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual([
      expect.stringMatching(/^2 .*version must be "latest" or look like .* See svc-sdk call tools\.get --help\.$/m),
      expect.stringMatching(/^2 .*tool_slug is empty/),
      expect.stringMatching(/^1 .*SVC_API_KEY/),
    ]);
  });

  test("exits with 2 for a misspelled operation, and suggests the right one", async () => {
    const ended = await Promise.all([svc(["call", "tools.lsit"]), svc(["call", "tools.exec", "X"])]);
    expect(ended.map(({ code }) => code)).toEqual([2, 2]);
    expect(ended.map(({ stderr }) => stderr.trim())).toEqual([
      "svc-sdk: Unknown operation: tools.lsit. Did you mean tools.list?",
      "svc-sdk: Unknown operation: tools.exec. Did you mean tools.execute?",
    ]);
  });
});

describe("the page about the command line", () => {
  const page = readFileSync("docs/guide/command-line.md", "utf8");
  const commands = [...page.matchAll(/^npx svc-sdk (.+)$/gm)].map(([, line = ""]) => line);

  test("shows commands that succeed, one after the other", async () => {
    const { env, emulator } = await emulated();
    const subscription = { webhook_url: "https://app.example.com/webhooks", enabled_events: ["svc.trigger.message"] };
    const cwd = directoryWith({ "session.json": "{}", ".config/fish/completions/x": "" });
    const secrets: Record<string, string> = {};
    for (const line of commands) {
      const url = line.includes("--receiver") ? await subscribe(secrets) : "";
      const shown = line.replace("http://localhost:3000/webhooks", url).replaceAll("~", cwd);
      const { code, stderr } = await svc(wordsIn(shown), { env: { ...env, ...secrets }, cwd });
      expect([line, code, stderr]).toEqual([line, 0, ""]);
    }
    expect(commands.length).toBeGreaterThan(6);

    async function subscribe(found: Record<string, string>): Promise<string> {
      const { webhookSubscriptions } = new Svc(emulator.connection);
      const { id, secret } = await webhookSubscriptions.create({
        ...subscription,
        enabled_events: ["svc.trigger.message"],
      });
      const webhook_url = await receiver(secret);
      await webhookSubscriptions.update(id, { webhook_url });
      found["SVC_WEBHOOK_SECRET"] = secret;
      return webhook_url;
    }
  });
});

/** The words of a command line, as a shell reads them. */
function wordsIn(line: string): string[] {
  return execFileSync("bash", ["--norc", "-c", `printf '%s\\0' ${line}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);
}

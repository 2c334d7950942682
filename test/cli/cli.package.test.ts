import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.js";
import { startEmulator } from "../../src/emulator/node.js";
import { Svc } from "../../src/index.js";
import { EXPIRED, SELF_SIGNED } from "../faults/certificates.js";
import { directoryWith, httpsServer, receiver, service } from "./setups.js";

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command line in a folder. */
function svc(
  words: readonly string[],
  environment: Record<string, string> = {},
  cwd = directoryWith(),
): Promise<Ended> {
  return run(process.execPath, [resolve("dist/cli.js"), ...words], environment, cwd);
}

function run(
  program: string,
  words: readonly string[],
  environment: Record<string, string>,
  cwd: string,
): Promise<Ended> {
  const env = { PATH: process.env["PATH"] ?? "", ...environment };
  return new Promise((done) => {
    execFile(program, words, { cwd, env }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

async function emulated() {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  const { baseUrl, apiKey = "" } = emulator.connection;
  return { emulator, environment: { SVC_BASE_URL: baseUrl, SVC_API_KEY: apiKey } };
}

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
  test("exits with 0 if it finds nothing, over https too", async () => {
    const { listener } = await service();
    const cwd = directoryWith({ "ca.pem": SELF_SIGNED.cert });
    const environment = {
      SVC_BASE_URL: await httpsServer(SELF_SIGNED, listener),
      SVC_API_KEY: "ak_emulator",
      NODE_EXTRA_CA_CERTS: join(cwd, "ca.pem"),
    };
    const { code, stdout, stderr } = await svc(["doctor"], environment, cwd);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("\nok    service: responds with 200\n");
    expect(stdout).toMatch(/\n\nHealthy\.\n$/);
  });

  test("exits with 1 if it finds something, and prints it as text or JSON, without the key", async () => {
    const { environment } = await emulated();
    const revoked = { ...environment, SVC_API_KEY: "ak_revoked" };
    const [text, json] = await Promise.all([svc(["doctor"], revoked), svc(["doctor", "--json"], revoked)]);
    expect([text.code, json.code]).toEqual([1, 1]);
    expect(text.stdout).toContain(
      "FOUND key: SVC_API_KEY\n        The service rejects the key in SVC_API_KEY (401). [key_rejected]",
    );
    expect(text.stdout).toContain("        Fix: export SVC_API_KEY=<a new key>\n");
    expect(text.stdout).toContain("\n1 finding. ");
    const { ok, checks } = JSON.parse(json.stdout);
    expect(ok).toBe(false);
    expect(checks).toContainEqual({
      check: "key",
      state: "found",
      detail: "SVC_API_KEY",
      findings: [expect.objectContaining({ id: "key_rejected", fix: "export SVC_API_KEY=<a new key>" })],
    });
    expect(text.stdout + json.stdout).not.toContain("ak_revoked");
  });

  test.each([
    ["an expired certificate", "certificate_expired", "openssl x509 -noout -dates", EXPIRED, "127.0.0.1"],
    ["a certificate of another host", "certificate_of_another_host", "SVC_BASE_URL=", SELF_SIGNED, "localhost"],
  ])("names %s, and what fixes it", async (_, id, fix, certificate, host) => {
    const url = await httpsServer(certificate, (_request, response) => response.end());
    const cwd = directoryWith({ "ca.pem": certificate.cert });
    const environment = {
      SVC_BASE_URL: url.replace("127.0.0.1", host),
      SVC_API_KEY: "ak_emulator",
      NODE_EXTRA_CA_CERTS: join(cwd, "ca.pem"),
    };
    const { stdout } = await svc(["doctor", "--json"], environment, cwd);
    const findings = JSON.parse(stdout).checks.flatMap((check: { findings: object[] }) => check.findings);
    expect(findings).toEqual([expect.objectContaining({ id, fix: expect.stringContaining(fix) })]);
  });

  test("names a proxy that gets the requests for this machine", async () => {
    const proxy = { HTTP_PROXY: "http://proxy.invalid:3128", NODE_USE_ENV_PROXY: "1" };
    const environment = { SVC_BASE_URL: "http://127.0.0.1:1", SVC_API_KEY: "ak_emulator", ...proxy };
    const { stdout } = await svc(["doctor"], environment);
    expect(stdout).toMatch(
      /HTTP_PROXY sends its requests.* \[proxy_for_loopback\]\n.*\n +Fix: export NO_PROXY=127\.0\.0\.1\n/,
    );
  });

  test("exits with 2 for a receiver that isn't a URL", async () => {
    const { code, stderr } = await svc(["doctor", "--receiver", "localhost:3000"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--receiver must be a URL such as http://localhost:3000/webhooks.");
  });

  test("exits with 2 for a timeout that a timer can't have", async () => {
    for (const seconds of ["0.0001", "3601", "x"]) {
      const { code, stderr } = await svc(["doctor", "--timeout", seconds], { SVC_BASE_URL: "http://127.0.0.1:1" });
      const message = `svc-sdk: --timeout must be a number of seconds from 0.001 to 3600, not ${seconds}.`;
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});

describe("svc-sdk call", () => {
  test("prints the response as JSON", async () => {
    const { environment, emulator } = await emulated();
    const cwd = directoryWith({ "arguments.json": '{ "text": "abc" }' });
    const words = "call tools.execute TEXTKIT_REVERSE --user_id ada --version latest --arguments @arguments.json".split(
      " ",
    );
    const { code, stdout, stderr } = await svc(words, environment, cwd);
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

  test("reads standard input, and stops without a message if its reader does", async () => {
    const { environment } = await emulated();
    const command = `"${process.execPath}" "${resolve("dist/cli.js")}" call`;
    const body = '{"user_id":"ada","version":"latest","arguments":{"text":"abc"}}';
    const read = await run(
      "bash",
      ["-c", `echo '${body}' | ${command} tools.execute TEXTKIT_REVERSE --body -`],
      environment,
      ".",
    );
    expect(JSON.parse(read.stdout)).toMatchObject({ data: { text: "cba" } });
    const closed = await run("bash", ["--norc", "-c", `set -o pipefail; ${command} --help | true`], environment, ".");
    // As of a program that SIGPIPE ended, so that a script with pipefail notices.
    expect(closed).toEqual({ code: 141, stdout: "", stderr: "" });
  });

  test("reads standard input for one option, without the last newline", async () => {
    const { environment } = await emulated();
    const bash = (line: string) => run("bash", ["--norc", "-c", line], environment, ".");
    const command = `"${process.execPath}" "${resolve("dist/cli.js")}" call`;
    const read = await bash(`echo user-4711 | ${command} connectedAccounts.list --user_ids @-`);
    expect(JSON.parse(read.stdout)).toMatchObject({ items: [{ user_id: "user-4711" }, {}, {}] });
    const reverse = `${command} tools.execute TEXTKIT_REVERSE --version latest`;
    expect(await bash(`echo ada | ${reverse} --user_id @- --text @-`)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^svc-sdk: --(\w+): --(?!\1)\w+ reads standard input\. Pass one of them as @file\. See/,
      ),
    });
    const folder = await bash(`${reverse} --body - < /`);
    expect(folder).toMatchObject({ code: 2, stderr: expect.stringMatching(/^svc-sdk: --body: EISDIR: /) });
  });

  test.skipIf(!existsSync("/dev/full"))("says that its output can't be written, and exits with 1", async () => {
    const { environment } = await emulated();
    for (const words of ["--help", "--version", "call tools.list", "lock --help"]) {
      const line = `"${process.execPath}" "${resolve("dist/cli.js")}" ${words} > /dev/full`;
      expect(await run("bash", ["--norc", "-c", line], environment, ".")).toEqual({
        code: 1,
        stdout: "",
        stderr: "svc-sdk: the output can't be written: ENOSPC: no space left on device, write. Some of it is lost.\n",
      });
    }
  });

  test.skipIf(!existsSync("/proc"))("says that a folder below /proc can't be created", async () => {
    const { environment } = await emulated();
    const commands = [
      ["emulator", "--port", "0", "--data", "/proc/nowhere/data"],
      ["lock", "--toolkits", "textkit", "--out", "/proc/nowhere/svc.lock.json"],
      ["init", "/proc/nowhere/app", "--template", "node"],
    ];
    for (const words of commands) {
      const { code, stderr } = await svc(words, environment);
      expect(code, words.join(" ")).toBe(1);
      expect(stderr).toMatch(/^svc-sdk: .*ENOENT: no such file or directory, mkdir '\/proc\/nowhere'.*\n$/m);
    }
  });

  test("prints the service's error with its advice to standard error, and exits with 1", async () => {
    const { environment } = await emulated();
    const { code, stdout, stderr } = await svc(["call", "tools.get", "github_star"], environment);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^svc-sdk: tools\.get: 404 Tool github_star not found\. Did you mean GITHUB_STAR_A_REPOSITORY\?/,
    );
  });

  test("exits with 2 for what only the client rejects, and with 1 for a missing key", async () => {
    const { environment } = await emulated();
    const { SVC_API_KEY: _key, ...others } = { ...environment, SVC_USER_API_KEY: "uak_emulator" };
    const ended = await Promise.all([
      svc(["call", "tools.get", "X", "--version", "1"], environment),
      svc(["call", "tools.get", ""], environment),
      svc(["call", "triggers.listActive"], others),
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

  test("lists every command as svc-sdk --help does", () => {
    const listed = Object.entries(COMMANDS).map(([name, [, summary]]) => `svc-sdk ${name} | ${summary}`.toLowerCase());
    const rows = [...page.matchAll(/^\| `(svc-sdk [\w-]+)` \| (.+?)(?:: \[.+)? \|$/gm)];
    expect(rows.map(([, name, text]) => `${name} | ${text}`.toLowerCase())).toEqual(listed);
  });

  test("shows commands that succeed, one after the other", async () => {
    const { environment, emulator } = await emulated();
    const subscription = { webhook_url: "https://app.example.com/webhooks", enabled_events: ["svc.trigger.message"] };
    const cwd = directoryWith({ "session.json": "{}", ".config/fish/completions/x": "" });
    const secrets: Record<string, string> = {};
    for (const line of commands) {
      const url = line.includes("--receiver") ? await subscribe(secrets) : "";
      const shown = line.replace("http://localhost:3000/webhooks", url).replaceAll("~", cwd);
      const command = `"${process.execPath}" "${resolve("dist/cli.js")}" ${shown}`;
      const { code, stderr } = await run("bash", ["--norc", "-c", command], { ...environment, ...secrets }, cwd);
      expect([line, code, stderr]).toEqual([line, 0, ""]);
    }
    expect(commands.length).toBeGreaterThan(9);

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

import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.js";
import { Svc } from "../../src/index.js";
import { EXPIRED, SELF_SIGNED } from "../faults/certificates.js";
import { eventually } from "../support/eventually.js";
import { longTest, sized } from "../support/size.js";
import { cliInShell, cliWith, emulator, started, stop } from "./cli-process.js";
import { type Ended, svc } from "./run.js";
import { directoryWith, emulated, httpServer, httpsServer, service } from "./setups.js";

type Environment = Readonly<Record<string, string>>;

const CLI = `"${process.execPath}" "${resolve("dist/cli.js")}"`;

/** Runs a line of a shell. */
function bash(line: string, environment: Environment = {}, cwd = directoryWith()): Promise<Ended> {
  const env = { PATH: process.env["PATH"] ?? "", ...environment };
  return new Promise((done) => {
    execFile("bash", ["--norc", "-c", line], { cwd, env }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/** A command line, with its exit code and the stream that it prints to. A command that isn't here is run with `--help`. */
const LINES: Readonly<Record<string, readonly [line: string, code: number, stdout: RegExp, stderr: RegExp]>> = {
  init: ["init app --template node", 0, /^Wrote \d+ files to app:\n/, /^$/],
  doctor: ["doctor", 0, /\nHealthy\.\n$/, /^$/],
  generate: ["generate --toolkits slack --out svc.gen.ts", 0, /\nWrote svc\.gen\.ts\.\n$/, /^$/],
  lock: ["lock --check", 3, /^reworded SLACK_/, /^$/],
  policy: ["policy check policy.json --calls calls.json", 3, /^! deny /, /^$/],
  audit: ["audit verify calls.jsonl", 2, /^$/, /^svc-sdk: SVC_AUDIT_KEYS is missing/],
  tools: ["tools --toolkit textkit", 0, /^TEXTKIT_\w+ {2}\d{8}_\d\d {2}\w/, /^$/],
  call: ["call tools.get NOTHING_AT_ALL", 1, /^$/, /^svc-sdk: tools\.get: 404 /],
  emulator: ["emulator --port many", 2, /^$/, /^svc-sdk: --port must be an integer/],
  listen: ["listen", 2, /^$/, /^svc-sdk: --forward-to is missing/],
  trigger: ["trigger GITHUB_COMMIT_EVENT", 0, /^Fired msg_/, /^Created ti_/],
  resend: ["resend wd_none", 1, /^$/, /^svc-sdk: /],
  deliveries: ["deliveries", 0, /^$/, /^No deliveries yet\.\n$/],
};

/** `script` runs a command in a terminal of its own. Debian and macOS have it, with different arguments. */
const hasTerminals = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux");

describe("a process of svc-sdk", () => {
  test.each(sized(["lock"], Object.keys(COMMANDS)))("%s has its exit code and its streams", async (name) => {
    const { env: environment, emulator: running } = await emulated();
    const cwd = directoryWith({ "policy.json": '{"rules":[]}', "calls.json": '[{"tool":"X","expect":"allow"}]' });
    const [line, code, stdout, stderr] = LINES[name] ?? [`${name} --help`, 0, /^svc-sdk /, /^$/];
    if (name === "lock") {
      await svc("lock --toolkits slack", { env: environment, cwd });
      running.catalog.publish("slack", "20990101_00", { tools: { SLACK_SEND_MESSAGE: { description: "Other." } } });
    }
    const ended = await bash(`${CLI} ${line}`, environment, cwd);
    expect(ended).toEqual({ code, stdout: expect.stringMatching(stdout), stderr: expect.stringMatching(stderr) });
  });

  test.skipIf(!hasTerminals)("asks in a terminal, and takes answers that were pasted together", () => {
    const cwd = directoryWith();
    const options = { cwd, input: "node\nagent\n", encoding: "utf8", timeout: 20_000 } as const;
    const { stdout, status } = spawnSync("script", ["-qec", `${CLI} init app`, "/dev/null"], options);
    expect(status).toBe(0);
    expect(stdout).toContain("Template: node (plain Node)");
    expect(stdout).toContain("Kind: agent (a model executes tools)");
    expect(existsSync(join(cwd, "app/task.ts"))).toBe(true);
  });

  test.skipIf(!hasTerminals).each(["\u0003", "\u0004"])("writes nothing after %j at its last question", async (key) => {
    const cwd = directoryWith();
    const child = spawn("script", ["-qec", `${CLI} init app`, "/dev/null"], { cwd });
    onTestFinished(() => void child.kill("SIGKILL"));
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    const ended = once(child, "close");
    await eventually(() => expect(stdout).toContain("Template: "));
    child.stdin.write("node\n");
    await eventually(() => expect(stdout).toContain("Kind: "));
    child.stdin.write(key);
    expect(await ended).toEqual([130, null]);
    expect(existsSync(join(cwd, "app"))).toBe(false);
  });

  test("reads a pipe, and stops without a message if its reader does", async () => {
    const { env: environment } = await emulated();
    const body = '{"user_id":"ada","version":"latest","arguments":{"text":"abc"}}';
    const read = await bash(`echo '${body}' | ${CLI} call tools.execute TEXTKIT_REVERSE --body -`, environment);
    expect(JSON.parse(read.stdout)).toMatchObject({ data: { text: "cba" } });
    // As of a program that SIGPIPE ended, so that a script with pipefail notices.
    expect(await bash(`set -o pipefail; ${CLI} call --help | true`)).toEqual({ code: 141, stdout: "", stderr: "" });
  });

  longTest("can't read a folder", async () => {
    const { env: environment } = await emulated();
    const folder = await bash(`${CLI} call tools.execute TEXTKIT_REVERSE --body - < /`, environment);
    expect(folder).toMatchObject({ code: 2, stderr: expect.stringMatching(/^svc-sdk: --body: EISDIR: /) });
  });

  longTest("says that its output can't be written, and exits with 1", async (context) => {
    context.skip(!existsSync("/dev/full"), "needs /dev/full, which Linux has");
    const { env: environment } = await emulated();
    for (const words of ["--version", "call tools.list"]) {
      expect(await bash(`${CLI} ${words} > /dev/full`, environment)).toEqual({
        code: 1,
        stdout: "",
        stderr: "svc-sdk: the output can't be written: ENOSPC: no space left on device, write. Some of it is lost.\n",
      });
    }
  });

  test.each(sized([], ["SIGINT", "SIGTERM", "SIGHUP"] as const))("emulator exits with 0 after %s", async (signal) => {
    const running = await emulator("--log", "none");
    expect(await stop(running, signal)).toMatchObject({ code: 0, stderr: "" });
  });

  const parents: readonly (readonly [end: string, line: string])[] = [
    ["npx is killed, which starts it in a shell", 'sh -c "$cli emulator --port 0 --exit-with-parent; true" & wait'],
    ["its parent is killed", "$cli emulator --port 0 --exit-with-parent & wait"],
  ];
  test.each(sized([], parents))("emulator --exit-with-parent ends when %s", async (_end, line) => {
    const running = await started(cliInShell(line));
    // The emulator keeps the output open until it has ended.
    expect(await stop(running, "SIGKILL")).toMatchObject({ code: null, stderr: "" });
    await expect(fetch(running.url)).rejects.toThrow("fetch failed");
  });

  test.each(sized([], ["SIGHUP", "EPIPE"] as const))("listen deletes its subscription after %s", async (end) => {
    const { emulator: running, env: environment } = await emulated();
    const { webhookSubscriptions } = new Svc({ ...running.connection, env: {} });
    const url = `${await httpServer((_, response) => response.end())}/webhooks`;
    const listening = cliWith({ ...process.env, ...environment }, "listen", "--forward-to", url);
    await eventually(() => expect(listening.stdout()).toContain("event types in V3"));
    expect((await webhookSubscriptions.list()).items).toHaveLength(1);
    if (end === "SIGHUP") listening.process.kill(end);
    else {
      listening.process.stdout?.destroy();
      running.accounts.expire("ca_github_demo");
    }
    const { code, stderr } = await listening.ended;
    expect([code, stderr]).toEqual([end === "SIGHUP" ? 0 : 141, ""]);
    expect((await webhookSubscriptions.list()).items).toEqual([]);
  });
});

/** Node reads certificates and proxies from its own environment. */
describe("svc-sdk doctor", () => {
  /** Runs the doctor for a service with a certificate that the process trusts. */
  async function trusting(certificate: { key: string; cert: string }, host: string) {
    const { listener } = await service();
    const url = await httpsServer(certificate, listener);
    const cwd = directoryWith({ "ca.pem": certificate.cert });
    const SVC_BASE_URL = url.replace("127.0.0.1", host);
    const env = { SVC_BASE_URL, SVC_API_KEY: "ak_emulator", NODE_EXTRA_CA_CERTS: join(cwd, "ca.pem") };
    const { stdout } = await bash(`${CLI} doctor --json`, env, cwd);
    return JSON.parse(stdout).checks.flatMap((check: { findings: object[] }) => check.findings);
  }

  const isLong = sized(false, true);

  longTest("names an expired certificate, and what fixes it", async () => {
    const fix = expect.stringContaining("openssl x509 -noout -dates");
    expect(await trusting(EXPIRED, "127.0.0.1")).toEqual([expect.objectContaining({ id: "certificate_expired", fix })]);
  });

  test.runIf(isLong)("names a certificate of another host, and finds nothing with the right one", async () => {
    const finding = { id: "certificate_of_another_host", fix: expect.stringContaining("SVC_BASE_URL=") };
    expect(await trusting(SELF_SIGNED, "localhost")).toEqual([expect.objectContaining(finding)]);
    expect(await trusting(SELF_SIGNED, "127.0.0.1")).toEqual([]);
  });

  longTest("names a proxy that gets the requests for this machine", async () => {
    const proxy = { HTTP_PROXY: "http://proxy.invalid:3128", NODE_USE_ENV_PROXY: "1" };
    const environment = { SVC_BASE_URL: "http://127.0.0.1:1", SVC_API_KEY: "ak_emulator", ...proxy };
    const { stdout } = await bash(`${CLI} doctor`, environment);
    expect(stdout).toMatch(
      /HTTP_PROXY sends its requests.* \[proxy_for_loopback\]\n.*\n +Fix: export NO_PROXY=127\.0\.0\.1\n/,
    );
  });
});

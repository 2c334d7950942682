import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.js";
import { eventually } from "../support/eventually.js";
import { emulatorCommand, svc } from "./run.js";

function seedFile(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-seed-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "seed.json");
  writeFileSync(file, content);
  return file;
}

/** Two free ports, one after the other. */
async function twoPorts(): Promise<readonly [number, number]> {
  for (;;) {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    // A server listening on a port always returns this type.
    const { port } = server.address() as AddressInfo;
    const next = createServer().listen(port + 1, "127.0.0.1");
    const isFree = await Promise.race([once(next, "listening"), once(next, "error").then(() => false)]);
    await Promise.all([server, next].map((each) => new Promise((resolve) => each.close(resolve))));
    if (isFree) return [port, port + 1];
  }
}

const headers = { "x-api-key": "ak_emulator" };

describe("help", () => {
  test.each([[], ["--help"], ["-h"], ["help"]])("svc-sdk %s prints the commands and exit codes", async (...line) => {
    const { code, stdout, stderr } = await svc(line);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("svc-sdk emulator [options]");
    expect(stdout).toMatch(/0 {2}done\n {2}1 {2}error; .*\n {2}2 {2}invalid command line/);
  });

  test("svc-sdk help prints the help of a command or an operation", async () => {
    for (const words of [["emulator"], ["call", "tools.list"]]) {
      expect(await svc(["help", ...words])).toEqual(await svc([...words, "--help"]));
    }
  });

  test.each(["--help", "-h"])("svc-sdk emulator %s prints every option and starts nothing", async (flag) => {
    const { code, stdout, stderr } = await svc(["emulator", flag]);
    expect([code, stderr]).toEqual([0, ""]);
    for (const option of [
      "--port",
      "--host",
      "--allowed-host",
      "--data",
      "--seed",
      "--catalog",
      "--toolkits",
      "--rate-limit",
      "--window",
      "--unknown-fields",
      "--log",
      "--model",
      "--exit-with-parent",
      "--help",
    ]) {
      expect(stdout).toContain(option);
    }
    expect(stdout).not.toContain("is listening on");
  });
});

describe("svc-sdk emulator", () => {
  test("prints its URL and keys, then one line per request, and exits with 0 on Ctrl-C", async () => {
    const running = await emulatorCommand();
    expect(running.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(running.stdout()).toBe(
      [
        `Inspector: open ${running.url}`,
        `The emulator is listening on ${running.url}. Connect with:`,
        "",
        `export SVC_BASE_URL=${running.url}`,
        "export SVC_API_KEY=ak_emulator",
        "export SVC_USER_API_KEY=uak_emulator",
        "export SVC_ORG_API_KEY=oak_emulator",
        "",
        "",
      ].join("\n"),
    );
    await fetch(`${running.url}/api/v3.1/tools?limit=1`, { headers });
    await fetch(`${running.url}/nowhere`);
    await fetch(`${running.url}/_emulator/faults`, {
      method: "POST",
      body: JSON.stringify({ operation: "*", fault: { connection: "reset" } }),
    });
    await fetch(`${running.url}/api/v3.1/tools/enum`, { headers }).catch(() => undefined);
    const { code, stdout, stderr } = await running.stop();
    expect([code, stderr]).toEqual([0, ""]);
    const log = stdout.split("\n\n").at(-1) ?? "";
    expect(log.match(/^\d\d:\d\d:\d\d /gm)).toHaveLength(4);
    expect(log.replaceAll(/^[\d:]+ /gm, "").replaceAll(/\d+ ms/g, "1 ms")).toBe(
      [
        "200 GET /api/v3.1/tools?limit=1  tools.list  1 ms",
        "404 GET /nowhere  1 ms  No GET /nowhere",
        "200 POST /_emulator/faults  control",
        "broken GET /api/v3.1/tools/enum  tools.listSlugs  1 ms  fault: reset",
        "",
      ].join("\n"),
    );
  });

  test("--model serves a model, and prints the variables of its clients", async () => {
    const running = await emulatorCommand(["--model"]);
    const lines = running.stdout().match(/^export \w+=\S+$/gm) ?? [];
    const env = Object.fromEntries(lines.map((line) => line.replace("export ", "").split(/=(.*)/)));
    expect(Object.keys(env).slice(-6)).toEqual([
      "OPENAI_BASE_URL",
      "OPENAI_API_KEY",
      "ANTHROPIC_BASE_URL",
      "ANTHROPIC_API_KEY",
      "GOOGLE_GEMINI_BASE_URL",
      "GEMINI_API_KEY",
    ]);
    const tools = ["count_words", "open_issue"].map((name) => ({ type: "function", name, parameters: {} }));
    const response = await fetch(`${env["OPENAI_BASE_URL"]}/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${env["OPENAI_API_KEY"]}` },
      body: JSON.stringify({ model: "m", input: "Open two issues.", tools }),
    });
    expect(await response.json()).toMatchObject({ output: [{ type: "function_call", name: "open_issue" }] });
    expect(await running.stop()).toMatchObject({ code: 0, stderr: "" });
    await expect(fetch(env["OPENAI_BASE_URL"] ?? "")).rejects.toThrow();
  });

  test("--model ends the command if the port after the emulator's is taken", async () => {
    const [port, taken] = await twoPorts();
    const server = createServer().listen(taken, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const ended = await svc(["emulator", "--model", "--port", String(port)]);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(`can't listen on 127.0.0.1:${taken}`) });
  });

  test("--log json prints records, --log none prints nothing", async () => {
    const json = await emulatorCommand(["--log", "json"]);
    await fetch(`${json.url}/api/v3.1/tools/enum`, { headers });
    const { stdout } = await json.stop();
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    const request = { method: "GET", path: "/api/v3.1/tools/enum", operation: "tools.listSlugs", status: 200 };
    expect(lines).toMatchObject([
      { type: "started", url: json.url, env: { SVC_BASE_URL: json.url, SVC_API_KEY: "ak_emulator" } },
      { type: "request", request },
    ]);
    const none = await emulatorCommand(["--log", "none"]);
    await fetch(`${none.url}/api/v3.1/tools/enum`, { headers });
    expect((await none.stop()).stdout.split("\n\n").at(-1)).toBe("");
  });

  test("--rate-limit and --window set the rate limit", async () => {
    const running = await emulatorCommand(["--rate-limit", "7", "--window=2"]);
    const answer = await fetch(`${running.url}/api/v3.1/tools/enum`, { headers });
    expect(answer.headers.get("x-ratelimit")).toBe("7");
    expect(answer.headers.get("x-ratelimit-remaining")).toBe("6");
    expect(answer.headers.get("x-ratelimit-window-size")).toBe("2s");
  });

  test("--unknown-fields ignore accepts fields that it doesn't know", async () => {
    const statusOf = async (...options: string[]) => {
      const { url } = await emulatorCommand(["--log", "none", ...options]);
      const body = JSON.stringify({ user_id: "user-4711", version: "latest", arguments: { text: "abc" }, fromNow: 1 });
      const init = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
      return (await fetch(`${url}/api/v3.1/tools/execute/TEXTKIT_REVERSE`, init)).status;
    };
    expect(await statusOf()).toBe(400);
    expect(await statusOf("--unknown-fields=reject")).toBe(400);
    expect(await statusOf("--unknown-fields", "ignore")).toBe(200);
  });

  test("--exit-with-parent ends it when its parent has ended", async () => {
    const tied = await emulatorCommand(["--exit-with-parent", "--log", "none"]);
    const free = await emulatorCommand(["--log", "none"]);
    free.endParent();
    tied.endParent();
    expect(await tied.ended).toMatchObject({ code: 0, stderr: "" });
    expect((await fetch(`${free.url}/_emulator/health`)).status).toBe(200);
  });

  test("--allowed-host allows additional host names, and can be repeated", async () => {
    const running = await emulatorCommand(["--allowed-host", "one.test", "--allowed-host=two.test", "--log", "none"]);
    const statusUnder = (host: string) =>
      new Promise((resolve, reject) => {
        const options = {
          port: new URL(running.url).port,
          path: "/api/v3.1/tools/enum",
          headers: { ...headers, host },
        };
        get(options, (response) => resolve(response.resume().statusCode)).on("error", reject);
      });
    const hosts = ["one.test", "two.test:80", "localhost", "three.test"];
    expect(await Promise.all(hosts.map(statusUnder))).toEqual([200, 200, 200, 403]);
  });

  test("--host listens on another interface, with a URL that works on this machine", async () => {
    const running = await emulatorCommand(["--host", "0.0.0.0"]);
    expect(running.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${running.url}/api/v3.1/tools/enum`, { headers })).status).toBe(200);
  });

  test("--seed replaces the demo's keys and records", async () => {
    const seed = {
      keys: [{ kind: "apiKey", value: "ak_mine" }],
      authConfigs: [{ id: "ac_mine", toolkit: "slack" }],
    };
    const running = await emulatorCommand(["--seed", seedFile(JSON.stringify(seed))]);
    expect(running.stdout()).toContain("export SVC_API_KEY=ak_mine\n");
    expect(running.stdout()).not.toContain("SVC_USER_API_KEY");
    const answer = await fetch(`${running.url}/api/v3/auth_configs`, { headers: { "x-api-key": "ak_mine" } });
    expect(await answer.json()).toMatchObject({ items: [{ id: "ac_mine" }], total_items: 1 });
  });

  test("ends on Ctrl-C while requests are in flight", async () => {
    const running = await emulatorCommand(["--log", "none"]);
    for (const fault of [{ connection: "hang" }, { delayMs: 3_600_000 }]) {
      const body = JSON.stringify({ operation: "tools.listSlugs", fault });
      await fetch(`${running.url}/_emulator/faults`, { method: "POST", body });
    }
    const waiting = [1, 2].map(() => fetch(`${running.url}/api/v3.1/tools/enum`, { headers }).catch(() => "broken"));
    await eventually(async () => {
      const snapshot: unknown = await (await fetch(`${running.url}/_emulator/snapshot`)).json();
      expect(snapshot).toMatchObject({ faults: { rules: [{ remaining: 0 }, { remaining: 0 }] } });
    });
    expect(await running.stop()).toMatchObject({ code: 0, stderr: "" });
    expect(await Promise.all(waiting)).toEqual(["broken", "broken"]);
  });
});

const NAMES = Object.keys(COMMANDS).join(", ");

describe("exits with 2 and one clear line for an invalid command line", () => {
  test.each([
    [["emulate"], "svc-sdk: Unknown command: emulate. Did you mean emulator?"],
    [["constructor"], `svc-sdk: Unknown command: constructor. Commands: ${NAMES}.`],
    [["--version-of-what"], `svc-sdk: Unknown command: --version-of-what. Commands: ${NAMES}.`],
    [["-v", "emulator"], "svc-sdk: Unexpected argument emulator. Pass -v alone."],
    [["--version", "--json"], "svc-sdk: Unexpected argument --json. Pass --version alone."],
    [["emulator", "--prot", "1"], /^svc-sdk: Unknown option '--prot'.* See svc-sdk emulator --help\.$/],
    [["trigger", "A", "--payload"], /^svc-sdk: Unknown option '--payload'\. See svc-sdk trigger --help\.$/],
    [["emulator", "extra"], /^svc-sdk: Unexpected argument 'extra'.* See svc-sdk emulator --help\.$/],
    [["emulator", "--port"], /^svc-sdk: .*--port <value>.* See svc-sdk emulator --help\.$/],
    [
      ["emulator", "--port", "many"],
      "svc-sdk: --port must be an integer from 0 to 65535, not many. See svc-sdk emulator --help.",
    ],
    [
      ["emulator", "--port", "65536"],
      "svc-sdk: --port must be an integer from 0 to 65535, not 65536. See svc-sdk emulator --help.",
    ],
    [
      ["emulator", "--host", ""],
      "svc-sdk: --host must be an IP address or host name, not empty. See svc-sdk emulator --help.",
    ],
    [["emulator", "--port="], /^svc-sdk: --port must be an integer from 0 to 65535, not .*\.$/],
    [
      ["emulator", "--rate-limit", "0"],
      "svc-sdk: --rate-limit must be an integer from 1 to 1000000000, not 0. See svc-sdk emulator --help.",
    ],
    [
      ["emulator", "--window", "1.5"],
      "svc-sdk: --window must be an integer from 1 to 86400, not 1.5. See svc-sdk emulator --help.",
    ],
    [["emulator", "--log", "xml"], "svc-sdk: --log must be lines, json or none, not xml. See svc-sdk emulator --help."],
    [
      ["emulator", "--unknown-fields", "allow"],
      "svc-sdk: --unknown-fields must be reject or ignore, not allow. See svc-sdk emulator --help.",
    ],
    [
      ["emulator", "--log", "xml", "--allowed-host"],
      /^svc-sdk: .*--allowed-host <value>.* See svc-sdk emulator --help\.$/,
    ],
    [
      ["emulator", "--log", "constructor"],
      "svc-sdk: --log must be lines, json or none, not constructor. See svc-sdk emulator --help.",
    ],
  ])("svc %j", async (line, message) => {
    const { code, stdout, stderr } = await svc(line);
    expect([code, stdout]).toEqual([2, ""]);
    const said = stderr.replace(/\n$/, "");
    if (typeof message === "string") expect(said).toBe(message);
    else expect(said).toMatch(message);
  });
});

describe("exits with 1 and a reason on failure", () => {
  test("for a port that is taken", async () => {
    const server = createServer();
    onTestFinished(() => {
      server.close();
    });
    const port = await new Promise<number>((resolve, reject) => {
      server.listen(0, "127.0.0.1", () => {
        const bound = server.address();
        if (typeof bound === "object" && bound !== null) resolve(bound.port);
        else reject(new Error("The server has no port."));
      });
    });
    const { code, stderr } = await svc(["emulator", "--port", String(port)]);
    expect([code, stderr]).toEqual([
      1,
      `svc-sdk: The emulator cannot listen on 127.0.0.1:${port}: the port is taken. Choose another port (svc-sdk emulator --port), or 0 for any free one.\n`,
    ]);
  });

  test.each([
    ["that is missing", () => "/no/such/seed.json", /^svc-sdk: Can't read the seed \/no\/such\/seed\.json: ENOENT/],
    ["that isn't JSON", () => seedFile("{"), /^svc-sdk: The seed .*seed\.json isn't valid JSON: /],
    ["with the wrong shape", () => seedFile('{"keys":{}}'), /^svc-sdk: The emulator's seed is invalid: keys: /],
    [
      "with an unknown toolkit",
      () => seedFile('{"authConfigs":[{"id":"ac_x","toolkit":"nope"}]}'),
      /^svc-sdk: The emulator's seed is invalid: the auth config ac_x refers to the unknown toolkit nope/,
    ],
  ])("for a seed %s", async (_case, file, message) => {
    const { code, stdout, stderr } = await svc(["emulator", "--port", "0", "--seed", file()]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

import { createHash } from "node:crypto";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../../src/emulator/node.js";
import { Svc } from "../../../src/index.js";
import { FRONTS, type Front, testSeed } from "../fronts.js";

const HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const policy = (formAction: string) =>
  `default-src 'none'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`;

/** The policy of a page, which allows its own style and no other. */
function pagePolicy(html: string, formAction: string): string {
  const style = /<style>([^<]*)<\/style>/.exec(html)?.[1] ?? "";
  return `${policy(formAction)}; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`;
}

const pick = (headers: Headers) => Object.fromEntries(Object.keys(HEADERS).map((name) => [name, headers.get(name)]));

async function link({ svc }: Pick<Front, "svc">, more: { callback_url?: string; auth_config_id?: string } = {}) {
  const made = await svc.connectedAccounts.link({ auth_config_id: "ac_github_demo", user_id: "ada", ...more });
  return new URL(made.redirect_url).pathname;
}

describe.each(FRONTS)("HTML of the emulator, %s", (_, open) => {
  test.each([
    [undefined, "'self'"],
    ["https://app.example/done", "'self' https:"],
    ["http://localhost:3000/done", "'self' http:"],
    ["https://a;b,c.example/done", "'self' https:"],
  ])("posts only to itself and to the callback: %s", async (callback_url, formAction) => {
    const front = await open();
    const { headers, text } = await front.raw(
      "GET",
      await link(front, callback_url === undefined ? {} : { callback_url }),
    );
    expect(headers.get("content-security-policy")).toBe(pagePolicy(text, formAction));
    // Under no-referrer, its own posts would have the origin null.
    expect(pick(headers)).toEqual({ ...HEADERS, "referrer-policy": "same-origin" });
    expect(text).not.toMatch(/<script|style=|src=|url\(|@import|\son\w+=|javascript:/i);
  });

  test("posts to the callback verifier, if the project has one", async () => {
    const front = await open({ project: { callbackVerifierUrl: "https://app.example/verify" } });
    const { headers, text } = await front.raw("GET", await link(front, { callback_url: "http://localhost/done" }));
    expect(headers.get("content-security-policy")).toBe(pagePolicy(text, "'self' http: https:"));
  });

  test("allows no frames, scripts, or caching at any step of a link", async () => {
    const front = await open();
    const path = await link(front);
    const ends = [
      await front.raw("GET", "/link/lk_nothing"),
      await front.raw("POST", `${await link(front, { auth_config_id: "ac_weather_demo" })}/complete`),
      await front.raw("POST", `${path}/complete`),
      await front.raw("GET", path),
    ];
    expect(ends.map(({ status }) => status)).toEqual([404, 400, 200, 410]);
    for (const { headers, text } of ends) {
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(headers.get("content-security-policy")).toBe(pagePolicy(text, "'none'"));
      expect(pick(headers)).toEqual(HEADERS);
    }
  });

  test("escapes the values it shows", async () => {
    const front = await open();
    const path = await link(front, { auth_config_id: "ac_weather_demo" });
    const form = new URLSearchParams({ generic_api_key: "k", '"><script>alert(1)</script>_url': "javascript:1" });
    const { status, text } = await front.raw("POST", `${path}/complete`, { body: form.toString() });
    expect(status).toBe(400);
    expect(text).not.toContain("<script");
  });
});

describe("a used link", () => {
  test("leads back to the app, with what became of the account", async () => {
    const [, open] = FRONTS[0] ?? expect.fail();
    const front = await open();
    const path = await link(front, { callback_url: "https://app.example/done?a=1&b=<2>" });
    await front.raw("POST", `${path}/complete`);
    const { status, text } = await front.raw("GET", path);
    const [, href = ""] = /<a class="button primary" href="([^"]*)">Back to app\.example<\/a>/.exec(text) ?? [];
    const back = new URL(href.replaceAll("&#38;", "&"));
    expect(status).toBe(410);
    expect(text).toContain("The account of ada for github is ACTIVE.");
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ a: "1", b: "<2>", status: "success" });
    expect(back.searchParams.get("connected_account_id")).toMatch(/^ca_/);
  });

  test("without a callback says where to start again", async () => {
    const [, open] = FRONTS[0] ?? expect.fail();
    const front = await open();
    const path = await link(front);
    await front.raw("POST", `${path}/fail`);
    const { text } = await front.raw("GET", path);
    expect(text).toContain("The account of ada for github is FAILED.");
    expect(text).toContain("start again in the app that sent you here");
    expect(text).not.toContain("<a ");
  });
});

describe("on a port", () => {
  async function start(onRequest?: (record: { readonly path: string }) => void) {
    const emulator = await startEmulator({ seed: testSeed, clock: { running: false }, onRequest });
    onTestFinished(() => emulator.close());
    return { emulator, svc: new Svc(emulator.connection) };
  }

  /** Stores a file in a session's mount; gives its two signed URLs. */
  async function stored(svc: Svc, mimetype: string, content: string) {
    const mount = (await svc.toolRouter.create({ user_id: "ada" })).mounts();
    const path = { mount_relative_path: "page.html" };
    const up = await mount.uploadUrl({ ...path, mimetype });
    await fetch(up.upload_url, { method: "PUT", headers: { "content-type": mimetype }, body: content });
    const down = await mount.downloadUrl(path);
    return [up.upload_url, down.download_url] as const;
  }

  test("redirects to the callback without referrer and caching", async () => {
    const { emulator, svc } = await start();
    const path = await link({ svc }, { callback_url: "https://app.example/done" });
    const answer = await fetch(`${emulator.url}${path}/complete`, { method: "POST", redirect: "manual" });
    expect(answer.status).toBe(302);
    expect(pick(answer.headers)).toEqual(HEADERS);
  });

  test("sandboxes an uploaded page", async () => {
    const { svc } = await start();
    const [, url] = await stored(svc, "text/html", "<script>alert(1)</script>");
    const { headers } = await fetch(url);
    expect(headers.get("content-type")).toBe("text/html");
    expect(headers.get("content-security-policy")).toBe(`sandbox; ${policy("'none'")}`);
    expect(pick(headers)).toEqual(HEADERS);
  });

  test("sends nosniff with every response", async () => {
    const { emulator } = await start();
    for (const path of ["/api/v3.1/tools/enum", "/<b>x", "/_storage/x", "/_emulator/health", "/link/x"]) {
      const { headers } = await fetch(`${emulator.url}${path}`);
      expect([path, headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
    }
  });

  test("never logs signatures of storage URLs, however they're written", async () => {
    const seen: string[] = [];
    const { emulator, svc } = await start(({ path }) => seen.push(path));
    const urls = await stored(svc, "text/plain", "x");
    const [, url] = urls;
    const signature = new URL(url).searchParams.get("signature") ?? "";
    await fetch(url);
    await fetch(url.replace("?signature", "?a=1&%73ignature"));
    await fetch(url.replace("/_storage/", "/%5fstorage/"));
    await fetch(url.replace("/_storage/", "/elsewhere/"));
    expect(signature).toHaveLength(24);
    const records = JSON.stringify([seen, emulator.requests]);
    for (const { searchParams } of urls.map((one) => new URL(one))) {
      expect(records).not.toContain(searchParams.get("signature"));
    }
    expect(seen.slice(-4)).toEqual([
      "/_storage/page.html?signature=REDACTED",
      "/_storage/page.html?a=1&%73ignature=REDACTED",
      "/%5fstorage/page.html?signature=REDACTED",
      "/elsewhere/page.html?signature=REDACTED",
    ]);
  });

  test("logs no control characters, whatever the target contains", async () => {
    const { emulator } = await start();
    const { port } = new URL(emulator.url);
    const escapes = "\u001b[31m \u009b31m \u202e \u0007";
    for (const target of [escapes, encodeURIComponent(escapes), "%1b%5b31m%0d%0a?x=%0a%1b", "x\u00e9\u009b"]) {
      const socket = connect(Number(port), "127.0.0.1");
      socket.write(`GET /${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`, "utf8");
      for await (const part of socket) void part;
    }
    // HTTP servers reject what isn't ASCII; what comes encoded stays encoded.
    expect(emulator.requests.length).toBeGreaterThan(1);
    for (const { path } of emulator.requests) expect(path).toMatch(/^[\x21-\x7e]+$/);
  });
});

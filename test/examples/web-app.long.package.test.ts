import { describe, expect, test } from "vitest";
import { Svc } from "../../src/index.js";
import { freePort } from "../support/ports.js";
import { emulatorWithEnvironment, type Owner, outputOf, start } from "./example-process.js";

const COMMIT = { id: "c0ffee", message: "Fix <b>the build</b>", author: "ada" };

/** A browser without pictures: keeps cookies per app, and doesn't follow redirects. */
function browser(origin: string) {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { origin, cookie, ...init.headers };
    const response = await fetch(new URL(path, origin), { redirect: "manual", ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return { status: response.status, location: response.headers.get("location") ?? "", text: await response.text() };
  };
  const submit = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    send(path, { method: "POST", body: new URLSearchParams(fields), headers });
  return { cookies, open: (path: string) => send(path), submit };
}

/** The app as its page says to run it: setup.ts, then server.ts with what it printed. */
async function runningApp(owner: Owner) {
  const { emulator, environment } = await emulatorWithEnvironment(owner, { deliveries: { delaysMs: [20, 50, 100] } });
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const ofApp = { ...environment, APP_URL: origin, PORT: port };
  const exported = (await outputOf(["examples/web-app/setup.ts"], ofApp)).map((line) =>
    line.replace("export ", "").split("="),
  );
  const app = start(owner, ["examples/web-app/server.ts"], { ...ofApp, ...Object.fromEntries(exported) });
  await app.line(/Listening on /);
  const svc = new Svc({ ...emulator.connection, env: {} });
  /** What a user does to connect; resolves with the URL that the browser visits next. */
  const complete = async (link: string) =>
    (await fetch(`${link}/complete`, { method: "POST", redirect: "manual" })).headers.get("location") ?? "";
  const signedIn = async (user: string) => {
    const visitor = browser(origin);
    expect((await visitor.submit("/sign-in", { user })).status).toBe(303);
    return visitor;
  };
  return { emulator, svc, app, origin, complete, signedIn };
}

describe.concurrent("the web app", { timeout: 60_000 }, () => {
  test("connects an account, opens an issue, shows a commit, and reconnects after expiry", async (context) => {
    const { emulator, svc, app, signedIn, complete } = await runningApp(context);
    const ada = await signedIn("ada");
    const commit = async () => {
      const { items } = await svc.triggers.listActive({ user_ids: ["ada"] });
      expect(items).toHaveLength(1);
      emulator.triggers.fire(items[0]?.id ?? "", COMMIT);
      await emulator.waitForDeliveries();
    };

    expect((await ada.open("/")).text).toContain("GitHub: not connected");
    const back = await complete((await ada.submit("/connect")).location);
    expect(await ada.open(back)).toMatchObject({ status: 303, location: "/" });
    expect((await ada.open("/")).text).toContain("GitHub: connected");
    expect((await ada.submit("/issues", { title: "It works" })).text).toContain("octo-org/hello-world/issues/1");
    await commit();
    expect((await ada.open("/")).text).toContain("<li>Commit: Fix &lt;b&gt;the build&lt;/b&gt;</li>");

    emulator.accounts.expire(new URL(back).searchParams.get("connected_account_id") ?? "");
    await emulator.waitForDeliveries();
    const { text } = await ada.open("/");
    expect(text).toContain("<li>Your GitHub account has expired. Connect it again.</li>");
    expect(text).toContain("GitHub: EXPIRED");
    expect(text).not.toContain("/issues");

    // The page was open since before the expiry.
    const late = await ada.submit("/issues", { title: "Too late" });
    expect(late.location).toContain("/link/lk_");
    await ada.open(await complete(late.location));
    expect((await ada.open("/")).text).toContain("GitHub: connected");
    expect((await ada.submit("/issues", { title: "It works again" })).text).toContain("/issues/2");
    await commit();
    expect((await ada.open("/")).text.match(/<li>Commit/g)).toHaveLength(2);
    expect(emulator.deliveries.items.map(({ state }) => state)).toEqual(Array(3).fill("delivered"));
    expect(await app.stop()).toEqual([expect.stringContaining("Listening on ")]);
  });

  test("accepts no one else's account, cookie, form or delivery", async (context) => {
    const { svc, origin, signedIn, complete } = await runningApp(context);
    const [ada, grace] = [await signedIn("ada"), await signedIn("grace")];
    const back = await complete((await ada.submit("/connect")).location);
    expect(await grace.open(back)).toMatchObject({ status: 400, text: expect.stringContaining("Not connected") });
    expect((await grace.open("/")).text).toContain("GitHub: not connected");
    expect((await svc.triggers.listActive()).items).toEqual([]);
    expect((await ada.open("/connected?status=failed")).status).toBe(400);

    const mallory = browser(origin);
    expect(await mallory.open("/")).toMatchObject({ status: 303, location: "/sign-in" });
    mallory.cookies.set("user", String(ada.cookies.get("user")).replace("ada", "eve"));
    expect(await mallory.open("/")).toMatchObject({ status: 303, location: "/sign-in" });
    expect((await ada.submit("/connect", {}, { origin: "https://evil.example" })).status).toBe(403);
    expect((await mallory.submit("/sign-in", { user: "<script>" })).status).toBe(400);
    const headers = { "webhook-id": "msg_1", "webhook-timestamp": String(Math.floor(Date.now() / 1000)) };
    const forged = { ...headers, "webhook-signature": "v1,Zm9yZ2Vk", "content-type": "application/json" };
    expect((await fetch(`${origin}/webhooks`, { method: "POST", headers: forged, body: "{}" })).status).toBe(401);
    expect((await fetch(`${origin}/health`)).status).toBe(200);
  });

  test("says whether an issue may have been opened if the service fails", async (context) => {
    const { emulator, signedIn, complete } = await runningApp(context);
    const ada = await signedIn("ada");
    await ada.open(await complete((await ada.submit("/connect")).location));
    emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
    const lost = await ada.submit("/issues", { title: "Lost" });
    expect(lost).toMatchObject({ status: 502, text: expect.stringContaining("It may have worked.") });
    emulator.faults.next("connectedAccounts.list", { status: 403 });
    expect(await ada.open("/")).toMatchObject({ status: 502, text: expect.stringContaining("Try again in a minute.") });
  });
});

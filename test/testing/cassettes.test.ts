import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createEmulator } from "../../src/emulator/index.js";
import { ApiError, ConfigError, Svc } from "../../src/index.js";
import { cassetteSeed, recordFetch, replayFetch } from "../../src/testing/cassettes/index.js";

function cassette(content?: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-cassette-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "calls.json");
  if (content !== undefined) writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

type Fetch = (request: Request) => Promise<Response>;

function client(fetch: Fetch, apiKey = "ak_emulator"): Svc {
  return new Svc({ baseUrl: "https://api.example.com", apiKey, env: {}, fetch });
}

/** A client that records calls of an emulator. */
function recorder(file: string) {
  const { connection, ...emulator } = createEmulator();
  return { emulator, svc: client(recordFetch({ file, fetch: connection.fetch })) };
}

const issue = (svc: Svc, title: string, user_id = "user-4711") =>
  svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
    user_id,
    version: "20251023_00",
    arguments: { owner: "octo-org", repo: "hello-world", title },
  });

const bodyOf = async (fetch: Fetch, body: string, path = "/api/v3.1/tools/execute/X_Y") => {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body };
  const response = await fetch(new Request(`https://api.example.com${path}`, init));
  return { status: response.status, text: await response.text() };
};

describe("a recording", () => {
  test("replays as the same data, with the user's id in the same places", async () => {
    const file = cassette();
    const { svc } = recorder(file);
    const run = async (client: Svc) => [
      await issue(client, "One"),
      await client.connectedAccounts.list({ user_ids: ["user-4711"] }),
      await client.tools.get("GITHUB_CREATE_AN_ISSUE", { version: "latest" }),
      await issue(client, "Two"),
    ];
    const recorded = await run(svc);
    expect(await run(client(replayFetch({ file }), "ak_of_the_replay"))).toEqual(recorded);
    const text = readFileSync(file, "utf8");
    expect(text).not.toMatch(/user-4711|ak_emulator/);
    expect(text).toContain('"path": "/api/v3.1/connected_accounts?user_ids=scrubbed-user-1"');
  });

  test.each([
    ["JSON", '{"data":{"b":1,"a":[1.5,"é"]},"successful":true}'],
    ["JSON with whitespace", '{ "data": {},\n  "successful": true }\n'],
    ["JSON with escapes", '{"data": "\\u00e9\\/"}'],
    ["text", "not found\r\n"],
    ["bytes", Uint8Array.from([255, 0, 128, 7])],
    ["nothing", ""],
  ])("replays a response byte for byte: %s", async (_, body) => {
    const file = cassette();
    const headers = { "content-type": "application/json", "x-request-id": "req_1" };
    const record = recordFetch({ file, fetch: async () => new Response(body, { status: 203, headers }) });
    const get = () => new Request("https://api.example.com/api/v3.1/tools");
    const first = await record(get());
    const again = await replayFetch({ file })(get());
    expect(await again.bytes()).toEqual(await first.bytes());
    expect([again.status, again.headers.get("x-request-id")]).toEqual([203, "req_1"]);
  });

  test.each([
    ["percent-encoded", "ada@example.com", encodeURIComponent],
    ["in a form", "zoe 99", (id: string) => new URLSearchParams({ id }).toString()],
    ["in JSON", 'ada"99', (id: string) => JSON.stringify({ id })],
    ["in capitals", "ada-99", (id: string) => id.toUpperCase()],
  ])("replays a user's id that is also %s", async (_, id, encode) => {
    const file = cassette();
    const { svc } = recorder(file);
    const body = { user_id: id, version: "latest", arguments: { text: `For ${encode(id)}` } };
    const run = (client: Svc) => client.tools.execute("TEXTKIT_REVERSE", body);
    expect(await run(svc)).toMatchObject({ successful: true });
    expect(await run(client(replayFetch({ file })))).toMatchObject({ successful: true });
    expect(readFileSync(file, "utf8").toLowerCase()).not.toContain(id);
  });

  test("contains requests in the order in which they were sent, whichever response came first", async () => {
    const file = cassette();
    const open: (() => void)[] = [];
    const record = recordFetch({
      file,
      fetch: async (request) => {
        await new Promise<void>((resolve) => open.push(resolve));
        return Response.json(await request.json());
      },
    });
    const both = [bodyOf(record, '{"number":1}'), bodyOf(record, '{"number":2}')];
    await vi.waitFor(() => expect(open).toHaveLength(2));
    open[1]?.();
    await both[1];
    open[0]?.();
    await Promise.all(both);
    const { exchanges } = JSON.parse(readFileSync(file, "utf8"));
    expect(exchanges.map(({ request }: { request: { json: unknown } }) => request.json)).toEqual([
      { number: 1 },
      { number: 2 },
    ]);
  });

  test("has the same bytes if the same calls are recorded again", async () => {
    const files = [cassette(), cassette()];
    for (const file of files) {
      const { svc } = recorder(file);
      await issue(svc, "One");
      await svc.connectedAccounts.list({ user_ids: ["user-4711", "user-expired"] });
    }
    const texts = files.map((file) => readFileSync(file, "utf8"));
    const stable = (text = "") => text.replaceAll(/"(x-request-id|log_id|id|node_id|created_at)": "[^"]*"/g, "");
    expect(stable(texts[0])).toBe(stable(texts[1]));
    expect(texts[0]).toContain("scrubbed-user-2");
  });

  test("rejects the call if the file can't be written", async () => {
    const file = join(cassette("a file"), "calls.json");
    const { svc } = recorder(file);
    await expect(issue(svc, "One")).rejects.toThrow(/can't write the cassette/);
  });
});

describe("a strict replay", () => {
  test("responds 501 to another body, shows the difference, and still has the response for the recorded body", async () => {
    const file = cassette();
    await issue(recorder(file).svc, "One");
    const svc = client(replayFetch({ file }));
    const error = await issue(svc, "Other").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(String(error)).toContain(
      "The next recorded request is number 1, POST /api/v3.1/tools/execute/GITHUB_CREATE_AN_ISSUE, " +
        'with these differences: body.arguments.title: recorded "One".',
    );
    expect((await issue(svc, "One")).successful).toBe(true);
  });

  test("rejects another order, and says where the request was recorded", async () => {
    const file = cassette();
    const { svc } = recorder(file);
    await issue(svc, "One");
    await issue(svc, "Two");
    const error = await issue(client(replayFetch({ file })), "Two").catch((reason: unknown) => reason);
    expect(String(error)).toContain('The request itself was recorded as number 2; match: "loose" allows any order.');
  });

  test("accepts requests that were recorded in parallel and are sent in the same order", async () => {
    const file = cassette();
    const run = (svc: Svc) =>
      Promise.all([
        issue(svc, "One"),
        svc.tools.get("GITHUB_CREATE_AN_ISSUE", { version: "latest" }),
        svc.toolkits.get("github"),
      ]);
    const recorded = await run(recorder(file).svc);
    expect(await run(client(replayFetch({ file })))).toEqual(recorded);
  });

  test("isn't held up by an earlier request that fails or is aborted", async () => {
    const file = cassette();
    await issue(recorder(file).svc, "One");
    const replay = replayFetch({ file });
    const abort = new AbortController();
    const send = (body: ReadableStream) => {
      const init = { method: "POST", body, duplex: "half", signal: abort.signal };
      return replay(new Request("https://api.example.com/api/v3.1/tools", init));
    };
    const results = Promise.allSettled([
      send(new ReadableStream()),
      send(new ReadableStream({ start: (controller) => controller.error(new Error("no file")) })),
      issue(client(replay), "One"),
    ]);
    abort.abort(new Error("stopped"));
    expect(await results).toMatchObject([
      { reason: { message: "stopped" } },
      { reason: { message: expect.stringMatching(/stopped|no file/) } },
      { value: { successful: true } },
    ]);
  });

  test("rejects more requests than were recorded", async () => {
    const file = cassette();
    await issue(recorder(file).svc, "One");
    const svc = client(replayFetch({ file }));
    await issue(svc, "One");
    await expect(issue(svc, "One")).rejects.toThrow("All 1 recorded requests were replayed.");
  });

  test("rejects one user in the places of two", async () => {
    const file = cassette();
    const { svc } = recorder(file);
    await svc.connectedAccounts.list({ user_ids: ["user-4711"] });
    await svc.connectedAccounts.list({ user_ids: ["user-expired"] });
    const replayed = client(replayFetch({ file }));
    await replayed.connectedAccounts.list({ user_ids: ["someone-1"] });
    await expect(replayed.connectedAccounts.list({ user_ids: ["someone-1"] })).rejects.toThrow(
      'query.user_ids[0]: recorded "scrubbed-user-2"',
    );
  });
});

/** A service whose files are at another host, and a program that downloads one. */
const withFiles: Fetch = async ({ url }) => {
  const { host, pathname } = new URL(url);
  if (host !== "api.example.com") return new Response("the bytes", { headers: { "content-type": "text/plain" } });
  const s3url = "https://bucket.s3.example.com/a/b.txt?X-Amz-Signature=abcdef0123456789";
  if (!pathname.includes("/execute/")) return Response.json({ slug: pathname.split("/").at(-1) });
  return Response.json({ successful: true, error: null, data: { file: { s3url, mimetype: "text/plain" } } });
};
const download = async (svc: Svc) => {
  const { data } = await svc.tools.execute("DRIVE_DOWNLOAD", { user_id: "u", version: "20251103_00", arguments: {} });
  // The service above returns this file.
  const { bytes } = await svc.files.download(data["file"] as { s3url: string; mimetype: string });
  return new TextDecoder().decode(bytes);
};

describe("a loose replay", () => {
  test("downloads the recorded file, and answers no other call with it", async () => {
    const file = cassette();
    const recording = client(recordFetch({ file, fetch: withFiles }));
    expect(await download(recording)).toBe("the bytes");
    await recording.tools.get("RECORDED_LATER");
    const replayed = client(replayFetch({ file, match: "loose" }));
    expect((await replayed.tools.get("RECORDED_LATER")).slug).toBe("RECORDED_LATER");
    await expect(replayed.tools.get("NEVER_RECORDED")).rejects.toThrow("501");
    expect(await download(replayed)).toBe("the bytes");
  });

  test("needs the recorded method, path, and query, in any order, and repeats the last response", async () => {
    const file = cassette();
    const { svc } = recorder(file);
    const [one, two] = [await issue(svc, "One"), await issue(svc, "Two")];
    const list = await svc.connectedAccounts.list({ user_ids: ["user-4711"], limit: 2 });
    const replayed = client(replayFetch({ file, match: "loose" }));
    expect(await replayed.connectedAccounts.list({ limit: 2, user_ids: ["user-4711"] })).toEqual(list);
    const titles = [await issue(replayed, "A"), await issue(replayed, "B"), await issue(replayed, "C")];
    expect(titles).toEqual([one, two, two]);
  });

  test("shows the nearest request if none matches", async () => {
    const file = cassette();
    const { svc } = recorder(file);
    await issue(svc, "One");
    await svc.connectedAccounts.get("ca_github_demo");
    const error = await client(replayFetch({ file, match: "loose" }))
      .connectedAccounts.get("ca_other")
      .catch((reason: unknown) => reason);
    expect(String(error)).toContain(
      "The nearest recorded request is number 2, GET /api/v3.1/connected_accounts/ca_github_demo, " +
        'with these differences: path: recorded "/api/v3.1/connected_accounts/ca_github_demo".',
    );
  });
});

test.each([
  ["a missing file", undefined, /can't read the cassette .*recordFetch/],
  ["a file that isn't JSON", "nothing", /isn't a cassette/],
  ["another JSON file", { snapshot: 1 }, /isn't a cassette/],
  ["an exchange without a response", { cassette: 1, exchanges: [{ request: {} }] }, /exchanges\[0\]/],
])("replayFetch and cassetteSeed reject %s", (_, content, message) => {
  const file = cassette(content);
  for (const read of [() => replayFetch({ file }), () => cassetteSeed(file)]) {
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(message);
  }
});

test("replayFetch says that a path has to be passed in an object", () => {
  // @ts-expect-error: a JavaScript program may pass the path itself.
  expect(() => replayFetch(cassette())).toThrow(
    new ConfigError("replayFetch: the options must be an object, such as { file }. If you passed a promise, await it."),
  );
});

describe("an emulator with a cassette's seed", () => {
  test("runs the recorded tools with the recorded data, in order, and has the recorded accounts", async () => {
    const file = cassette();
    const { svc } = recorder(file);
    const [first, second] = [await issue(svc, "One"), await issue(svc, "One")];
    await svc.connectedAccounts.get("ca_github_expired");
    const emulator = createEmulator(cassetteSeed(file));
    const own = new Svc({ ...emulator.connection, env: {} });
    const runs = [await issue(own, "One"), await issue(own, "One"), await issue(own, "One")];
    expect(runs.map(({ data }) => data)).toEqual([first.data, second.data, second.data]);
    const other = await issue(own, "Other");
    expect(other.error).toContain('only with other arguments: {"owner":"octo-org","repo":"hello-world","title":"One"}');
    expect((await own.connectedAccounts.get("ca_github_expired")).status).toBe("EXPIRED");
  });

  test("validates arguments by a recorded schema", async () => {
    const file = cassette();
    const { svc } = recorder(file);
    await svc.tools.get("GITHUB_CREATE_AN_ISSUE", { version: "20251023_00" });
    await issue(svc, "One");
    const own = new Svc({ ...createEmulator(cassetteSeed(file)).connection, env: {} });
    const run = await own.tools.execute("GITHUB_CREATE_AN_ISSUE", {
      user_id: "user-4711",
      version: "20251023_00",
      arguments: { owner: 1 },
    });
    expect([run.successful, run.error]).toEqual([false, expect.stringContaining("Invalid request data")]);
  });
});

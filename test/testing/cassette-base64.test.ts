import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEmulator } from "../../src/emulator/index.js";
import { Svc } from "../../src/index.js";
import { cassetteSeed, recordFetch, replayFetch } from "../../src/testing/cassettes/index.js";
import { sized } from "../support/size.js";

type Fetch = (request: Request) => Promise<Response>;

const FORMS: Readonly<Record<string, (text: string) => string>> = {
  "base64 with padding": (text) => Buffer.from(text).toString("base64"),
  "base64 without padding": (text) => Buffer.from(text).toString("base64").replace(/=+$/, ""),
  "base64url with padding": (text) => Buffer.from(text).toString("base64").replaceAll("+", "-").replaceAll("/", "_"),
  "base64url without padding": (text) => Buffer.from(text).toString("base64url"),
};

const ORIGIN = "https://api.example.com";

function cassette(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-base64-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "calls.json");
}

/** Reads a user, then sends what a program makes of the id, and returns what it received. */
async function program(fetch: Fetch, id: string, made: string): Promise<readonly string[]> {
  const init = { method: "POST", body: JSON.stringify({ user_id: id }) };
  const received = [await fetch(new Request(`${ORIGIN}/api/v3.1/tool_router/session`, init))];
  const requests = [
    new Request(`${ORIGIN}/mcp/${made}/sse?${new URLSearchParams({ cursor: made, page: "2" })}`),
    new Request(`${ORIGIN}/api/v3.1/tools`, { method: "POST", body: JSON.stringify({ cursor: made }) }),
    new Request(`${ORIGIN}/upload`, { method: "PUT", body: Buffer.from(`\xff${made}\x00`, "latin1") }),
    new Request(`${ORIGIN}/form`, { method: "POST", body: `a cursor: ${made}\n` }),
  ];
  for (const request of requests) received.push(await fetch(request));
  const texts = received.map(async (response) => Buffer.from(await response.arrayBuffer()).toString("latin1"));
  return [...received.map(({ status }) => String(status)), ...(await Promise.all(texts))];
}

/** Responds with what the service makes of the id. */
const service =
  (made: string): Fetch =>
  async ({ method }) =>
    method === "PUT"
      ? new Response(Buffer.from(`\xfe${made}\x01`, "latin1"))
      : Response.json({
          next_cursor: made,
          mcp_url: `https://mcp.example/${made}/sse`,
          page_url: `https://app.example/?${new URLSearchParams({ cursor: made })}`,
          text: `Your cursor is ${made}.`,
          [made]: true,
        });

/** Every form in which a cassette could still contain a value in base64, apart from the characters at its ends. */
const innerOf = (id: string) =>
  [0, 1, 2].map((offset) =>
    Buffer.from(`${"\0".repeat(offset)}${id}`)
      .toString("base64url")
      .slice(offset && 4, -1),
  );

describe.each(Object.entries(FORMS))("a user id in %s", (_, encode) => {
  const MADE: Readonly<Record<string, (id: string) => string>> = {
    alone: (id) => encode(id),
    "in a cursor": (id) => encode(JSON.stringify({ user: id, page: 2 })),
    "at the end of a text": (id) => encode(`page:2,user:${id}`),
    "behind another word": (id) => `key_${encode(`${id}?>~ü`)}`,
    "among other bytes": (id) => encode(`\u0000é${id}`),
    twice: (id) => encode(`${id}|${id}`),
    "before digits and underscores": (id) => encode(`${id}0 ${id}_1 ${id}__`),
  };

  describe.each(["u-42", "zoe99", "a>?~", "李小龍-42"])("%s", (id) => {
    test.each(Object.entries(MADE))("%s isn't in the cassette, and is replayed", async (_, make) => {
      const file = cassette();
      const recorded = await program(recordFetch({ file, fetch: service(make(id)) }), id, make(id));
      const text = readFileSync(file, "utf8");
      for (const inner of innerOf(id).filter(({ length }) => length > 3)) {
        expect(text.replaceAll("+", "-").replaceAll("/", "_")).not.toContain(inner);
      }
      expect(await program(replayFetch({ file }), id, make(id))).toEqual(recorded);
    });

    test.each(Object.entries(MADE))("%s is replayed for another user", async (_, make) => {
      const file = cassette();
      await program(recordFetch({ file, fetch: service(make(id)) }), id, make(id));
      for (const other of ["someone-else", "someone-else-1", "x-24-7"]) {
        const received = await program(replayFetch({ file }), other, make(other));
        expect(received.slice(0, 5)).toEqual(Array(5).fill("200"));
      }
      const other = "other-user-9";
      const [, , , , , , cursor = ""] = await program(replayFetch({ file }), other, make(other));
      const [then, now] = [make(other), String(JSON.parse(cursor).next_cursor)];
      expect(Buffer.from(now, "base64").toString()).toBe(Buffer.from(then, "base64").toString());
    });
  });
});

test("any user id in the base64 of any string is replayed as it was", { timeout: 300_000 }, async () => {
  const user = fc.string({ unit: "grapheme-ascii", minLength: 4, maxLength: 12 }).filter((id) => /^[^\sa-z]/i.test(id));
  const around = fc.string({ unit: "grapheme", maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      user,
      around,
      around,
      fc.constantFrom(...Object.values(FORMS)),
      async (id, before, after, encode) => {
        // A backslash may be the escape of the character after it, so it belongs to the id.
        fc.pre(!before.endsWith("\\"));
        const file = cassette();
        const made = encode(before + id + after);
        const recorded = await program(recordFetch({ file, fetch: service(made) }), id, made);
        expect(await program(replayFetch({ file }), id, made)).toEqual(recorded);
      },
    ),
    { numRuns: sized(40, 2_000) },
  );
});

test("a user id before digits and underscores is replayed as it was", async () => {
  const file = cassette();
  const texts = (id: string) => `${id}0 ${id}_1 ${id}__ ${id}`;
  const calls = async (fetch: Fetch, id: string) => {
    const init = { method: "POST", body: JSON.stringify({ user_id: id }) };
    return (await fetch(new Request(`${ORIGIN}/api/v3.1/tools`, init))).json();
  };
  await calls(recordFetch({ file, fetch: async () => Response.json({ text: texts("4711") }) }), "4711");
  expect(readFileSync(file, "utf8")).not.toContain("4711");
  expect(await calls(replayFetch({ file }), "ada")).toEqual({ text: texts("ada") });
});

test("a user id that looks like a pseudonym is replaced once", async () => {
  const file = cassette();
  const record = recordFetch({ file, fetch: async (request) => Response.json({ url: request.url }) });
  const calls = async (fetch: Fetch) => {
    const ids = ["user-0", "user-1", "user-2"];
    const texts = [];
    for (const id of ids) {
      const init = { method: "POST", body: JSON.stringify({ user_id: id }) };
      texts.push(await (await fetch(new Request(`${ORIGIN}/api/v3.1/tools?note=${id}`, init))).text());
    }
    return texts;
  };
  const recorded = await calls(record);
  expect(await calls(replayFetch({ file }))).toEqual(recorded);
});

test("an emulator with a cassette's seed has base64 with pseudonyms", async () => {
  const file = cassette();
  const { connection } = createEmulator();
  const cursorOf = (id: string) => Buffer.from(`user:${id}`).toString("base64url");
  const run = (svc: Svc, id: string) =>
    svc.tools.execute("TEXTKIT_REVERSE", { user_id: id, version: "latest", arguments: { text: cursorOf(id) } });
  const recorder = new Svc({ ...connection, env: {}, fetch: recordFetch({ file, fetch: connection.fetch }) });
  await run(recorder, "user-4711");
  const emulator = createEmulator(cassetteSeed(file));
  const result = await run(new Svc({ ...emulator.connection, env: {} }), "scrubbed-user-1");
  expect(result).toMatchObject({ successful: true });
});

import { describe, expect, onTestFinished, test } from "vitest";
import { type Activity, type RunningEmulator, startEmulator } from "../../../src/emulator/node.js";
import { sized } from "../../support/size.js";
import { testSeed } from "../fronts.js";

async function start(): Promise<RunningEmulator> {
  const emulator = await startEmulator({ seed: testSeed, clock: { running: false } });
  onTestFinished(() => emulator.close());
  return emulator;
}

interface Message {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

/** Reads server-sent events until `isEnough`, then cuts the connection. */
async function listen(
  { url }: RunningEmulator,
  isEnough: (messages: readonly Message[]) => boolean,
  { lastEventId, query = "" }: { lastEventId?: string | undefined; query?: string } = {},
): Promise<Message[]> {
  const headers = { accept: "text/event-stream", ...(lastEventId !== undefined && { "last-event-id": lastEventId }) };
  const cut = new AbortController();
  const response = await fetch(`${url}/_emulator/events${query}`, { headers, signal: cut.signal });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const messages: Message[] = [];
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    messages.push(...blocks.filter((block) => /^data:/m.test(block)).map(parse));
    if (isEnough(messages)) break;
  }
  cut.abort();
  return messages;
}

function parse(block: string): Message {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
  return { id: field("id"), event: field("event") ?? "message", data: JSON.parse(field("data") ?? "null") };
}

const numbersOf = (messages: readonly Message[]) =>
  messages.filter(({ event }) => event === "message").map(({ data }) => (data as Activity).id);

describe("GET /_emulator/events as a stream", () => {
  const CUTS = sized(20, 100);

  test(`loses nothing and repeats nothing when it's cut ${CUTS} times`, async () => {
    const emulator = await start();
    const all: Activity[] = [];
    emulator.subscribe((activity) => all.push(activity));
    const heard: Message[] = [];
    let lastEventId: string | undefined;
    for (let cut = 0; cut < CUTS; cut += 1) {
      // Some happens while nobody is connected, some while the stream is open.
      await fetch(`${emulator.url}/away/${cut}`);
      const wanted = 1 + (cut % 3);
      const stream = listen(emulator, (messages) => messages.length >= wanted, { lastEventId });
      for (let count = 1; count < wanted; count += 1) await fetch(`${emulator.url}/here/${cut}/${count}`);
      const messages = await stream;
      heard.push(...messages);
      lastEventId = heard.at(-1)?.id;
    }
    await fetch(`${emulator.url}/last`);
    const last = await listen(emulator, (messages) => numbersOf(messages).at(-1) === all.at(-1)?.id, { lastEventId });
    expect(heard.length).toBeGreaterThanOrEqual(CUTS);
    expect(numbersOf([...heard, ...last])).toEqual(all.map(({ id }) => id));
    expect([...heard, ...last].every(({ event }) => event === "message")).toBe(true);
  });

  test("tells of a gap if the client was away for too long", async () => {
    const emulator = await start();
    emulator.clock.advance(1);
    const [first] = await listen(emulator, (messages) => messages.length > 0);
    for (let count = 0; count < 10_050; count += 1) emulator.clock.advance(1);
    const messages = await listen(emulator, (heard) => heard.length > 1, { lastEventId: first?.id });
    expect(messages[0]).toMatchObject({ event: "gap", data: { reason: "activities 2 to 51 are no longer kept" } });
    expect(numbersOf(messages)[0]).toBe(52);
  });

  test("tells of a gap if the id belongs to another run of the emulator", async () => {
    const emulator = await start();
    emulator.clock.advance(1);
    const messages = await listen(emulator, (heard) => heard.length > 1, { lastEventId: "another-7" });
    expect(messages[0]).toMatchObject({ event: "gap", data: { reason: "another run of the emulator" } });
    expect(numbersOf(messages)).toEqual([1]);
  });

  test("starts with what follows for ?from=now", async () => {
    const emulator = await start();
    emulator.clock.advance(1);
    const stream = listen(emulator, (heard) => heard.length > 0, { query: "?from=now" });
    // The stream is open when its first bytes are there; until then, what happens may be before it.
    const until = setInterval(() => emulator.clock.advance(1), 5);
    const [first] = numbersOf(await stream);
    clearInterval(until);
    expect(first).toBeGreaterThan(1);
  });

  test("is the list of emitted events for other callers", async () => {
    const emulator = await start();
    const response = await fetch(`${emulator.url}/_emulator/events`);
    expect(await response.json()).toEqual({ items: [] });
  });

  test("reports changes made over the control plane, and why one failed", async () => {
    const emulator = await start();
    const all: Activity[] = [];
    emulator.subscribe((activity) => all.push(activity));
    await fetch(`${emulator.url}/_emulator/accounts/ca_none/expire`, { method: "POST" });
    await fetch(`${emulator.url}/_emulator/clock`);
    expect(all).toMatchObject([
      {
        ...{ type: "control", method: "POST", path: "/_emulator/accounts/ca_none/expire", status: 400 },
        error: "accounts.expire: unknown account ca_none.",
      },
    ]);
  });
});

describe("a change over the control plane", () => {
  test.each([
    [{}, 200],
    [{ origin: "http://localhost:3000" }, 403],
    [{ "sec-fetch-site": "same-origin" }, 403],
    [{ origin: "http://localhost:3000", "x-emulator-token": "guessed" }, 403],
  ])("is for programs and the inspector, not for other pages: headers %j, status %d", async (headers, status) => {
    const emulator = await start();
    const init = { method: "POST", headers, body: '{"advance":"1h"}' };
    const response = await fetch(`${emulator.url}/_emulator/clock`, init);
    expect(response.status).toBe(status);
    expect(emulator.clock.iso()).toBe(status === 200 ? "2026-01-01T01:00:00.000Z" : "2026-01-01T00:00:00.000Z");
  });
});

// What a verifier takes as a delivery: headers in every form, times and sizes at their limits, several signatures.
import {
  memoryDeliveries,
  signWebhook,
  type VerifyOptions,
  verifySignature,
  type WebhookInput,
} from "../../../src/webhooks/index.js";
import type { Definition } from "../world.js";
import { scripted } from "./scripted.js";
import { broken, wait } from "./service.js";

const secretOf = (name: string) => `whsec_a secret for the search, ${name} 0123456789`;
const [OLD, NEW] = [secretOf("old"), secretOf("new")];

/** The headers of a delivery that is sent now. */
const headersOf = (body: string | Uint8Array, secret = OLD): Readonly<Record<string, string>> => ({
  ...signWebhook({ id: "a", timestamp: new Date(Date.now()), body, secret }),
});

/** How the verification of a delivery ended: the index of its secret, or the reason. */
const ended = (input: WebhookInput, options: VerifyOptions = {}) =>
  verifySignature(input, { secrets: [NEW, OLD], ...options }).then(
    ({ secretIndex }) => secretIndex,
    (error: unknown) => Object(error).reason ?? Object(error).message,
  );

/** A request whose body arrives in pieces. */
function pieces(
  headers: Readonly<Record<string, string>>,
  source: UnderlyingDefaultSource<unknown>,
  more: Readonly<Record<string, string>> = {},
): Request {
  const body = new ReadableStream(source);
  // Node asks for `duplex`, which the standard types don't have.
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    headers: { ...headers, ...more },
    body: body as ReadableStream<Uint8Array>,
    duplex: "half",
  };
  return new Request("https://receiver.test", init);
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

export const verifying: readonly Definition[] = [
  scripted("deliveries: a verifier, several signatures and several secrets", async (_, see) => {
    const body = "{}";
    const name = "webhook-signature";
    const [right = "", forged = ""] = [OLD, secretOf("forged")].map((secret) => headersOf(body, secret)[name]);
    const signed = (header: string) => ended({ body, headers: { ...headersOf(body), [name]: header } });
    see("one", await signed(right), 1);
    see("of the first secret", await ended({ body, headers: headersOf(body, NEW) }), 0);
    see("the first of two", await signed(`${right} ${forged}`), 1);
    see("the last of two", await signed(`${forged} ${right}`), 1);
    see("beside another version", await signed(`v2,AAAA ${right}`), 1);
    see("its start", await signed(right.slice(0, -1)), "no_match");
    see("and more", await signed(`${right}A`), "no_match");
    see("thirty-two", await signed([...Array(31).fill(forged), right].join(" ")), 1);
    see("one more", await signed([...Array(32).fill(forged), right].join(" ")), "no_match");
    const longest = (length: number) => `${right} `.padEnd(length, "x");
    see("the longest header", [await signed(longest(65_536)), await signed(longest(65_537))], [1, "no_match"]);
    see(
      "joined",
      [await signed(`${right}, ${right}`), await signed(`${right},${right}`)],
      [...["duplicate_header", "duplicate_header"]],
    );
  }),
  scripted("deliveries: a verifier, headers in every form", async (_, see) => {
    const body = "{}";
    const headers = headersOf(body);
    const named = (change: (name: string) => string) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [change(name), value]));
    see("in upper case", await ended({ body, headers: named((name) => name.toUpperCase()) }), 1);
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    see("in lists", await ended({ body, headers: lists }), 1);
    see("as Headers", await ended({ body, headers: new Headers(headers) }), 1);
    const twice = { ...headers, "Webhook-Id": "a" };
    see("in two cases", await ended({ body, headers: twice }), "duplicate_header");
    see(
      "a list of two",
      await ended({ body, headers: { ...headers, "webhook-timestamp": ["1", "2"] } }),
      "duplicate_header",
    );
    see("an empty one", await ended({ body, headers: { ...headers, "webhook-id": "" } }), "missing_header");
    see("null", await ended({ body, headers: { ...headers, "webhook-id": null } }), "missing_header");
  }),
  scripted("deliveries: a verifier, the milliseconds of the oldest and the newest time", async (_, see) => {
    const body = "{}";
    const headers = headersOf(body);
    const sentAt = Number(headers["webhook-timestamp"]) * 1_000;
    for (const [ms, promised] of [
      [300_999, 1],
      [301_000, "too_old"],
      [-300_000, 1],
      [-300_001, "too_new"],
    ] as const) {
      see(`${ms}`, await ended({ body, headers }, { now: () => sentAt + ms }), promised);
    }
    const options = { toleranceSeconds: 0.5, now: () => sentAt + 999 };
    see("half a second", await ended({ body, headers }, options), 1);
  }),
  scripted("deliveries: a verifier, the largest bodies", async (_, see) => {
    for (const [text, size] of [
      ["abcdef", 6],
      ["é€", 5],
      ["🦜", 4],
    ] as const) {
      for (const [maxBodyBytes, promised] of [
        [size, 1],
        [size - 1, "body_too_large"],
      ] as const) {
        const headers = headersOf(text);
        const bytes = bytesOf(text);
        const what = `${text} of ${maxBodyBytes}`;
        see(what, await ended({ body: text, headers }, { maxBodyBytes }), promised);
        see(`${what}, bytes`, await ended({ body: bytes, headers }, { maxBodyBytes }), promised);
        const encoded = { body: btoa(String.fromCharCode(...bytes)), headers, isBase64Encoded: true };
        see(`${what}, base64`, await ended(encoded, { maxBodyBytes }), promised);
        const request = new Request("https://receiver.test", { method: "POST", headers, body: bytes });
        see(`${what}, a request`, await ended(request, { maxBodyBytes }), promised);
        const halves = pieces(headers, {
          start(controller) {
            controller.enqueue(bytes.slice(0, 1));
            controller.enqueue(bytes.slice(1));
            controller.close();
          },
        });
        see(`${what}, in pieces`, await ended(halves, { maxBodyBytes }), promised);
      }
    }
    const headers = headersOf("ab");
    const tells = (length: string) => {
      let isRead = false;
      const request = pieces(
        headers,
        {
          pull(controller) {
            isRead = true;
            controller.enqueue(bytesOf("ab"));
            controller.close();
          },
        },
        { "content-length": length },
      );
      return ended(request, { maxBodyBytes: 2 }).then((end) => [end, isRead]);
    };
    see("as long as it says", await tells("2"), [1, true]);
    see("longer, by its header", (await tells("3"))[0], "body_too_large");
    see("none", await ended(new Request("https://receiver.test", { method: "POST", headers: headersOf("") })), 1);
    const encoded = { body: btoa("{}"), headers: headersOf("{}") };
    see("base64 that isn't said", await ended({ ...encoded, isBase64Encoded: false }), "no_match");
    see("no base64", await ended({ ...encoded, body: "{}", isBase64Encoded: true }), "no_match");
  }),
  scripted("deliveries: a verifier, bodies that are slow, cut off or read", async (_, see) => {
    const headers = headersOf("ab");
    let canceled: unknown[] = [];
    const first = (then: (controller: ReadableStreamDefaultController<unknown>) => unknown, cancel?: () => unknown) =>
      pieces(headers, {
        start: (controller) => controller.enqueue(bytesOf("a")),
        pull: then as never,
        cancel: () => {
          canceled.push(performance.now());
          return cancel?.() as never;
        },
      });
    const startedAt = performance.now();
    const never = () => new Promise(() => undefined);
    see("slow", await ended(first(never), { bodyTimeoutMs: 3_000 }), "body_too_slow");
    see("its time", [performance.now() - startedAt, canceled.length], [3_000, 1]);
    see("its end can't be told", await ended(first(never, never), { bodyTimeoutMs: 1_000 }), "body_too_slow");
    const failing = () => Promise.reject(new Error("It can't be canceled."));
    see("nor this one's", await ended(first(never, failing), { bodyTimeoutMs: 1_000 }), "body_too_slow");
    see("cut off", await ended(first((controller) => controller.error(broken()))), "no_match");
    canceled = [];
    const large = first((controller) => controller.enqueue(bytesOf("b")));
    see("too large", [await ended(large, { maxBodyBytes: 1 }), canceled.length], ["body_too_large", 1]);
    const late = first(async (controller) => {
      await wait(2_999);
      controller.enqueue(bytesOf("b"));
      controller.close();
    });
    see("just in time", await ended(late, { bodyTimeoutMs: 3_000 }), 1);
    const text = pieces(headers, {
      start(controller) {
        controller.enqueue("ab");
        controller.close();
      },
    });
    see("strings", await ended(text), 1);
    const long = pieces(headers, { pull: (controller) => controller.enqueue("ab") });
    see("too many", await ended(long, { maxBodyBytes: 2 }), "body_too_large");
    const request = () => new Request("https://receiver.test", { method: "POST", headers, body: "ab" });
    const [locked, used] = [request(), request()];
    locked.body?.getReader();
    await used.text();
    see("read by another", [await ended(locked), await ended(used)], ["body_already_parsed", "body_already_parsed"]);
    see("its clone isn't", await ended(request().clone()), 1);
  }),
  scripted("deliveries: a store in memory whose claims were released", async (_, see) => {
    const store = memoryDeliveries({ maxEntries: 1 });
    const claim = await store.claim("a", 5_000);
    await store.release("a", Object(claim).token);
    see("it has room", (await store.claim("b", 5_000)).status, "claimed");
    see("and then none", (await store.claim("a", 5_000)).status, "running");
  }),
];

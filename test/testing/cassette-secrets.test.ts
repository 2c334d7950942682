import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import type * as z from "zod/mini";
import { operations } from "../../src/contract/index.js";
import { recordFetch, replayFetch } from "../../src/testing/cassettes/index.js";
import { arbitraryOf } from "../contract/arbitrary.js";
import { sized } from "../support/size.js";

type Schema = z.core.$ZodType;

interface Definition extends z.core.$ZodTypeDef {
  readonly innerType?: Schema;
  readonly options?: readonly Schema[];
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly valueType?: Schema;
}

/** Every field of the contract that has strings, as its names from the outermost: `state.val.access_token`. */
function fieldsOf(schema: Schema, path: readonly string[] = []): string[] {
  if (path.length > 12) return [];
  const { type, innerType, options = [], shape = {}, element, valueType }: Definition = schema._zod.def;
  if (type === "string" || type === "unknown") return [path.join(".")];
  return [
    ...[innerType, ...options, element].flatMap((inner) => (inner ? fieldsOf(inner, path) : [])),
    ...Object.entries(shape).flatMap(([name, field]) => fieldsOf(field, [...path, name])),
    ...(valueType ? fieldsOf(valueType, [...path, "*"]) : []),
  ];
}

/**
 * Fields of the contract that contain a credential, a user, or a URL that works without a key. Written by reading the
 * contract, not the code under test.
 */
const SENSITIVE: readonly RegExp[] = [
  /(^|\.)(not_)?(allowed_)?user_ids?$/,
  /(^|\.)(entity_id|user_ids_url|email|org_member_id)$/,
  /(^|\.)org_member\.(id|name)$/,
  /(^|\.)(webhook_)?secret$/,
  /(^|\.)(api_key|api_keys|api_keys?\.key|proxy_auth_key|link_token)$/,
  /(^|\.)(new_presigned_url|newPresignedUrl|upload_url|download_url|redirect_url|redirect_uri|session_uri)$/,
  /(^|\.)(access|refresh|id|oauth|bearer|generic)_token(_secret)?$/,
  /(^|\.)val\.(token|.*(api_key|password|secret|private_key|verifier|username|devKey|sessionId|credentials_json|client_id))$/,
  /(^|\.)(credentials|shared_credentials|connection_data)\.\*$/,
];

const isSensitive = (field: string) => SENSITIVE.some((pattern) => pattern.test(field));

/** Scopes are in the credentials, and aren't secret. */
const isScope = (field: string) => /scopes?$/.test(field);

/** What the contract says next to credentials that isn't one. */
const NOT_SECRET = /^(status|name|in|type|token_type|authScheme|toolkitSlug|base_url|(authorization|token)_url)$/;

const CANARY = /CANARY/i;

/** A credential or id as services issue them, with characters that have more than one form. */
const canary = fc
  .tuple(fc.nat({ max: 9_999 }), fc.constantFrom("", "/+=", '"\\', "é", "中", " &", "<b>", "😀", "@example.com"))
  .map(([number, odd]) => `CANARY-${number}${odd}-end`);

/** Fills the sensitive fields of a value with canaries. */
function fill(value: unknown, path: readonly string[], next: () => string): unknown {
  if (Array.isArray(value)) return value.map((item) => fill(item, path, next));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner, [...path, name], next)]));
  }
  const field = path.join(".");
  if (typeof value !== "string" || isScope(field)) return value;
  const isInContainer = isSensitive([...path.slice(0, -1), "*"].join("."));
  if (!isSensitive(field) && !(isInContainer && !NOT_SECRET.test(path.at(-1) ?? ""))) return value;
  if (!/_ur[li]$|PresignedUrl$/.test(field)) return next();
  const secret = encodeURIComponent(next());
  return `https://storage.example.com/${secret}/file?X-Amz-Signature=${secret}&signature=${secret}&part=1`;
}

/** Free text around known values, in the forms in which services echo what they got. */
const echoes = (value: string) => [
  `Invalid key ${value}.`,
  JSON.stringify({ echo: value }),
  `https://app.example/?next=${encodeURIComponent(value)}`,
  `Basic ${btoa(unescape(encodeURIComponent(value)))}`,
];

function arbitraryCall() {
  return fc.constantFrom(...operations).chain(({ endpoint, query, body, response }) =>
    fc.record({
      endpoint: fc.constant(endpoint),
      query: query ? arbitraryOf(query) : fc.constant({}),
      body: body ? arbitraryOf(body) : fc.constant(undefined),
      response: arbitraryOf(response),
      canaries: fc.array(canary, { minLength: 12, maxLength: 12 }),
      isError: fc.boolean(),
    }),
  );
}

function queryText(query: unknown): string {
  const pairs = Object.entries(Object(query)).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === null || one === undefined ? [] : [[name, String(one)]])),
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-canaries-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "cassette.json");
}

describe("no credential and no user id is in a cassette", () => {
  test("of generated calls of every operation, with canaries in every sensitive field", {
    timeout: 600_000,
  }, async () => {
    const path = file();
    let planted = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryCall(), { minLength: 1, maxLength: 4 }), async (calls) => {
        const record = recordFetch({ file: path, fetch: async (request) => responses.get(request) ?? new Response() });
        const responses = new Map<Request, Response>();
        const sent: Request[] = [];
        for (const { endpoint, query, body, response, canaries, isError } of calls) {
          let used = 0;
          const next = () => {
            planted += 1;
            return canaries[used++ % canaries.length] ?? "";
          };
          const [key = "", user = "", token = ""] = canaries;
          planted += 3;
          const asHeader = encodeURIComponent(key);
          const given = { ...Object(fill(body, [], next)), user_id: user };
          // An error quotes what was sent; other responses also contain what the service knows.
          const got = isError
            ? { error: { message: echoes(asHeader).join(" "), errors: echoes(user), request_id: "req_1" } }
            : { ...Object(fill(response, [], next)), echo: echoes(user) };
          const target = endpoint.path.replace("{apiVersion}", "v3.1").replace(/\{\w+\}/g, "some-id");
          const request = new Request(`https://api.example.com${target}${queryText(fill(query, [], next))}`, {
            method: "POST",
            headers: {
              "x-api-key": asHeader,
              cookie: `authToken=${asHeader}; other=${encodeURIComponent(token)}`,
              authorization: `Bearer ${encodeURIComponent(token)}`,
              "x-gateway-token": encodeURIComponent(token),
              "x-anything": asHeader,
            },
            body: JSON.stringify(given, null, used % 2),
          });
          sent.push(request);
          const headers = { "set-cookie": `session=${encodeURIComponent(token)}`, "x-served-for": asHeader };
          responses.set(request, Response.json(got, { status: isError ? 400 : 200, headers }));
        }
        for (const request of sent) await record(request);
        const text = readFileSync(path, "utf8");
        expect(/.{0,60}CANARY.{0,30}/i.exec(text)?.[0]).toBeUndefined();
        const decoded = text.replace(/%([4-7][0-9a-f])/gi, (_, code: string) =>
          String.fromCharCode(Number.parseInt(code, 16)),
        );
        expect(decoded).not.toMatch(CANARY);
        // In base64, too: "CANARY-" at each of the three offsets.
        expect(text).not.toMatch(/Q0FOQVJZ|NBTkFSWS|DQU5BUlkt/);
      }),
      { numRuns: sized(8, 500), interruptAfterTimeLimit: 500_000 },
    );
    expect(planted).toBeGreaterThan(sized(23, 1_499));
  });

  test("in any field that the contract has, one at a time", async () => {
    const path = file();
    const all = operations.flatMap(({ endpoint, query, body, response }) =>
      [query, body, response].flatMap((schema) =>
        schema ? fieldsOf(schema).map((field) => `${endpoint.path} ${field}`) : [],
      ),
    );
    // A union has many fields more than once.
    const sensitive = [...new Set(all)]
      .map((place) => ({ path: place.split(" ")[0] ?? "", field: place.split(" ")[1] ?? "" }))
      .filter(({ field }) => isSensitive(field) && !isScope(field));
    expect(sensitive.length).toBeGreaterThan(SENSITIVE.length * 10);
    const leaked: string[] = [];
    for (const operationPath of new Set(sensitive.map((one) => one.path))) {
      const fields = sensitive.filter((one) => one.path === operationPath);
      const record = recordFetch({
        file: path,
        fetch: async () => Response.json(fields.map(({ field }, index) => nested(field.split("."), `CANARY ${index}`))),
      });
      await record(new Request(`https://api.example.com${operationPath}`));
      const found = [...readFileSync(path, "utf8").matchAll(/CANARY (\d+)/g)].map(
        ([, index]) => fields[Number(index)]?.field,
      );
      leaked.push(...found.map((field) => `${operationPath}: ${field}`));
    }
    expect(leaked).toEqual([]);
  });

  test.each([
    ["JSON in a string", { content: [{ type: "text", text: '{"user_id": "CANARY-1", "n": [{"api_key":"CANARY"}]}' }] }],
    ["the query of a relative URL", { endpoint: "/weather?city=Oslo&api_key=CANARY" }],
    ["the fragment of a URL", { note: "see https://app.example/cb#access_token=CANARY&state=x" }],
    ["a URL in a URL", { note: "https://app.example/?next=https%3A%2F%2Fb.example%2F%3Ftoken%3DCANARY" }],
    ["a password in a URL", { proxy_url: "https://me:CANARY@proxy.example" }],
    ["a header of a proxied request", { parameters: [{ name: "Authorization", value: "CANARY", type: "header" }] }],
    ["the query of a proxied request", { endpoint: "https://maps.example/json?address=x&key=CANARY-1" }],
    ["a query parameter named like a key", { endpoint: "/forecast?subscription-key=CANARY-1&appid=CANARY-2" }],
    ["a query parameter of a proxied request", { parameters: [{ name: "key", value: "CANARY-1", type: "query" }] }],
    ["the header of a key", { parameters: [{ name: "X-Subscription-Key", value: "CANARY", type: "header" }] }],
    ["a header of authorization", { parameters: [{ name: "X-Auth", value: "CANARY", type: "header" }] }],
    ["a filter of logs", { filters: [{ field: "user_id", operator: "==", value: "CANARY" }] }],
    [
      "a key with several lines",
      { private_key: "-----BEGIN\nCANARY", echo: JSON.stringify({ a: "-----BEGIN\nCANARY" }) },
    ],
    ["server-sent events", 'event: message\ndata: {"result":{"access_token":"CANARY"}}\n\n'],
    ["a form", "grant_type=x&client_secret=CANARY"],
    ["JSON that repeats a field", '{"token":"CANARY","token":5}'],
  ])("in %s", async (_, content) => {
    const path = file();
    const text = typeof content === "string" ? content : JSON.stringify(content);
    const record = recordFetch({ file: path, fetch: async () => new Response(text) });
    await record(new Request("https://api.example.com/api/v3.1/tools", { method: "POST", body: text }));
    expect(readFileSync(path, "utf8")).not.toMatch(CANARY);
  });

  const bytesOf = (id: string) => [...new TextEncoder().encode(id)];
  const percent = (id: string) =>
    bytesOf(id)
      .map((byte) => `%${byte.toString(16).padStart(2, "0")}`)
      .join("");
  const ENCODINGS: Readonly<Record<string, (id: string) => string>> = {
    "as it is": (id) => id,
    "percent-encoded": encodeURIComponent,
    "percent-encoded twice": (id) => encodeURIComponent(encodeURIComponent(id)),
    "percent-encoded as a whole": percent,
    "percent-encoded as a whole, twice": (id) => encodeURIComponent(percent(id)),
    "with JSON escapes": (id) => id.replaceAll(/[^a-z]/gu, escaped),
    "with JSON escapes, twice": (id) => JSON.stringify(id.replaceAll(/[^a-z]/gu, escaped)),
    "with HTML entities": (id) => [...id].map((character) => `&#x${character.codePointAt(0)?.toString(16)};`).join(""),
    "in base64": (id) => btoa(String.fromCharCode(...bytesOf(id))),
    "as UTF-8 read as Latin-1": (id) => String.fromCharCode(...bytesOf(id)),
  };
  const escaped = (character: string) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("");

  describe.each(["user-4711", "zoë-müller-1", "李小龍-42", "𝒶da-😀"])("of the user %s", (id) => {
    test.each(Object.entries(ENCODINGS))("%s", async (_, encode) => {
      const path = file();
      const content = { user_id: id, note: `for <${encode(id)}> only` };
      const record = recordFetch({ file: path, fetch: async () => Response.json(content) });
      await record(new Request("https://api.example.com/api/v3.1/connected_accounts/ca_1"));
      const { note } = JSON.parse(readFileSync(path, "utf8")).exchanges[0].response.json;
      expect(note).toMatch(/^for <"?[^"]*scrubbed-user-1[^"]*"?> only$/);
      expect(note).not.toContain(encode(id));
    });
  });

  test("and names that mean something else stay", async () => {
    const path = file();
    const sent = {
      key: "issue-KEPT",
      filter: { name: "key", value: "project-KEPT" },
      parameters: [
        { name: "Accept", value: "text-KEPT", type: "header" },
        { name: "sort_key", value: "date-KEPT", type: "query" },
      ],
    };
    const record = recordFetch({ file: path, fetch: async () => new Response("key=form-KEPT&b=1") });
    const init = { method: "POST", body: JSON.stringify(sent) };
    await record(new Request("https://api.example.com/api/v3.1/tools/execute/proxy", init));
    expect(
      readFileSync(path, "utf8")
        .match(/\w+-KEPT/g)
        ?.sort(),
    ).toEqual(["date-KEPT", "form-KEPT", "issue-KEPT", "project-KEPT", "text-KEPT"]);
  });

  test("if it is in a response only after another one echoed it", async () => {
    const path = file();
    const answers = [{ message: "for u-CANARY-1" }, { user_id: "u-CANARY-1" }];
    const record = recordFetch({ file: path, fetch: async () => Response.json(answers.shift()) });
    await record(new Request("https://api.example.com/api/v3.1/tools"));
    await record(new Request("https://api.example.com/api/v3.1/connected_accounts/ca_1"));
    expect(readFileSync(path, "utf8")).not.toMatch(CANARY);
  });

  test("in a request to a signed URL, which still is found by the URL in the recorded response", async () => {
    const path = file();
    const url = "https://storage.example.com/CANARY/file.txt?X-Amz-Credential=CANARY&X-Amz-Signature=CANARY%2F1";
    const calls = async (fetch: (request: Request) => Promise<Response>) => {
      const ask = new Request("https://api.example.com/api/v3.1/files/upload/request", { method: "POST", body: "{}" });
      const { new_presigned_url: target } = await (await fetch(ask)).json();
      const put = await fetch(new Request(target, { method: "PUT", body: "content" }));
      return [new URL(target).origin, put.status];
    };
    const service = async (request: Request) =>
      request.method === "PUT" ? new Response(null, { status: 204 }) : Response.json({ new_presigned_url: url });
    const recorded = await calls(recordFetch({ file: path, fetch: service }));
    expect(readFileSync(path, "utf8")).not.toMatch(CANARY);
    expect(await calls(replayFetch({ file: path }))).toEqual(recorded);
  });
});

function nested(names: readonly string[], leaf: unknown): unknown {
  return names.reduceRight((inner, name) => ({ [name === "*" ? "some_field" : name]: inner }), leaf);
}

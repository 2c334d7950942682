import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { type Middleware, ResponseError, type SvcOptions, TimeoutError, ValidationError } from "../../../src/index.js";
import { clientOf, rejection, rejectionOf } from "../../support/client.js";
import { type Step, scriptedFetch, silence, stalled } from "../../support/scripted-fetch.js";

const FILE = "https://storage.example/bucket/file?signature=secret";
const upload = { toolkit_slug: "drive", tool_slug: "DRIVE_UPLOAD", filename: "a.txt", mimetype: "text/plain" };

/** A client, and the storage it meets. */
function storage(steps: readonly Step[], options: SvcOptions = {}) {
  const fetch = scriptedFetch(...steps);
  return { fetch, svc: clientOf(fetch, options) };
}

/** The error of a download that the storage answers so, without another try. */
function refused(answer: Step): Promise<ResponseError> {
  return rejectionOf(ResponseError, storage([answer], { maxRetries: 0 }).svc.files.download(FILE));
}

describe("the URL of a file", () => {
  test.each(["http://storage.example/file", "ftp://storage.example/file", "/file", "file", "", "data:,x"])(
    "%j is rejected before anything is sent if the service uses https",
    async (url) => {
      const { svc, fetch } = storage([new Response("bytes")]);
      const error = await rejectionOf(ValidationError, svc.files.download(url));
      expect(error.message).toBe("files.download: the file's URL must be an absolute https URL.");
      expect(fetch.sent).toEqual([]);
    },
  );

  test("may not contain a password, which couldn't be sent and would appear in errors", async () => {
    const { svc, fetch } = storage([new Response("bytes")]);
    for (const user of ["user:hunter2", "user", ":hunter2"]) {
      const error = await rejectionOf(ValidationError, svc.files.download(`https://${user}@storage.example/file`));
      expect(error.message).toBe("files.download: the file's URL must not contain a user name or password.");
    }
    expect(fetch.sent).toEqual([]);
  });

  test("may be http if the service's URL may be, and never another scheme", async () => {
    const { svc } = storage([new Response("bytes")], { baseUrl: "http://localhost:4000" });
    expect((await svc.files.download("http://localhost:4001/file")).bytes).toHaveLength(5);
    expect((await svc.files.download(FILE)).bytes).toHaveLength(5);
    await rejectionOf(ValidationError, svc.files.download("ftp://localhost/file"));
  });

  test("is reported together with invalid options of the call", async () => {
    const { svc } = storage([new Response("bytes")]);
    const error = await rejectionOf(ValidationError, svc.files.download("file", { maxRetries: -1 }));
    expect(error.message).toBe(
      "files.download: maxRetries must be an integer from 0 to 100. the file's URL must be an absolute https URL.",
    );
  });
});

test("the options of an upload are checked like those of any call", async () => {
  const { svc, fetch } = storage([Response.json({})]);
  const options = { signal: new AbortController() };
  // @ts-expect-error: a JavaScript program may pass the controller.
  const error = await rejectionOf(ValidationError, svc.files.upload(new Uint8Array(1), upload, options));
  expect(error.message).toMatch(/^files\.upload: .*If you have an AbortController, pass its signal\./);
  expect(fetch.sent).toEqual([]);
});

test("a middleware that prints its call prints neither the signed URL nor the file", async () => {
  const printed: string[] = [];
  const print: Middleware = (call, next) => {
    printed.push(inspect(call, { depth: 9, showHidden: true }), JSON.stringify(call));
    return next();
  };
  const target = { key: "k", new_presigned_url: FILE, metadata: { storage_backend: "s3" } };
  const answers = [Response.json(target), new Response(), new Response("bytes")];
  const svc = clientOf(async () => answers.shift() ?? expect.unreachable("one request too many"), { use: [print] });
  await svc.files.upload(new TextEncoder().encode('"private"'), upload);
  await svc.files.download(FILE);
  expect(printed).toHaveLength(6);
  expect(printed.join()).not.toMatch(/signature=secret|112, 114, 105, 118/);
});

describe("a response of a storage", () => {
  test.each([200, 206, 299])("with the status %i is the file, assembled from its chunks", async (status) => {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => {
        for (const piece of [[1, 2], [3], [], [4, 5, 6]]) controller.enqueue(new Uint8Array(piece));
        controller.close();
      },
    });
    const { svc } = storage([() => new Response(body, { status })]);
    expect([...(await svc.files.download(FILE)).bytes]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test.each([300, 302, 399])("with the status %i is a redirect, which isn't followed", async (status) => {
    const error = await refused(new Response(null, { status, headers: { location: "https://evil.example" } }));
    expect(error.message).toBe(
      `files.download: the storage at https://storage.example responded ${status}. Redirects aren't followed.`,
    );
  });

  test.each([
    ...[400, 401, 403, 404, 410].map((status) => [status, " A signed URL expires: request a new one."]),
    ...[402, 405, 409, 429, 500, 503].map((status) => [status, ""]),
  ])("with the status %i becomes an error that says what to do, if known", async (status, advice) => {
    const error = await refused(new Response("no", { status: Number(status) }));
    expect(error.message).toBe(`files.download: the storage at https://storage.example responded ${status}.${advice}`);
    expect(error).toMatchObject({ status, snippet: "no", attempts: 1, outcome: undefined });
  });

  test("is quoted in the error with 200 characters of its body and no signature", async () => {
    const failing = (body: string) => refused(new Response(body, { status: 404 }));
    expect((await failing("x".repeat(201))).snippet).toBe("x".repeat(200));
    expect((await failing(`no file at ${FILE} here`)).snippet).toBe(
      "no file at https://storage.example/bucket/file?*** here",
    );
    expect((await failing("")).snippet).toBeUndefined();
  });

  test("is quoted without a signature that it repeats alone", async () => {
    const signature = "5d41402abc4b2a76b9719d911017c592";
    const answer = new Response(`<SignatureProvided>${signature}</SignatureProvided>`, { status: 403 });
    const { svc } = storage([answer]);
    const error = await rejectionOf(ResponseError, svc.files.download(`https://storage.example/f?sig=${signature}`));
    expect(error.snippet).toBe("<SignatureProvided>***</SignatureProvided>");
  });

  test("is quoted with values of the URL that are too short for a signature", async () => {
    const [short, long] = ["abcdefghijklmno", "abcdefghijklmnop"];
    const { svc } = storage([new Response(`part=${short} sig=${long}`, { status: 403 })]);
    const url = `https://storage.example/f?part=${short}&sig=${long}`;
    expect((await rejectionOf(ResponseError, svc.files.download(url))).snippet).toBe(`part=${short} sig=***`);
  });

  test("is reported even if its URL names a file that isn't in Latin letters", async () => {
    const name = encodeURIComponent('attachment; filename="文件文件文件文件.pdf"');
    const { svc } = storage([new Response("no secret here", { status: 403 })]);
    const error = await rejectionOf(ResponseError, svc.files.download(`${FILE}-and-more&disposition=${name}`));
    expect(error).toMatchObject({ status: 403, snippet: "no secret here" });
  });

  test("with an error status keeps the status if its body stalls or is very large", async () => {
    const { svc } = storage([stalled(403, undefined, "denied, be")], { timeoutMs: 5, maxRetries: 0 });
    expect(await rejectionOf(ResponseError, svc.files.download(FILE))).toMatchObject({
      status: 403,
      snippet: "denied, be",
    });
    expect(await refused(new Response("x".repeat(2_000_000), { status: 403 }))).toMatchObject({ status: 403 });
  });

  test("larger than maxBodyBytes is an error; one of exactly that size is the file", async () => {
    const { svc } = storage([new Response("12345")], { maxBodyBytes: 5 });
    expect((await svc.files.download(FILE)).bytes).toHaveLength(5);
    const { svc: smaller } = storage([new Response("12345")], { maxBodyBytes: 4 });
    const error = await rejectionOf(ResponseError, smaller.files.download(FILE));
    expect(error.message).toContain("larger than maxBodyBytes (4)");
  });
});

describe("a file transfer", () => {
  test("is sent without the client's keys and headers", async () => {
    const target = { key: "k1", new_presigned_url: FILE, metadata: { storage_backend: "azure_blob_storage" } };
    const bodies: string[] = [];
    const sent: Request[] = [];
    const svc = clientOf(
      async (request) => {
        sent.push(request);
        bodies.push(await request.clone().text());
        return request.method === "PUT" ? new Response(null, { status: 201 }) : Response.json(target);
      },
      { headers: { "x-team": "blue" } },
    );
    const file = await svc.files.upload(new TextEncoder().encode("bytes"), upload);
    expect(file).toEqual({ name: "a.txt", mimetype: "text/plain", s3key: "k1" });
    expect([...(sent[1]?.headers ?? [])]).toEqual([
      ["content-type", "text/plain"],
      ["x-ms-blob-type", "BlockBlob"],
    ]);
    expect(sent[1]).toMatchObject({ method: "PUT", url: FILE, redirect: "manual" });
    expect(bodies[1]).toBe("bytes");
  });

  test("tells a storage on this machine nothing about the attempt, even if its port starts like the service's", async () => {
    const sent: Headers[] = [];
    const keep = async ({ headers }: Request) => {
      sent.push(headers);
      return new Response("bytes");
    };
    await clientOf(keep, { baseUrl: "http://localhost:400" }).files.download("http://localhost:4001/file");
    expect(sent.map((headers) => [...headers])).toEqual([[]]);
  });

  test("is retried after a temporary failure in both directions, because a second one changes nothing more", async () => {
    const { svc, fetch } = storage([new Response("", { status: 503 }), new Response("bytes")]);
    await svc.files.download(FILE);
    expect(fetch.sent).toHaveLength(2);
    const target = { key: "k1", new_presigned_url: FILE, metadata: { storage_backend: "s3" } };
    const methods: string[] = [];
    const uploading = clientOf(async ({ method }) => {
      methods.push(method);
      if (method === "POST") return Response.json(target);
      return new Response(null, { status: methods.length === 2 ? 503 : 200 });
    });
    await uploading.files.upload(new Uint8Array(1), upload);
    expect(methods).toEqual(["POST", "PUT", "PUT"]);
  });

  test("ends at its time limits, and on abort with the caller's reason", async () => {
    const { svc } = storage([silence], { maxRetries: 0 });
    const late = await rejectionOf(TimeoutError, svc.files.download(FILE, { timeoutMs: 5 }));
    expect(late).toMatchObject({ option: "timeoutMs", timeoutMs: 5, phase: "headers" });
    const dead = await rejectionOf(TimeoutError, svc.files.download(FILE, { deadlineMs: 5 }));
    expect(dead).toMatchObject({ option: "deadlineMs", timeoutMs: 5 });
    const controller = new AbortController();
    const given = rejection(svc.files.download(FILE, { signal: controller.signal }));
    controller.abort("enough");
    expect(await given).toBe("enough");
  });

  test("isn't sent if the signal is already aborted", async () => {
    const { svc, fetch } = storage([new Response("bytes")]);
    expect(await rejection(svc.files.download(FILE, { signal: AbortSignal.abort("before") }))).toBe("before");
    expect(fetch.sent).toEqual([]);
  });

  test("uses the media type of the tool's result, otherwise the storage's", async () => {
    const answer = () => new Response(new Blob(["bytes"]), { headers: { "content-type": "text/csv" } });
    const { svc } = storage([answer]);
    expect((await svc.files.download(FILE)).mimetype).toBe("text/csv");
    const file = { name: "a", mimetype: "text/plain", s3url: FILE };
    expect((await svc.files.download(file)).mimetype).toBe("text/plain");
    expect((await storage([new Response(new Blob(["b"]))]).svc.files.download(FILE)).mimetype).toBeUndefined();
  });
});

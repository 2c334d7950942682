import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { type DownloadableFile, NotFoundError, ResponseError, ValidationError } from "../../../src/index.js";
import { emulated, rejectionOf } from "../../support/client.js";

const DRIVE = { toolkit_slug: "drive", tool_slug: "DRIVE_UPLOAD_FILE" };
const upload = { ...DRIVE, filename: "räport.bin", mimetype: "application/octet-stream" };

/** Bytes that every text encoding would change. */
const bytes = Uint8Array.from({ length: 1_000 }, (_, index) => (index * 7) % 256);

/** A client, and every request it sent. */
function watched() {
  const sent: Request[] = [];
  const { emulator } = emulated();
  const fetch = (request: Request) => {
    sent.push(request.clone());
    return emulator.fetch(request);
  };
  const { svc } = emulated({ ...emulator.connection, fetch });
  const run = async (tool: string, given: Record<string, unknown>) => {
    const { data, error } = await svc.tools.execute(tool, { user_id: "ada", version: "latest", arguments: given });
    return { data, error };
  };
  return { emulator, svc, sent, run };
}

test.each([
  ["bytes", () => bytes],
  ["a blob", () => new Blob([bytes])],
])("%s are uploaded, passed through a tool, and downloaded unchanged", async (_, content) => {
  const { svc, run } = watched();
  const file = await svc.files.upload(content(), upload);
  expect(file).toEqual({ name: "räport.bin", mimetype: "application/octet-stream", s3key: expect.any(String) });

  const stored = await run("DRIVE_UPLOAD_FILE", { file });
  expect(stored).toMatchObject({ data: { name: "räport.bin", size: 1_000 }, error: null });

  const given = await run("DRIVE_DOWNLOAD_FILE", { file_id: stored.data["id"] });
  // The tool's output schema marks the field as a file.
  const downloaded = await svc.files.download(given.data["file"] as DownloadableFile);
  expect(downloaded.bytes).toEqual(bytes);
  expect(downloaded.mimetype).toBe("application/octet-stream");
});

test.each([
  [() => Promise.reject(new Error("the disk is gone")), "the disk is gone"],
  [async () => undefined, "arrayBuffer() returned something else"],
  [async () => 5, "arrayBuffer() returned something else"],
])("upload rejects an unreadable blob before anything is sent: %s", async (arrayBuffer, reason) => {
  const { svc, sent } = watched();
  // JavaScript programs can pass such an object.
  const blob = Object.assign(new Blob([]), { arrayBuffer }) as Blob;
  const error = await rejectionOf(ValidationError, svc.files.upload(blob, upload));
  expect(error.message).toBe(`files.upload: the content couldn't be read: ${reason}`);
  expect(sent).toEqual([]);
});

test("upload accepts bytes of another realm, such as jsdom's", async () => {
  const { svc } = watched();
  const foreign: Uint8Array = runInNewContext("Uint8Array.from([1, 2, 3])");
  expect(await svc.files.upload(foreign, upload)).toMatchObject({ name: upload.filename });
});

test("upload rejects a file without name or type before anything is sent", async () => {
  const { svc, sent } = watched();
  // JavaScript programs can omit this.
  const error = await rejectionOf(ValidationError, svc.files.upload(bytes, undefined as unknown as typeof upload));
  expect(error.message).toContain("files.upload: the file must have a mimetype");
  expect(sent).toEqual([]);
});

test.each(["text/plain\r\nx-amz-acl: public", undefined])(
  "upload rejects the media type %j before anything is sent",
  async (mimetype) => {
    const { svc, sent } = watched();
    // JavaScript programs can pass this.
    const error = await rejectionOf(ValidationError, svc.files.upload(bytes, { ...upload, mimetype } as typeof upload));
    expect(error.message).toContain("the file must have a mimetype: a string without line breaks");
    expect(sent).toEqual([]);
  },
);

test("the storage never sees a key, and the service never sees the bytes", async () => {
  const { svc, sent } = watched();
  await svc.files.upload(bytes, upload);
  const [asked, put] = sent;
  expect(sent).toHaveLength(2);
  expect(asked?.headers.get("x-api-key")).toBe("ak_emulator");
  expect((await asked?.text())?.length).toBeLessThan(300);
  expect(put?.method).toBe("PUT");
  expect([...(put?.headers.keys() ?? [])].filter((name) => /key|auth|cookie/.test(name))).toEqual([]);
  expect(new Uint8Array((await put?.arrayBuffer()) ?? [])).toEqual(bytes);
});

test("upload accepts an empty file", async () => {
  const { svc, run } = watched();
  const file = await svc.files.upload(new Uint8Array(), upload);
  expect(await run("DRIVE_UPLOAD_FILE", { file })).toMatchObject({ data: { size: 0 }, error: null });
});

test("changing the bytes during an upload doesn't affect it", async () => {
  const { svc, run } = watched();
  const mine = Uint8Array.of(1, 2, 3);
  const uploading = svc.files.upload(mine, upload);
  mine.fill(9);
  const stored = await run("DRIVE_UPLOAD_FILE", { file: await uploading });
  const { data } = await run("DRIVE_DOWNLOAD_FILE", { file_id: stored.data["id"] });
  const downloaded = await svc.files.download(data["file"] as DownloadableFile); // A file, by the tool's schema.
  expect([...downloaded.bytes]).toEqual([1, 2, 3]);
});

test.each([
  ["bytes", () => bytes],
  ["blobs", () => new Blob([bytes])],
])("several %s may be uploaded with one object of facts, changed for each", async (_, content) => {
  const { svc, sent } = watched();
  const facts = { ...upload };
  const uploads = ["a.bin", "b.bin"].map((filename) => svc.files.upload(content(), Object.assign(facts, { filename })));
  expect((await Promise.all(uploads)).map(({ name }) => name)).toEqual(["a.bin", "b.bin"]);
  const asked = await Promise.all(sent.filter(({ method }) => method === "POST").map((request) => request.json()));
  expect(asked).toMatchObject([{ filename: "a.bin" }, { filename: "b.bin" }]);
});

test("upload for an unknown tool rejects before any byte is sent, in its own name", async () => {
  const { svc, sent } = watched();
  const uploading = svc.files.upload(bytes, { ...upload, tool_slug: "DRIVE_NO_SUCH_TOOL" });
  const error = await rejectionOf(NotFoundError, uploading);
  expect(error.message).toMatch(/^files\.upload: 404 Tool DRIVE_NO_SUCH_TOOL not found/);
  expect(error.operation).toBe("files.requestUpload");
  expect(sent).toHaveLength(1);
});

test("download of an expired URL says so, and shows no signature", async () => {
  const { emulator, svc, run } = watched();
  const stored = await run("DRIVE_UPLOAD_FILE", { file: await svc.files.upload(bytes, upload) });
  const { data } = await run("DRIVE_DOWNLOAD_FILE", { file_id: stored.data["id"] });
  const file = data["file"] as DownloadableFile; // A file, by the tool's schema.
  emulator.clock.advance("61m");
  const error = await rejectionOf(ResponseError, svc.files.download(file));
  expect(error.status).toBe(403);
  expect(JSON.stringify(error) + error.message).not.toContain(new URL(file.s3url).searchParams.get("signature"));
});

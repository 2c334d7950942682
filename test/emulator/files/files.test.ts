import { describe, expect, test } from "vitest";
import type { ToolkitDefinition } from "../../../src/emulator/index.js";
import { BadRequestError, NotFoundError, ResponseError } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { FRONTS, inProcess } from "../tool-router/fronts.js";

const UPLOAD = {
  toolkit_slug: "drive",
  tool_slug: "DRIVE_UPLOAD_FILE",
  filename: "offer.txt",
  mimetype: "text/plain",
};
const BYTES = new TextEncoder().encode("An offer.\u0000\u00ff");
const RUN = { user_id: "user-4711", version: "latest" };

describe.each(FRONTS)("a file %s", (_, open) => {
  test("is uploaded, passed through a tool, and downloaded", async () => {
    const { svc, close } = await open();
    const file = await svc.files.upload(BYTES, UPLOAD);
    const stored = await svc.tools.execute("DRIVE_UPLOAD_FILE", { ...RUN, arguments: { file } });
    expect(stored).toMatchObject({ successful: true, data: { name: "offer.txt", size: BYTES.length } });
    const given = await svc.tools.execute("DRIVE_DOWNLOAD_FILE", { ...RUN, arguments: { file_id: stored.data["id"] } });
    const { s3url } = Object(given.data["file"]);
    const { bytes, mimetype } = await svc.files.download(s3url);
    expect([...bytes]).toEqual([...BYTES]);
    expect(mimetype).toBe("text/plain");
    expect((await svc.files.list({ toolkit_slug: "drive" })).items).toEqual([
      { ...UPLOAD, md5: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ]);
    await close();
  });

  test("keeps its name if another upload has the same content", async () => {
    const { svc, close } = await open();
    const file = await svc.files.upload(BYTES, UPLOAD);
    await svc.files.upload(BYTES, { ...UPLOAD, filename: "copy.txt" });
    const stored = await svc.tools.execute("DRIVE_UPLOAD_FILE", { ...RUN, arguments: { file } });
    expect(stored.data).toMatchObject({ name: "offer.txt" });
    await close();
  });

  test("is stored in a session's mount", async () => {
    const { svc, fetch, close } = await open();
    const session = await svc.toolRouter.create({ user_id: "user-4711" });
    const mount = session.mounts();
    for (const path of ["a.txt", "reports/b.txt", "reports/c.txt"]) {
      const { upload_url, sandbox_mount_prefix } = await mount.uploadUrl({ mount_relative_path: path });
      expect(sandbox_mount_prefix).toBe("/mnt/files");
      expect((await fetch(upload_url, { method: "PUT", body: path })).status).toBe(200);
    }
    const paths = [];
    for await (const { mount_relative_path } of mount.items({ limit: 2 })) paths.push(mount_relative_path);
    expect(paths).toEqual(["a.txt", "reports/b.txt", "reports/c.txt"]);
    const page = await mount.items({ mount_relative_prefix: "reports/" });
    expect(page.items).toHaveLength(2);
    expect(page.items[0]).toMatchObject({ size: 13, sandbox_mount_prefix: "/mnt/files" });
    expect(page).not.toHaveProperty("next_cursor");
    const { download_url } = await mount.downloadUrl({ mount_relative_path: "a.txt" });
    expect(await (await fetch(download_url)).text()).toBe("a.txt");
    await mount.delete({ mount_relative_path: "a.txt" });
    const gone = mount.downloadUrl({ mount_relative_path: "a.txt" });
    expect((await rejectionOf(NotFoundError, gone)).errorSlug).toBe("ToolRouterV2_FileNotFound");
    expect((await fetch(download_url)).status).toBe(404);
    await close();
  });
});

describe("a signed URL", () => {
  test("expires after an hour, or the project's setting", async () => {
    const { svc, emulator, fetch } = inProcess();
    const put = (url: string) => fetch(url, { method: "PUT", body: "x", headers: { "content-type": "text/plain" } });
    const md5 = "0".repeat(32);
    const first = await svc.files.requestUpload({ ...UPLOAD, md5 });
    emulator.clock.advance("59m");
    expect((await put(first.new_presigned_url)).status).toBe(200);
    emulator.clock.advance("1m");
    expect((await put(first.new_presigned_url)).status).toBe(403);
    await svc.projects.updateConfig({ signed_url_file_expiry_in_seconds: 5 });
    const second = await svc.files.requestUpload({ ...UPLOAD, md5 });
    emulator.clock.advance("5s");
    expect(await (await put(second.new_presigned_url)).text()).toContain("expired");
  });

  test("allows only its method and media type, without a key", async () => {
    const { svc, fetch, apiKey } = inProcess();
    const { new_presigned_url: url } = await svc.files.requestUpload({ ...UPLOAD, md5: "0".repeat(32) });
    expect((await fetch(url)).status).toBe(403);
    expect((await fetch(url.replace(/signature=.*/, "signature=x"), { method: "PUT", body: "x" })).status).toBe(403);
    expect((await fetch(url, { method: "PUT", body: "x" })).status).toBe(403);
    const type = { "content-type": "text/plain" };
    const leaked = await fetch(url, { method: "PUT", body: "x", headers: { ...type, "x-api-key": apiKey } });
    expect(leaked.status).toBe(400);
    expect((await fetch(url, { method: "PUT", body: "x", headers: type })).status).toBe(200);
  });
});

describe("an uploaded file", () => {
  test("is stored once for equal content", async () => {
    const { svc } = inProcess();
    const first = await svc.files.upload(BYTES, UPLOAD);
    const second = await svc.files.upload(BYTES, { ...UPLOAD, filename: "again.txt" });
    expect(second.s3key).toBe(first.s3key);
    expect((await svc.files.list()).items.map(({ filename }) => filename)).toEqual(["again.txt"]);
  });

  test("is deleted after a day", async () => {
    const { svc, emulator } = inProcess();
    const file = await svc.files.upload(BYTES, UPLOAD);
    emulator.clock.advance("24h");
    expect((await svc.files.list()).items).toEqual([]);
    const run = await svc.tools.execute("DRIVE_UPLOAD_FILE", { ...RUN, arguments: { file } });
    expect(run).toMatchObject({ successful: false, error: expect.stringContaining("file: no file was uploaded") });
  });

  test("is ignored if it's an empty string", async () => {
    const { svc } = inProcess();
    const run = await svc.tools.execute("DRIVE_UPLOAD_FILE", { ...RUN, arguments: { file: "" } });
    expect(run.error).toContain("following fields are missing: file");
  });

  test("isn't listed before its upload", async () => {
    const { svc } = inProcess();
    await svc.files.requestUpload({ ...UPLOAD, md5: "0".repeat(32) });
    expect((await svc.files.list()).items).toEqual([]);
  });

  test("is in a snapshot, and removed by a reset", async () => {
    const { svc, emulator } = inProcess();
    await svc.files.upload(BYTES, UPLOAD);
    const snapshot = JSON.parse(JSON.stringify(emulator.snapshot()));
    emulator.reset();
    expect((await svc.files.list()).items).toEqual([]);
    emulator.restore(snapshot);
    expect((await svc.files.list()).items).toHaveLength(1);
  });
});

describe("a file inside of other arguments", () => {
  const file = {
    type: "object",
    properties: { s3key: { type: "string" } },
    required: ["s3key"],
    file_uploadable: true,
  };
  const input = {
    type: "object",
    properties: {
      nested: { type: "object", properties: { inner: file, other: file } },
      list: { type: "array", items: { $ref: "#/$defs/attachment" } },
      files: { anyOf: [file, { type: "array", items: file }, { type: "null" }] },
    },
    $defs: { attachment: { anyOf: [{ type: "null" }, file] } },
  };
  const box: ToolkitDefinition = {
    slug: "box",
    name: "Box",
    description: "-",
    categories: [],
    auth: [],
    versions: {},
    tools: [
      { slug: "BOX_SEND", name: "Send", description: "-", input, output: {}, run: ({ arguments: sent }) => sent },
    ],
  };
  const sending = () => {
    const { svc } = inProcess({ toolkits: [box] });
    const send = (given: object) => svc.tools.execute("BOX_SEND", { ...RUN, arguments: { ...given } });
    return { svc, send };
  };
  const never = { s3key: "never/uploaded" };

  test.each<[object, string]>([
    [{ nested: { inner: never } }, "nested.inner"],
    [{ list: [null, never] }, "list[1]"],
    [{ files: [never] }, "files[0]"],
    [{ files: never }, "files"],
  ])("must have been uploaded: %j", async (given, place) => {
    const error = `Invalid request data provided: ${place}: no file was uploaded under its s3key`;
    expect(await sending().send(given)).toMatchObject({ successful: false, error });
  });

  test("is passed to the tool", async () => {
    const { svc, send } = sending();
    const uploaded = await svc.files.upload(BYTES, { ...UPLOAD, toolkit_slug: "box", tool_slug: "BOX_SEND" });
    const given = { nested: { inner: uploaded }, list: [null, uploaded], files: null };
    expect(await send(given)).toMatchObject({ successful: true, data: given });
  });

  test("is omitted if it's an empty string", async () => {
    const run = await sending().send({ nested: { inner: "" }, list: [""], files: null });
    expect(run).toMatchObject({ successful: true, data: { nested: {}, list: [], files: null } });
  });
});

describe("an upload request", () => {
  test("returns 404 for an unknown toolkit or tool", async () => {
    const { svc } = inProcess();
    const md5 = "0".repeat(32);
    const toolkit = svc.files.requestUpload({ ...UPLOAD, toolkit_slug: "nope", md5 });
    expect((await rejectionOf(NotFoundError, toolkit)).errorSlug).toBe("Toolkit_ResourceNotFound");
    const tool = svc.files.requestUpload({ ...UPLOAD, tool_slug: "DRIVE_NOPE", md5 });
    expect((await rejectionOf(NotFoundError, tool)).condition).toBe("tool_not_found");
    const other = svc.files.requestUpload({ ...UPLOAD, tool_slug: "TEXTKIT_REVERSE", md5 });
    expect((await rejectionOf(BadRequestError, other)).errors[0]).toContain("expected a tool of drive");
  });
});

describe("a mount", () => {
  test("isn't found unless its id is `files`", async () => {
    const { svc } = inProcess();
    const session = await svc.toolRouter.create({ user_id: "u" });
    expect((await rejectionOf(NotFoundError, session.mounts("other").items())).message).toContain("Mount other");
  });

  test.each(["", "/etc/passwd", "a//b", "../a", "a/./b"])("doesn't contain %j", async (path) => {
    const { svc } = inProcess();
    const session = await svc.toolRouter.create({ user_id: "u" });
    const call = session.mounts().uploadUrl({ mount_relative_path: path });
    expect((await rejectionOf(BadRequestError, call)).errors[0]).toContain("body.mount_relative_path");
  });

  test("belongs to its session, and is deleted with it", async () => {
    const { svc, fetch } = inProcess();
    const one = await svc.toolRouter.create({ user_id: "u" });
    const other = await svc.toolRouter.create({ user_id: "u" });
    const { upload_url } = await one.mounts().uploadUrl({ mount_relative_path: "a" });
    await fetch(upload_url, { method: "PUT", body: "a" });
    expect((await other.mounts().items()).items).toEqual([]);
    const { download_url } = await one.mounts().downloadUrl({ mount_relative_path: "a" });
    await one.delete();
    expect((await fetch(download_url)).status).toBe(404);
    expect((await fetch(upload_url, { method: "PUT", body: "a" })).status).toBe(404);
  });
});

test("reports an expired download URL", async () => {
  const { svc, emulator } = inProcess();
  const file = await svc.files.upload(BYTES, UPLOAD);
  await svc.tools.execute("DRIVE_UPLOAD_FILE", { ...RUN, arguments: { file } });
  const given = await svc.tools.execute("DRIVE_DOWNLOAD_FILE", { ...RUN, arguments: { file_id: "file-1" } });
  emulator.clock.advance("1h");
  const error = await rejectionOf(ResponseError, svc.files.download(Object(given.data["file"])));
  expect(error.status).toBe(403);
});

import { describe, expect, test } from "vitest";
import { tool } from "../../src/agents/index.js";
import { ask, policy } from "../../src/agents/policy-entry.js";
import { argumentValidator } from "../../src/contract/arguments.js";
import { ProviderError, type ToolDefinition } from "../../src/emulator/index.js";
import { ConfigError } from "../../src/index.js";
import { rejectionBy } from "../../src/shared/timers.js";
import { gated } from "./approvals/support.js";
import { bench } from "./support.js";

const UPLOAD = "DRIVE_UPLOAD_FILE";
const DOWNLOAD = "DRIVE_DOWNLOAD_FILE";

const letter = async () => ({
  content: new TextEncoder().encode("Dear Ada"),
  filename: "letter.txt",
  mimetype: "text/plain",
});
const upload = { callId: "up", name: UPLOAD, arguments: { file: "letters/ada.txt" } };
const download = { callId: "down", name: DOWNLOAD, arguments: { file_id: "file-1" } };

describe("a file argument", () => {
  test("is a string for the model", async () => {
    const { tools } = await bench({ tools: [UPLOAD] });
    expect(tools.tools[0]?.parameters["properties"]).toEqual({
      file: { type: "string", description: expect.stringContaining("its path or https URL") },
    });
  });

  test("is opened by the program, which gets the tool's name, and uploaded for the tool", async () => {
    const asked: unknown[] = [];
    const { tools } = await bench({
      tools: [UPLOAD],
      openFile: (request) => {
        asked.push(request);
        return letter();
      },
    });
    const [result] = await tools.run([upload]);
    expect(result).toMatchObject({ status: "succeeded", data: { name: "letter.txt", size: 8 } });
    expect(asked).toMatchObject([
      { source: "letters/ada.txt", callId: "up", userId: "user-4711", tool: { name: UPLOAD } },
    ]);
  });

  test("is rejected by default, or if the program throws", async () => {
    const closed = await bench({ tools: [UPLOAD] });
    const [refused] = await closed.tools.run([upload]);
    expect(refused).toMatchObject({ status: "not_run", text: expect.stringContaining("doesn't open files") });
    const guarded = await bench({
      tools: [UPLOAD],
      openFile: () => Promise.reject(new Error("outside of the folder")),
    });
    const [outside] = await guarded.tools.run([upload]);
    expect(outside).toMatchObject({ status: "not_run", text: expect.stringContaining("outside of the folder") });
    expect([closed.executions(), guarded.executions()]).toEqual([0, 0]);
  });

  test.each([
    { file: { name: "a", mimetype: "text/plain", s3key: "someone/elses" } },
    { file: "a.txt", note: { s3key: "someone/elses" } },
  ])("that names a staged file is rejected: %j", async (args) => {
    const { tools, executions } = await bench({ tools: [UPLOAD], openFile: letter });
    expect(await tools.run([{ ...upload, arguments: args }])).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(0);
  });

  test("is found in linear time, however many ways lead through a recursive union", async () => {
    const { withUploads } = await import("../../src/agents/files.js");
    const file = { type: "object", file_uploadable: true };
    const children = { type: "array", items: { $ref: "#/$defs/block" } };
    const block = {
      anyOf: ["a", "b", "c", "d", "e"].map((type) => ({ properties: { type: { const: type }, children, file } })),
    };
    const tree = (depth: number, leaf: object): object =>
      depth === 0 ? leaf : { type: "e", children: [tree(depth - 1, leaf)] };
    const schema = { properties: { root: { $ref: "#/$defs/block" } }, $defs: { block } };
    const uploaded = await withUploads(schema, { root: tree(100, { file: "a.txt" }) }, async (source) => [source]);
    expect(uploaded).toEqual({ root: tree(100, { file: ["a.txt"] }) });
  });

  test("may be one of several variants of an argument, whose others are text", async () => {
    const file = { type: "object", file_uploadable: true, required: ["s3key"] };
    const sent: unknown[] = [];
    const send: ToolDefinition = {
      slug: "BOX_SEND",
      name: "Send",
      description: "Sends.",
      input: { type: "object", properties: { source: { oneOf: [file, { type: "string" }] } } },
      output: { type: "object" },
      run: (call) => {
        sent.push(call.arguments);
        return {};
      },
    };
    const box = { slug: "box", name: "Box", description: "-", categories: [], auth: [], versions: {}, tools: [send] };
    const { tools } = await bench(
      { tools: ["BOX_SEND"], validateArguments: argumentValidator(), openFile: letter },
      { toolkits: [box] },
    );
    const [result] = await tools.run([{ callId: "1", name: "BOX_SEND", arguments: { source: "a.txt" } }]);
    expect(result?.text).toBe("{}");
    expect(sent).toMatchObject([{ source: { name: "letter.txt", s3key: expect.any(String) } }]);
  });

  test("may be a variant that a reference leads to", async () => {
    const { withFilesAsStrings } = await import("../../src/agents/tools/shared-schema.js");
    const schema = {
      oneOf: [{ $ref: "#/$defs/file" }, { type: "string" }],
      $defs: { file: { file_uploadable: true } },
    };
    expect(withFilesAsStrings(schema)).toMatchObject({ anyOf: schema.oneOf, $defs: { file: { type: "string" } } });
  });

  test("isn't a property or an example that is named like the mark", async () => {
    const { withFilesAsStrings } = await import("../../src/agents/tools/shared-schema.js");
    const schema = {
      properties: { file_uploadable: true, note: { type: "string" } },
      examples: [{ file_uploadable: true }],
      default: { file_uploadable: true, note: "a" },
    };
    expect(withFilesAsStrings(schema)).toEqual(schema);
  });

  test("is found inside lists, branches and references", async () => {
    const { withFilesAsStrings } = await import("../../src/agents/tools/shared-schema.js");
    const { withUploads } = await import("../../src/agents/files.js");
    const file = { type: "object", properties: { s3key: { type: "string" } }, file_uploadable: true };
    const schema = {
      $defs: { attachment: { anyOf: [{ type: "null" }, file] } },
      properties: {
        list: { type: "array", items: { properties: { it: { $ref: "#/$defs/attachment" } } } },
        loop: { $ref: "#/properties/loop" },
      },
    };
    const args = { list: [{ it: "a" }, { it: null }, { it: "" }], loop: "b" };
    expect(await withUploads(schema, args, async (source) => ({ s3key: source }))).toEqual({
      list: [{ it: { s3key: "a" } }, { it: null }, { it: "" }],
      loop: "b",
    });
    expect(JSON.stringify(withFilesAsStrings(schema))).not.toContain("s3key");
  });

  const file = { file_uploadable: true };
  test.each<[string, object]>([
    ["a property that matches a pattern", { patternProperties: { "^at": file } }],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    ["then", { if: {}, then: { properties: { at: file } } }],
    ["else", { if: false, else: { properties: { at: file } } }],
    ["what another property brings in draft 7", { dependencies: { at: { properties: { at: file } } } }],
    ["what another property brings", { dependentSchemas: { at: { properties: { at: file } } } }],
    ["a property of its own name and of a pattern", { properties: { at: {} }, patternProperties: { a: file } }],
  ])("is found in %s", async (_, schema) => {
    const { withUploads } = await import("../../src/agents/files.js");
    const found = await withUploads({ ...schema }, { at: "a", note: "b" }, async (source) => [source]);
    expect(found).toEqual({ at: ["a"], note: "b" });
  });

  test("isn't what a property is whose name matches no pattern", async () => {
    const { withUploads } = await import("../../src/agents/files.js");
    const schema = { patternProperties: { "^x": file, "^(a+)+$": file, "(": file }, unevaluatedProperties: file };
    expect(await withUploads(schema, { at: "a", aa: "b" }, async () => "uploaded")).toEqual({ at: "a", aa: "b" });
  });
});

/** The texts that are uploaded if something changes while a person decides. */
async function uploadedAfter(content: Blob | Uint8Array, change: () => void): Promise<string[]> {
  const sent: string[] = [];
  const { svc } = await bench();
  const files = {
    download: svc.files.download.bind(svc.files),
    upload: (...given: Parameters<typeof svc.files.upload>) => {
      sent.push(new TextDecoder().decode(given[0] as Uint8Array)); // Blobs are copied to bytes.
      return svc.files.upload(...given);
    },
  };
  const openFile = async () => ({ content, filename: "letter.txt", mimetype: "text/plain" });
  const onRequest = () => {
    change();
    return { approved: true, approver: "ada" };
  };
  const { tools } = await gated({ tools: [UPLOAD], openFile, files, policy: policy([ask({})]) }, { onRequest });
  await tools.run([upload]);
  return sent;
}

test("a file whose bytes the program changes after they were approved is uploaded as approved", async () => {
  const content = new TextEncoder().encode("Dear Ada");
  expect(await uploadedAfter(content, () => content.fill(0x58))).toEqual(["Dear Ada"]);
});

test("the bytes of a Blob are those that were approved, even if the file behind it changes", async () => {
  let text = "Dear Ada";
  // As Bun.file() is.
  class FileOnDisk extends Blob {
    override arrayBuffer = () => new Blob([text]).arrayBuffer();
  }
  const change = () => {
    text = "Dear Bob";
  };
  expect(await uploadedAfter(new FileOnDisk(), change)).toEqual(["Dear Ada"]);
});

describe("a file in a result", () => {
  test.each([
    ["behind toJSON", { toJSON: () => ({ s3url: "https://storage.example.com/secret", name: "a.txt" }) }],
    ["behind toJSON in a list", [{ toJSON: () => [{ s3url: "https://storage.example.com/secret", name: "a.txt" }] }]],
    ["beside a field named file", { file: "other", s3url: "https://storage.example.com/secret", name: "a.txt" }],
  ])("%s is a handle for the model", async (_, result) => {
    const find = tool({ name: "find", description: "Finds.", parameters: { type: "object" }, execute: () => result });
    const { tools } = await bench({ tools: [find] });
    const [ran] = await tools.run([{ callId: "1", name: "find", arguments: {} }]);
    expect(ran?.text).toContain('{"file":"1/file_1","name":"a.txt"}');
    expect(ran?.text).not.toContain("secret");
    expect(ran?.files).toMatchObject([{ handle: "1/file_1", url: "https://storage.example.com/secret" }]);
  });

  const shown = async (resultFiles?: "handle" | "link" | "bytes") => {
    const { tools } = await bench({ tools: [UPLOAD, DOWNLOAD], openFile: letter, ...(resultFiles && { resultFiles }) });
    await tools.run([upload]);
    const [result] = await tools.run([download]);
    return result;
  };

  test("is a handle for the model and a link for the program by default", async () => {
    const result = await shown();
    expect(JSON.parse(result?.text ?? "")).toEqual({
      file: { file: "down/file_1", name: "letter.txt", mimetype: "text/plain" },
    });
    expect(result?.files).toMatchObject([
      { handle: "down/file_1", url: expect.stringMatching(/^http/), bytes: undefined },
    ]);
    expect(result?.text).not.toContain("http");
  });

  test("has a name that no other file in a conversation has, so that the model can pass it on", async () => {
    const known = new Map<string, string | undefined>();
    const { tools, emulator } = await bench({
      tools: [UPLOAD, DOWNLOAD],
      openFile: async ({ source }) => ({ ...(await letter()), filename: known.get(source) ?? "none" }),
    });
    for (const [callId, name] of [
      ["a", "report.txt"],
      ["b", "payroll.txt"],
    ] as const) {
      const body = { successful: true, error: null, data: { file: { s3url: "https://storage.example.com/x", name } } };
      emulator.faults.next("tools.execute", { status: 200, body });
      const [result] = await tools.run([{ ...download, callId }]);
      for (const file of result?.files ?? []) known.set(file.handle, file.name);
    }
    const [first = ""] = known.keys();
    const [sent] = await tools.run([{ ...upload, arguments: { file: first } }]);
    expect(sent?.data).toMatchObject({ name: "report.txt" });
  });

  test("of a failed tool is a handle too", async () => {
    const fail = {
      slug: "CRATES_FAIL",
      name: "Fail",
      description: "Fails with a file.",
      input: { type: "object", properties: {} },
      output: { type: "object", properties: {} },
      run: () => {
        throw new ProviderError(500, "See the report");
      },
    };
    const crates = {
      slug: "crates",
      name: "Crates",
      description: "-",
      categories: [],
      auth: [],
      versions: {},
      tools: [fail],
    };
    const report = { s3url: "https://storage.example.com/secret", name: "report.txt" };
    const { tools, emulator } = await bench({ tools: ["CRATES_FAIL"] }, { toolkits: [crates] });
    const body = { successful: false, error: "See the report", data: { report } };
    emulator.faults.next("tools.execute", { status: 200, body });
    const [result] = await tools.run([{ callId: "1", name: "CRATES_FAIL", arguments: {} }]);
    expect(result).toMatchObject({ status: "failed", files: [{ handle: "1/file_1", url: report.s3url }] });
    expect(result?.text).toContain("report.txt");
    expect(result?.text).not.toContain("secret");
  });

  test("is the signed URL if the program allows that", async () => {
    const result = await shown("link");
    expect(JSON.parse(result?.text ?? "").file.s3url).toBe(result?.files[0]?.url);
  });

  test("is downloaded for the program if it wants the bytes, and a failed download doesn't fail the tool", async () => {
    const result = await shown("bytes");
    const [file] = result?.files ?? [];
    const read = file?.bytes ? new TextDecoder().decode(file.bytes) : String(file?.error);
    expect(read).toMatch(/^Dear Ada$|https/);
    expect(result?.status).toBe("succeeded");
  });

  test("is downloaded only where the tool's output schema declares a file", async () => {
    const downloaded: unknown[] = [];
    const noted = async (url: unknown) => {
      downloaded.push(url);
      return { bytes: new Uint8Array(1), mimetype: undefined };
    };
    const declared = { s3url: "https://storage.example.com/a", name: "a.txt" };
    const written = { s3url: "https://localhost:8080/admin", name: "b.txt" };
    const find = tool({ name: "find", description: "-", parameters: { type: "object" }, execute: () => ({ written }) });
    const { tools, emulator } = await bench({
      tools: [DOWNLOAD, find],
      resultFiles: "bytes",
      files: { download: noted, upload: () => Promise.reject() },
    });
    const body = { successful: true, error: null, data: { file: declared, note: written } };
    emulator.faults.next("tools.execute", { status: 200, body });
    const results = await tools.run([download, { callId: "own", name: "find", arguments: {} }]);
    expect(downloaded).toEqual([declared.s3url]);
    const undeclared = { url: written.s3url, bytes: undefined, error: expect.any(ConfigError) };
    expect(results.map(({ files }) => files)).toMatchObject([
      [{ url: declared.s3url, bytes: new Uint8Array(1), error: undefined }, undeclared],
      [undeclared],
    ]);
  });

  test("isn't waited for longer than its run", async () => {
    const aborting = new AbortController();
    const files = {
      upload: () => Promise.reject(),
      download: (_: unknown, { signal }: { signal?: AbortSignal | undefined } = {}) => {
        aborting.abort(new Error("the user left"));
        return rejectionBy(signal ?? AbortSignal.any([]));
      },
    };
    const { tools, emulator } = await bench({ tools: [DOWNLOAD], resultFiles: "bytes", files });
    const body = { successful: true, error: null, data: { file: { s3url: "https://storage.example.com/a" } } };
    emulator.faults.next("tools.execute", { status: 200, body });
    const [result] = await tools.run([download], { signal: aborting.signal });
    expect(result).toMatchObject({ status: "succeeded", files: [{ error: { message: "the user left" } }] });
  });
});

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const FOLDER = resolve("test/catalog/generate/typed-project");
const FILE = `${FOLDER}/editor.ts`;
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(`${FOLDER}/tsconfig.json`, ts.sys.readFile).config,
  ts.sys,
  FOLDER,
);

let source = "";
let version = 0;
const service = ts.createLanguageService({
  getScriptFileNames: () => [FILE, `${FOLDER}/svc.gen.ts`],
  getScriptVersion: (file) => (file === FILE ? String(version) : "1"),
  getScriptSnapshot: (file) => {
    const text = file === FILE ? source : ts.sys.fileExists(file) ? readFileSync(file, "utf8") : undefined;
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => FOLDER,
  getCompilationSettings: () => options,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (file) => file === FILE || ts.sys.fileExists(file),
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
});

/** Opens a file in an editor, with the cursor at `|`. */
function open(code: string): number {
  const before =
    'import { Svc } from "svc-sdk";\nimport { createReceiver } from "svc-sdk/webhooks";\nconst svc = new Svc();\n';
  source = before + code.replace("|", "");
  version += 1;
  return before.length + code.indexOf("|");
}

function completions(code: string): string[] {
  const found = service.getCompletionsAtPosition(FILE, open(code), {});
  return found?.entries.map(({ name }) => name) ?? [];
}

function hover(code: string) {
  const info = service.getQuickInfoAtPosition(FILE, open(code));
  return {
    type: ts.displayPartsToString(info?.displayParts),
    text: ts.displayPartsToString(info?.documentation),
    tags: info?.tags?.map(({ name }) => name) ?? [],
  };
}

describe("an editor", { timeout: 60_000 }, () => {
  test.each([
    ["a tool's slug", 'svc.tools.execute("|")', ["GITHUB_CREATE_AN_ISSUE", "SHAPES_AREA"]],
    ["the slug of a tool to look at", 'svc.tools.get("|")', ["GITHUB_CREATE_AN_ISSUE", "SHAPES_AREA"]],
    ["the slug of a tool to derive arguments for", 'svc.tools.generateArguments("|")', ["GITHUB_CREATE_AN_ISSUE"]],
    [
      "derived arguments",
      '(await svc.tools.generateArguments("WEATHERMAP_FORECAST", { text: "x" })).arguments?.|',
      ["city", "days"],
    ],
    [
      "its arguments",
      'svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { arguments: { | } })',
      ["owner", "title", "labels"],
    ],
    [
      "a value",
      'svc.tools.execute("CALENDAR_CREATE_EVENT", { arguments: { visibility: "|" } })',
      ["public", "private"],
    ],
    ["the body's own fields", 'svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { | })', ["arguments", "text", "user_id"]],
    ["a session's slug", 'svc.toolRouter.use("trs_1").execute({ tool_slug: "|" })', ["SLACK_SEND_MESSAGE"]],
    [
      "a session's arguments",
      'svc.toolRouter.use("trs_1").execute({ tool_slug: "SLACK_SEND_MESSAGE", arguments: { | } })',
      ["channel", "text", "thread_ts"],
    ],
    ["a trigger's slug", 'svc.triggers.upsert("|", {})', ["GITHUB_COMMIT_EVENT"]],
    ["the slug of a trigger type to look at", 'svc.triggers.getType("|")', ["GITHUB_COMMIT_EVENT"]],
    ["its configuration", 'svc.triggers.upsert("GITHUB_NEW_ISSUE", { trigger_config: { | } })', ["owner", "labels"]],
    [
      "a handler",
      'createReceiver({ secret: "s", onUnhandled: () => {}, on: { | } })',
      ["GITHUB_COMMIT_EVENT", '"svc.trigger.disabled"'],
    ],
    [
      "an event's payload",
      'createReceiver({ secret: "s", onUnhandled: () => {}, on: { GITHUB_COMMIT_EVENT: (e) => e.payload.| } })',
      ["author", "message"],
    ],
  ])("completes %s", (_what, code, expected) => {
    expect(completions(code)).toEqual(expect.arrayContaining(expected));
  });

  test.each([
    ["a tool", "svc.tools.execute(tools.|)", "GITHUB_CREATE_AN_ISSUE", "Opens an issue in a repository, with labels."],
    [
      "a trigger type",
      "svc.triggers.upsert(triggers.|)",
      "GITHUB_COMMIT_EVENT",
      "A commit was pushed to a repository.",
    ],
  ])("completes the constant of %s with its description", (_what, code, slug, description) => {
    const position = open(`import { tools, triggers } from "./svc.gen.js";\n${code}`);
    expect(service.getCompletionsAtPosition(FILE, position, {})?.entries.map(({ name }) => name)).toContain(slug);
    const details = service.getCompletionEntryDetails(FILE, position, slug, {}, undefined, {}, undefined);
    expect(ts.displayPartsToString(details?.documentation)).toBe(description);
  });

  test.each([
    [
      "its arguments",
      "tools.SLACK_SEND_MESSAGE, { arguments: { channel: 1 } }",
      "Type 'number' is not assignable to type 'string'",
    ],
    ["a misspelled name", "tools.SLACK_SEND_MESAGE, {}", "Did you mean 'SLACK_SEND_MESSAGE'?"],
  ])("checks a call with the constant of a tool: %s", (_what, call, expected) => {
    open(`import { tools } from "./svc.gen.js";\nawait svc.tools.execute(${call});`);
    const errors = service.getSemanticDiagnostics(FILE);
    const messages = errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
    expect(messages).toContainEqual(expect.stringContaining(expected));
  });

  test("shows the tool's description at its arguments", () => {
    expect(hover('svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { |arguments: {} })')).toMatchObject({
      type: expect.stringContaining("GITHUB_CREATE_AN_ISSUE.Arguments"),
      text: "Opens an issue in a repository, with labels.",
    });
  });

  test("shows an argument's description and bounds", () => {
    const code = 'svc.tools.execute("CALENDAR_LIST_EVENTS", { arguments: { |limit: 5 } })';
    expect(hover(code)).toMatchObject({ text: "At most this many.", tags: ["default", "minimum", "maximum"] });
  });

  test("shows a result as one plain type", () => {
    const code = 'const |run = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { text: "x" }); run.data;';
    expect(hover(code).type).toBe("const run: ToolFailure | ToolSuccessOf<GITHUB_CREATE_AN_ISSUE.Data>");
  });

  test("marks a deprecated tool and a deprecated argument", () => {
    expect(hover('svc.tools.execute("GITHUB_GET_A_REPOSITORY_ARCHIVE", { |arguments: {} })').tags).toContain(
      "deprecated",
    );
    const code = 'svc.tools.execute("SHAPES_DESCRIBE_RECORD", { arguments: { |old_name: "x" } })';
    expect(hover(code).tags).toContain("deprecated");
  });
});

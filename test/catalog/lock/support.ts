import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ToolDefinition, ToolkitDefinition } from "../../../src/emulator/index.js";
import { type RunningEmulator, startEmulator } from "../../../src/emulator/node.js";
import { type Ended, svc } from "../../cli/run.js";

export const FIRST = "20260101_00";
export const SECOND = "20260301_00";

const text = { type: "string" };
const object = (properties: object, required: readonly string[]) => ({ type: "object", properties, required });

const create: ToolDefinition = {
  slug: "ACME_CREATE_TASK",
  name: "Create a task",
  description: "Creates a task.",
  input: object({ title: text, priority: { enum: ["low", "high"] } }, ["title"]),
  output: object({ id: text, url: text }, ["id", "url"]),
  run: ({ arguments: { title } }) => ({ id: `task of ${String(title)}`, url: "https://acme.example.com/1" }),
};
const remove: ToolDefinition = {
  ...create,
  slug: "ACME_DELETE_TASK",
  name: "Delete a task",
  description: "Deletes a task.",
  input: object({ id: text }, ["id"]),
  output: object({}, []),
  run: () => ({}),
};
const archive: ToolDefinition = { ...remove, slug: "ACME_ARCHIVE_TASK", since: SECOND };

function acme(versions: readonly string[], tools: readonly ToolDefinition[]): ToolkitDefinition {
  return {
    slug: "acme",
    name: "Acme",
    description: "Tasks.",
    categories: [],
    auth: [],
    versions: Object.fromEntries(versions.map((version) => [version, "Something changed."])),
    tools,
  };
}

/** The second version of creating a task: it requires a project, and the URL may be null. */
const changedCreate: ToolDefinition = {
  ...create,
  changes: {
    [SECOND]: {
      input: object({ title: text, project: text, priority: { enum: ["low", "high", "urgent"] } }, [
        "title",
        "project",
      ]),
      output: object({ id: text, url: { type: ["string", "null"] } }, ["id", "url"]),
      isDeprecated: true,
    },
  },
};

/** The same toolkit at different times. */
export const worlds = {
  before: acme([FIRST], [create, remove]),
  /** With a second version. */
  after: acme([FIRST, SECOND], [changedCreate, remove, archive]),
  /** With a changed first version, which should never happen. */
  tampered: acme([FIRST], [{ ...create, input: object({ title: text }, ["title"]) }]),
} as const;

/** Serves a world on a port for a test. */
export async function serve(world: keyof typeof worlds): Promise<RunningEmulator> {
  const running = await startEmulator({ port: 0, toolkits: [worlds[world]] });
  onTestFinished(() => running.close());
  return running;
}

/** A temporary folder for a test, and how to use it. */
export function project() {
  const folder = mkdtempSync(join(tmpdir(), "svc-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    read: (file: string) => readFileSync(join(folder, file), "utf8"),
    write: (file: string, content: string) => writeFileSync(join(folder, file), content),
    /** Runs a program in it with Node. */
    node: (commandLine: readonly string[], service?: RunningEmulator) => runNode(folder, commandLine, service),
    /** Runs a command in it. */
    svc: (line: string, service?: RunningEmulator): Promise<Ended> =>
      svc(line, { cwd: folder, env: environmentOf(service) }),
  };
}

function environmentOf(service: RunningEmulator | undefined): Record<string, string | undefined> {
  const { baseUrl, apiKey } = service?.connection ?? {};
  return baseUrl === undefined ? {} : { SVC_BASE_URL: baseUrl, SVC_API_KEY: apiKey };
}

function runNode(cwd: string, commandLine: readonly string[], service: RunningEmulator | undefined): Promise<Ended> {
  const env = { PATH: process.env["PATH"], ...environmentOf(service) };
  return new Promise((done) => {
    execFile(process.execPath, commandLine, { cwd, env }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

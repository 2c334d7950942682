// Compiled with svc.gen.ts, which it does not import, by every supported compiler. Never run.
import {
  type ExecuteToolBody,
  type ExecuteToolBodyOf,
  type GeneratedInput,
  type SessionToolResult,
  Svc,
  type ToolResult,
  type ToolSlug,
} from "svc-sdk";
import { createReceiver } from "svc-sdk/webhooks";
import type { GITHUB_CREATE_AN_ISSUE } from "./svc.gen.js";

const svc = new Svc();
const user = { user_id: "user-4711", version: "20251023_00" };
const issue = { owner: "octo-org", repo: "hello-world" };

/** Direct execution. */
export async function execute(anySlug: string): Promise<unknown> {
  const run = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { ...user, arguments: { ...issue, title: "t" } });
  if (run.successful) {
    const number: number = run.data.number;
    const state: "open" | "closed" = run.data.state;
    // @ts-expect-error the result has no such field
    return [number, state, run.data.color];
  }
  const why: string | null = run.error;

  await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { ...user, text: "Open an issue about the typo." });
  // @ts-expect-error the title is missing
  await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { ...user, arguments: issue });
  // @ts-expect-error a title is a string
  await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { ...user, arguments: { ...issue, title: 5 } });
  // @ts-expect-error a misspelled argument
  await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { ...user, arguments: { ...issue, title: "t", lables: [] } });
  // @ts-expect-error no such state
  await svc.tools.execute("GITHUB_LIST_REPOSITORY_ISSUES", { ...user, arguments: { ...issue, state: "shut" } });
  // @ts-expect-error either arguments or text
  await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", user);
  // @ts-expect-error not both
  await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { ...user, text: "x", arguments: { ...issue, title: "t" } });
  // @ts-expect-error the tool takes no arguments
  await svc.tools.execute("DRIVE_LIST_FILES", { ...user, arguments: { limit: 5 } });

  await svc.tools.execute("SHAPES_AREA", { ...user, arguments: { shape: { kind: "circle", radius: 1 } } });
  // @ts-expect-error a circle has no width
  await svc.tools.execute("SHAPES_AREA", { ...user, arguments: { shape: { kind: "circle", width: 1 } } });
  // @ts-expect-error a point has two numbers
  await svc.tools.execute("SHAPES_AREA", { ...user, arguments: { shape: { kind: "polygon", points: [[1]] } } });
  const root = { label: "top", children: [{ label: "leaf" }] };
  await svc.tools.execute("SHAPES_TREE_DEPTH", { ...user, arguments: { root } });
  const wrong = { label: "top", children: [{ label: 5 }] };
  // @ts-expect-error at any depth
  await svc.tools.execute("SHAPES_TREE_DEPTH", { ...user, arguments: { root: wrong } });

  // What has no types is as it was before any were generated.
  const unknown = await svc.tools.execute("ACME_ANYTHING", { ...user, arguments: { whatever: [1] } });
  const value: unknown = unknown.data["field"];
  const dynamic = await svc.tools.execute(anySlug, { ...user, arguments: { whatever: [1] } });
  const other: unknown = dynamic.data["field"];
  // So is a name that every object has.
  await svc.tools.execute("toString", { ...user, arguments: { whatever: [1] } });
  return [why, value, other];
}

/** Arguments from words. */
export async function inWords(anySlug: string): Promise<unknown> {
  const words = { text: "Three days in Oslo.", version: "20250801_00" };
  const { arguments: derived, error } = await svc.tools.generateArguments("WEATHERMAP_FORECAST", words);
  // @ts-expect-error there may be none
  await svc.tools.execute("WEATHERMAP_FORECAST", { ...user, arguments: derived });
  if (derived === undefined) return error;
  await svc.tools.execute("WEATHERMAP_FORECAST", { ...user, arguments: derived });
  // @ts-expect-error they are that tool's, not another's
  await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { ...user, arguments: derived });
  // @ts-expect-error the tool takes no such argument
  const color: unknown = derived.color;
  const any = await svc.tools.generateArguments(anySlug, words);
  if (any.arguments) await svc.tools.execute(anySlug, { ...user, arguments: any.arguments });
  const kept: GeneratedInput = await svc.tools.generateArguments("WEATHERMAP_FORECAST", words);
  return [derived.city, color, kept.arguments?.["city"]];
}

/** A slug that is one of several, or any. */
export async function choose(slug: "GITHUB_GET_AN_ISSUE" | "SLACK_SEND_MESSAGE", any: ToolSlug): Promise<unknown> {
  await svc.tools.execute(slug, { ...user, arguments: { channel: "general", text: "t" } });
  // @ts-expect-error neither of them takes a title alone
  await svc.tools.execute(slug, { ...user, arguments: { title: "t" } });
  const run = await svc.tools.execute(any, { ...user, arguments: { whatever: [1] } });
  return run.data["field"];
}

/** Execution in a session. */
export async function inSession(anySlug: string): Promise<unknown> {
  const session = svc.toolRouter.use("trs_1");
  const run = await session.execute({ tool_slug: "GITHUB_GET_AN_ISSUE", arguments: { ...issue, issue_number: 1 } });
  await session.execute({ tool_slug: "DRIVE_LIST_FILES" });
  await session.execute({ tool_slug: anySlug, arguments: { whatever: 1 } });
  // @ts-expect-error a number, not a string
  await session.execute({ tool_slug: "GITHUB_GET_AN_ISSUE", arguments: { ...issue, issue_number: "1" } });
  // @ts-expect-error these arguments can't be omitted
  await session.execute({ tool_slug: "GITHUB_GET_AN_ISSUE" });
  // @ts-expect-error whether it went well is not known yet
  const early: string = run.data.title;
  return run.error === null ? run.data.title : [run.error, early];
}

/** Triggers, and what they bring. */
export async function listen(): Promise<void> {
  const repository = { owner: "octo-org", repo: "hello-world" };
  await svc.triggers.upsert("GITHUB_COMMIT_EVENT", { user_id: "u", trigger_config: repository });
  await svc.triggers.upsert("SLACK_NEW_MESSAGE", { user_id: "u" });
  await svc.triggers.upsert("acme_anything", { user_id: "u", trigger_config: { whatever: 1 } });
  // @ts-expect-error the repository is missing
  await svc.triggers.upsert("GITHUB_COMMIT_EVENT", { user_id: "u", trigger_config: { owner: "octo-org" } });
  // @ts-expect-error the configuration is missing
  await svc.triggers.upsert("GITHUB_COMMIT_EVENT", { user_id: "u" });

  createReceiver({
    secret: "s",
    onUnhandled: () => undefined,
    on: {
      GITHUB_COMMIT_EVENT: (event) => {
        const message: string = event.payload.message;
        const url: string | undefined = event.payload.url;
        // @ts-expect-error a commit has no such field
        return [message, url, event.payload.color];
      },
      ACME_ANYTHING: (event) => event.payload["field"],
      "svc.connected_account.expired": ({ event }) => event.data.toolkit.slug,
    },
  });
  const ignore = () => undefined;
  // @ts-expect-error no such event type
  createReceiver({ secret: "s", onUnhandled: ignore, on: { "svc.connected_account.vanished": ignore } });
  createReceiver<{ GITHUB_COMMIT_EVENT: { sha: string } }>({
    secret: "s",
    onUnhandled: () => undefined,
    // The given payload type wins.
    on: { GITHUB_COMMIT_EVENT: (event) => event.payload.sha },
  });
}

/** The types have names. */
export const ready: GITHUB_CREATE_AN_ISSUE.Arguments = { owner: "o", repo: "r", title: "t" };

/** Code that was written for any tool takes the typed ones as well. */
export async function wrapped(run: (body: ExecuteToolBody) => Promise<ToolResult>): Promise<ToolResult> {
  const body: ExecuteToolBodyOf<"GITHUB_CREATE_AN_ISSUE"> = { ...user, arguments: ready };
  await run(body);
  const bySession: SessionToolResult = await svc.toolRouter.use("trs_1").execute({ tool_slug: "DRIVE_LIST_FILES" });
  return bySession.error === null ? await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", body) : await run(body);
}

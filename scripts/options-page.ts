// Writes docs/options.md: every option of the client, from the table that checks them and from their JSDoc, and
// those of toolset(), createReceiver() and createEmulator(), from their JSDoc. test/docs-options.test.ts fails if it has to run again.
//
//   node scripts/options-page.ts
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { sourceModule } from "./source-module.ts";

/** One option's row in the table. */
interface Row {
  readonly kind: string;
  readonly least?: number;
  readonly most?: number;
  readonly values?: readonly unknown[];
  readonly default?: unknown;
  readonly variable?: string | undefined;
}

/** A field of an interface. */
interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  /** The first sentence of its doc. */
  readonly doc: string;
  readonly default: string;
}

/** The fields that an interface declares, without those that it extends. */
function fieldsOf(file: string, name: string): Field[] {
  const path = fileURLToPath(new URL(`../src/${file}`, import.meta.url));
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const members = source.statements
    .filter((statement) => ts.isInterfaceDeclaration(statement))
    .filter((statement) => statement.name.text === name)
    .flatMap((statement) => statement.members.filter((member) => ts.isPropertySignature(member)));
  if (members.length === 0) throw new Error(`src/${file} has no interface ${name} with fields.`);
  return members.map((member) => {
    const [doc] = ts.getJSDocCommentsAndTags(member);
    const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === "default");
    const plain = plainText(ts.getTextOfJSDocComment(doc?.comment));
    return {
      name: member.name.getText(),
      isRequired: member.questionToken === undefined,
      doc: plain.match(/^.*?[.:](?= [A-Z]|$)/)?.[0] ?? plain,
      default: plainText(ts.getTextOfJSDocComment(tag?.comment)),
    };
  });
}

const plainText = (text = "") => text.replace(/\s+/g, " ").replace(/\{@link ([\w.]+)\}/g, "`$1`");

/** The functions with options, in the order of the page. */
const FUNCTIONS = [
  {
    heading: "toolset",
    intro:
      "`toolset(client, { … })` and `toolset(session, { … })`. [Give tools to a model](guide/agents.md) shows the main ones.",
    interfaces: [
      ["agents/toolset-options.ts", "ClientToolsetOptions"],
      ["agents/sources.ts", "ToolSelection"],
      ["agents/toolset-options.ts", "ToolsetOptions"],
      ["agents/turn-options.ts", "TurnOptions"],
      ["agents/files.ts", "FileOptions"],
      ["agents/toolset-options.ts", "SessionToolsetOptions"],
    ],
    guides: {
      accounts: "agent-calls-reference.md#accounts",
      tools: "agents.md#choose-tools",
      toolkits: "agents.md#choose-tools",
      tags: "agents.md#choose-tools",
      search: "agents.md#choose-tools",
      lock: "typed-tools.md",
      onLockMismatch: "typed-tools.md",
      versions: "tools.md#versions",
      conversationId: "agent-calls.md#run-each-call-once-across-processes",
      isNewConversation: "guardrails.md#data-flow",
      executions: "agent-calls.md#run-each-call-once-across-processes",
      policy: "guardrails.md",
      requirePolicy: "guardrails.md",
      approvals: "approvals.md",
      onAuthRequired: "agent-calls.md#let-a-user-connect-a-missing-account",
      bind: "agent-calls.md#set-arguments-yourself",
      use: "agent-calls.md#change-calls-and-results",
      audit: "guardrails.md#a-record-of-calls",
      trustHints: "retries.md#tools-that-only-read",
      maxResultBytes: "agent-calls-reference.md#large-results",
      maxTurnBytes: "agent-calls-reference.md#large-results",
      settle: "retries.md#what-may-have-run",
      openFile: "agent-calls.md#let-a-model-pass-files",
      resultFiles: "agent-calls-reference.md#files-in-results",
      catalog: "guardrails.md#agent-sessions",
    },
  },
  {
    heading: "createReceiver",
    intro: "`createReceiver({ … })`. [Triggers and webhooks](guide/webhooks.md) shows a receiver.",
    interfaces: [
      ["webhooks/receiver-options.ts", "ReceiverOptions"],
      ["webhooks/verify.ts", "VerifyOptions"],
    ],
    guides: {
      on: "webhooks.md#receive",
      store: "webhooks-at-scale.md",
      handlerTimeoutMs: "webhooks-at-scale.md",
      secret: "webhooks.md",
      onError: "errors.md#rejected-deliveries",
    },
  },
  {
    heading: "createEmulator",
    intro:
      "`createEmulator({ … })`. `startEmulator` of `svc-sdk/emulator/node` takes the options of both tables. [The emulator](guide/emulator.md) shows how to use it.",
    interfaces: [["emulator/assembly/interface.ts", "EmulatorOptions"]],
    guides: {
      toolkits: "emulator.md#run-your-own-tools",
      clock: "testing.md",
      deliveries: "testing.md",
      seed: "testing.md",
    },
  },
  {
    heading: "startEmulator",
    intro: "The options of an emulator on a port, besides the options of `createEmulator`.",
    interfaces: [["emulator/node.ts", "StartOptions"]],
    guides: { data: "emulator.md#keep-the-state", host: "emulator-reference.md#beyond-this-machine" },
  },
] as const;

function functionSection({ heading, intro, interfaces, guides }: (typeof FUNCTIONS)[number]): string {
  const fields = interfaces.flatMap(([file, name]) => fieldsOf(file, name));
  const unknown = Object.keys(guides).filter((name) => !fields.some((field) => field.name === name));
  if (unknown.length > 0) throw new Error(`${heading} has no option ${unknown.join(", ")}.`);
  const rows = fields.map(({ name, isRequired, doc, default: value }) => {
    const guide: string | undefined = Reflect.get(guides, name);
    const shown = guide === undefined ? `\`${name}\`` : `[\`${name}\`](guide/${guide})`;
    const isCode = /^([\w."{}[\]]+(\(\))?)$/.test(value) && !/^[a-z]+$/.test(value);
    return `| ${shown} | ${isRequired ? "required" : isCode || /^(true|false)$/.test(value) ? `\`${value}\`` : value} | ${doc.replaceAll("|", "\\|")} |`;
  });
  return `## ${heading}

${intro}

| Option | Default | |
|---|---|---|
${rows.join("\n")}
`;
}

function allowed({ kind, least, most, values }: Row): string {
  if (values) return values.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  if (kind !== "number") return kind;
  const upper = most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most?.toLocaleString("en-US")}`;
  return `${least}${upper || " or more"}`;
}

function shownDefault(value: unknown): string {
  if (value === undefined) return "";
  return `\`${typeof value === "number" ? value.toLocaleString("en-US").replaceAll(",", "_") : JSON.stringify(value)}\``;
}

/** The page, for the options of the client and the variables of credentials. */
export function optionsPage(options: Readonly<Record<string, Row>>, credentials: object): string {
  const table = Object.fromEntries(
    Object.entries(options).map(([name, row]) => [name, { ...row, ...Reflect.get(credentials, name) }]),
  );
  const docs = new Map(fieldsOf("client/options/options.ts", "SvcOptions").map(({ name, doc }) => [name, doc]));
  const rows = Object.entries(table).map(([name, row]) => {
    const variable = row.variable === undefined ? "" : `\`${row.variable}\``;
    return `| \`${name}\` | ${allowed(row)} | ${shownDefault(row.default)} | ${variable} | ${docs.get(name) ?? ""} |`;
  });
  return `# Options

The options of the client, of toolsets, of webhook receivers and of the emulator. The API reference has the options of every other
function.

## Client

\`new Svc({ … })\`. Options override environment variables. Unknown options, and values that aren't allowed, are a \`ConfigError\`
that lists every problem. Calls take \`signal\`, \`timeoutMs\`, \`deadlineMs\`, \`maxRetries\`, \`headers\` and \`priority\`.

| Option | Allowed | Default | Variable | |
|---|---|---|---|---|
${rows.join("\n")}

${FUNCTIONS.map(functionSection).join("\n")}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { OPTIONS } =
    await sourceModule<typeof import("../src/client/options/checks.js")>("src/client/options/checks.ts");
  const { CREDENTIALS } = await sourceModule<typeof import("../src/client/endpoint.js")>("src/client/endpoint.ts");
  writeFileSync("docs/options.md", optionsPage(OPTIONS, CREDENTIALS));
}

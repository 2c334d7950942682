import { type AnyInput, ValidationError } from "../index.js";
import { didYouMean } from "../shared/nearest-name.js";
import { type Callable, callables } from "./call/callable.js";
import { operationHelp } from "./call/help.js";
import { readCall } from "./call/read-call.js";
import { declareCommand, type Row, UsageError, VERBOSE, withAdvice } from "./command.js";
import { connect } from "./connect.js";
import { print, printJson } from "./print.js";

/** Calls one operation, and prints its response. */
export const command = declareCommand({
  usage: [
    ["<operation> <path parameters> [--field value]", ""],
    ["tools.list --toolkit_slug github --limit 5", ""],
    ["tools.execute GITHUB_CREATE_AN_ISSUE --user_id user-4711 --version latest --arguments @issue.json", ""],
    ["webhookSubscriptions.create --body @subscription.json", ""],
    ["<operation> --help", ""],
  ],
  options: {},
  tables: {
    "Options of each operation": [
      [
        "--<field> <value>",
        "a query parameter, or a field of the body: a string or JSON; @file reads a file. Repeat it for a list",
      ],
      ["--body <json>", "the whole body: JSON, @file, or - for standard input"],
      ["--query.<field>, --body.<field>", "a field, if its name alone means something else"],
      ["--api-version <v3.1|v3>", "API version to use (default v3.1)"],
      ["--verbose", VERBOSE.summary],
    ],
    Operations: [...callables().keys()].map((name): Row => [name, ""]),
  },
  environment: [
    ["SVC_BASE_URL", "URL of the service"],
    [
      "SVC_API_KEY",
      "project key; or SVC_USER_API_KEY, SVC_ORG_API_KEY: an operation's help lists those that it accepts",
    ],
  ],
  notes: `Each operation lists its fields with --help. It prints the response as JSON. A list is one page; pass its next_cursor as
--cursor.`,
  exitCodes: {
    0: "done; a tool's own failure is part of the response",
    2: "invalid command line: nothing was sent",
  },
  dispatch: async ([name, ...words]) => {
    if (name === undefined || name.startsWith("-")) return false;
    await call(name, words);
    return true;
  },
});

async function call(name: string, words: readonly string[]): Promise<void> {
  const operations = callables();
  const operation = operations.get(name);
  if (!operation) throw new UsageError(`Unknown operation: ${name}.${hint(name, [...operations.keys()])}`);
  await withAdvice(`call ${name}`, () => callOperation(operation, words));
}

async function callOperation(operation: Callable, words: readonly string[]): Promise<void> {
  const { input, apiVersion, isVerbose, wantsHelp } = readCall(operation, words);
  if (wantsHelp) {
    print(...operationHelp(operation));
    return;
  }
  const svc = connect(isVerbose, apiVersion);
  // The contract has checked the input, which the compiler knows only as that of any endpoint.
  try {
    const result: unknown = await svc.call(operation.endpoint, input as AnyInput & Parameters<typeof svc.call>[1]);
    printJson(result ?? null);
  } catch (error) {
    // What only the client rejects, a version for example, is from the command line too.
    if (!(error instanceof ValidationError)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}

function hint(name: string, known: readonly string[]): string {
  // The first part of a name, such as the resource, is more likely than a typo of another name.
  const started = known.filter((each) => each.toLowerCase().startsWith(name.toLowerCase()));
  if (started.length > 1) return ` Did you mean one of ${started.join(", ")}?`;
  return didYouMean(started[0] ?? name, known, " See svc-sdk call --help.");
}

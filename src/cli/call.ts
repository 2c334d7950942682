import { type Callable, callables } from "./call/callable.js";
import { operationCommand } from "./call/operation.js";
import { SUMMARIES } from "./call/summaries.js";
import { unknownOperation } from "./call/unknown-operation.js";
import { BASE_URL, declareCommand, type Row, UsageError, VERBOSE } from "./command.js";
import { API_VERSION } from "./read-value.js";

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
        "a query parameter, or a field of the body: a string or JSON.\n@file reads a file, without its last newline. Repeat it for a list",
      ],
      ["--<field>, --no-<field>", "for boolean fields"],
      ["--body <json>", "the whole body: JSON, @file, or - for standard input"],
      ["--body.<field>", "a field of the body that has the name of an option"],
      [`--api-version <${API_VERSION.value}>`, API_VERSION.summary],
      ["--verbose", VERBOSE.summary],
    ],
    Operations: [...callables().values()].map((operation): Row => [operation.name, summaryOf(operation)]),
  },
  environment: [
    BASE_URL,
    [
      "SVC_API_KEY",
      "project key; or SVC_USER_API_KEY, SVC_ORG_API_KEY: the help of an operation lists the accepted keys",
    ],
  ],
  notes: `Pass --help to list the fields of an operation. The response is printed as JSON. A list is one page: for the next page, pass
its next_cursor as --cursor.`,
  exitCodes: {
    0: "done; a tool's own failure is part of the response",
    2: "invalid command line: nothing was sent",
  },
  subcommand: (name) => {
    const operations = callables();
    const operation = operations.get(name);
    if (!operation) throw new UsageError(unknownOperation(name, operations));
    return { summary: summaryOf(operation), command: operationCommand(operation) };
  },
});

/** A test makes sure that each has one. */
function summaryOf({ name }: Callable): string {
  return SUMMARIES[name] ?? "";
}

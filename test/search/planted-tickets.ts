const SUSPENDED = "src/agents/adapters/suspended-turn.ts";

/** Bugs of suspended turns: file, name, and a change of the file. */
export const TICKET_BUGS: readonly (readonly [string, string, string, string])[] = [
  [SUSPENDED, "a ticket that was edited is resumed", "(await digestOf(facts)) !== digest", "false"],
  [SUSPENDED, "a ticket that the store doesn't know is resumed", "if (!checkedRecord(record))", "if (false)"],
  ["src/agents/adapters/openai.ts", "a ticket has the ids that the service gave", "output: own,", "output,"],
  [
    "src/agents/call/call-record.ts",
    "a second click doesn't wait for the first",
    "if (!end) return found;",
    "return found;",
  ],
];

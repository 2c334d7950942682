import type { EmulatorOptions } from "../../src/emulator/index.js";

/** A service with one tool, `MAIL_SEND`, that counts what really happens. */
export function mailingService() {
  /** How often the tool ran, by the `run` of its arguments. */
  const ran = new Map<string, number>();
  const send = {
    slug: "MAIL_SEND",
    name: "Send",
    description: "Sends a mail.",
    input: { type: "object" },
    output: { type: "object" },
    run: (call: { readonly arguments: Readonly<Record<string, unknown>> }) => {
      const run = String(call.arguments["run"]);
      ran.set(run, (ran.get(run) ?? 0) + 1);
      return { sent: true };
    },
  };
  const options = {
    toolkits: [
      {
        slug: "mail",
        name: "Mail",
        description: "Mails.",
        categories: [],
        auth: [],
        versions: { "20260101_00": "First." },
        tools: [send],
      },
    ],
    rateLimit: { limit: 900_000_000 },
  } satisfies EmulatorOptions;
  return { ran, options };
}

/** The arguments of `MAIL_SEND`. */
export const execution = (run: string) => ({ user_id: "user-1", version: "20260101_00", arguments: { run } });

import { type Logger, logCalls, type Middleware, Svc } from "../index.js";
import type { ApiVersion } from "../shared/api-versions.js";
import { printNotice } from "./print.js";
import type { Terminal } from "./terminal.js";

/**
 * Creates a client with the URL and keys of the environment. Keys aren't options, because other programs can see
 * command lines.
 *
 * @param isVerbose - Logs every request to standard error.
 * @throws if SVC_BASE_URL isn't set. The client's own error names an option that commands don't have.
 */
export function connect(terminal: Terminal, isVerbose: boolean, { apiVersion, checks = [] }: ConnectOptions = {}): Svc {
  const { env } = terminal;
  if (!env["SVC_BASE_URL"]?.trim()) {
    throw new Error("SVC_BASE_URL isn't set. Set it to the service's URL, or to the URL that svc-sdk emulator prints.");
  }
  const notice = (line: string) => printNotice(terminal, line);
  // Other programs may read the command's result from standard output.
  const logger: Logger = { debug: notice, info: notice, warn: notice };
  const log = logCalls({ logger, level: isVerbose ? "debug" : "warn", env });
  return new Svc({ apiVersion, env, use: [log, ...checks] });
}

interface ConnectOptions {
  readonly apiVersion?: ApiVersion | undefined;
  /** `[checkContract({ onMismatch: "throw" })]` for a command that reads responses without a check by itself. */
  readonly checks?: readonly Middleware[];
}

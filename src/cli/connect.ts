import { type Logger, logCalls, Svc } from "../index.js";
import { printNotice } from "./print.js";

/**
 * Creates a client with the URL and keys of the environment. Keys aren't options, because other programs can see
 * command lines.
 *
 * @param isVerbose - Logs every request to standard error.
 */
export function connect(isVerbose: boolean, apiVersion?: "v3.1" | "v3"): Svc {
  return new Svc({ apiVersion, use: [logCalls({ logger: STANDARD_ERROR, level: isVerbose ? "debug" : "warn" })] });
}

/** Other programs may read the command's result from standard output. */
const STANDARD_ERROR: Logger = { debug: printNotice, info: printNotice, warn: printNotice };

import { type Logger, logCalls, Svc } from "../index.js";
import { tell } from "./print.js";

/**
 * A client with the address and keys of the environment. Keys never stand on a command line, where other programs see them.
 *
 * @param isVerbose - Tells every request on standard error.
 */
export function connect(isVerbose: boolean, apiVersion?: "v3.1" | "v3"): Svc {
  return new Svc({ apiVersion, use: [logCalls({ logger: STANDARD_ERROR, level: isVerbose ? "debug" : "warn" })] });
}

/** Standard output is the command's result, which other programs may read. */
const STANDARD_ERROR: Logger = { debug: tell, info: tell, warn: tell };

import { type Logger, logCalls, Svc } from "../index.js";

/**
 * A client with the address and keys of the environment. Keys never stand on a command line, where other programs see them.
 *
 * @param isVerbose - Tells every request on standard error.
 */
export function connect(isVerbose: boolean, apiVersion?: "v3.1" | "v3"): Svc {
  return new Svc({ apiVersion, use: [logCalls({ logger: STANDARD_ERROR, level: isVerbose ? "debug" : "warn" })] });
}

const write = (message: string) => void process.stderr.write(`${message}\n`);

/** Standard output is the command's result, which other programs may read. */
const STANDARD_ERROR: Logger = { debug: write, info: write, warn: write };

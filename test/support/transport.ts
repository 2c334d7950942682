import type { SvcOptions } from "../../src/index.js";
import { undiciFetch } from "../../src/undici/index.js";

/**
 * Options of clients that call over real sockets: the built-in fetch, and `undiciFetch()` in the test project `undici`.
 */
export const TRANSPORT: SvcOptions = process.env["SVC_TEST_FETCH"] === "undici" ? { fetch: undiciFetch() } : {};

import { undiciFetch } from "../../src/undici/index.js";

type Fetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>;

const ours = undiciFetch();
const byRequest: Fetch = async (input, init) => await ours(new Request(input, init));
const builtIn: Fetch = async (input, init) => await globalThis.fetch(input, { redirect: "manual", ...init });

/** Holds for Node's built-in fetch too: `undiciFetch()`, called in both of its ways, may not differ in it. */
export const FETCHES = [
  ["the built-in fetch", builtIn],
  ["undiciFetch(url, init)", ours],
  ["undiciFetch(request)", byRequest],
] as const;

/** `undiciFetch()` alone, in both of its ways. */
export const OURS = FETCHES.slice(1);

import { expect } from "vitest";
import { ResponseError } from "../../src/index.js";
import { type Failure, type Fault, KEY, type Peer, peerOf } from "./table.js";
import { json, wireServer, writes } from "./wire.js";

/** Where a redirect points: a URL, made of the one that redirects and of another that must hear nothing. */
interface Target {
  readonly name: string;
  readonly location: (here: string, elsewhere: string) => string | undefined;
}

const TARGETS: readonly Target[] = [
  { name: "the same origin", location: (here) => `${here}/elsewhere` },
  { name: "a path", location: () => "/elsewhere" },
  { name: "its own address", location: () => "/api/v3.1/probe" },
  { name: "another origin", location: (_, elsewhere) => `${elsewhere}/take` },
  { name: "a host without a scheme", location: (_, elsewhere) => elsewhere.replace("http:", "") },
  {
    name: "another origin behind a user name",
    location: (here, elsewhere) => elsewhere.replace("//", `//${new URL(here).hostname}@`),
  },
  { name: "https", location: (here) => here.replace("http:", "https:") },
  { name: "a host that repeats the key", location: () => `https://${KEY}.example/` },
  { name: "javascript:", location: () => "javascript:alert(1)" },
  { name: "data:", location: () => 'data:application/json,{"ok":true}' },
  { name: "file:", location: () => "file:///etc/passwd" },
  { name: "junk", location: () => "http://[::::]:99999/%%" },
  { name: "nowhere", location: () => undefined },
];

const right: Failure = { error: ResponseError, outcome: "unknown", again: "none", says: /Redirects aren't followed/ };
/** They ask for the same request elsewhere, so nothing was done here. The others may say where to look at what was. */
const REPEATING = [307, 308];

/** Two servers: one that redirects to the other, and the other, which must hear nothing. */
function redirecting(status: number, location: Target["location"]): Fault["peer"] {
  return async (heals): Promise<Peer> => {
    const elsewhere = await wireServer(() => writes(json(200, { ok: true })));
    const here = await wireServer((turn) => {
      const target = location(here.address, elsewhere.address);
      const headers = target === undefined ? [] : [`location: ${target}`];
      return writes(heals && turn > 1 ? json(200, { ok: true }) : json(status, { ok: true }, ...headers));
    });
    return {
      ...peerOf(here),
      close: async () => {
        expect(elsewhere.connections).toBe(0);
        await Promise.all([here.close(), elsewhere.close()]);
      },
    };
  };
}

export const REDIRECT_ROWS: readonly Fault[] = [300, 301, 302, 303, 307, 308].flatMap((status) =>
  TARGETS.map(
    ({ name, location }): Fault => ({
      name: `a ${status} to ${name}`,
      peer: redirecting(status, location),
      right: { ...right, ...(REPEATING.includes(status) && { outcome: "rejected" as const }), shows: { status } },
    }),
  ),
);

import { ConfigError } from "../errors/local.js";
import { isString } from "../shared/json.js";

/** The methods used of a client of the package `redis`. */
export interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** The methods used of a client of the package `ioredis`. */
export interface IoRedisClient {
  defineCommand(name: string, definition: { lua: string; numberOfKeys?: number }): void;
  eval(script: string, numberOfKeys: number, ...args: string[]): Promise<unknown>;
}

/** Runs a script, which uses only these keys. */
export function runScript(
  client: NodeRedisClient | IoRedisClient,
  script: string,
  keys: readonly string[],
  args: readonly string[],
): Promise<unknown> {
  return isIoRedis(client)
    ? client.eval(script, keys.length, ...keys, ...args)
    : client.eval(script, { keys: [...keys], arguments: [...args] });
}

/** @throws {ConfigError} if it isn't a client of one of the two packages. */
export function checkClient(store: string, client: NodeRedisClient | IoRedisClient | undefined): void {
  if (typeof client?.eval === "function") return;
  throw new ConfigError(`${store}: client must be a client of the package redis or ioredis.`);
}

/** A script's reply that is an integer within limits. Clients may return integers as strings. */
export function integerOf(store: string, reply: unknown, least: number, most: number): number {
  const value = typeof reply === "number" || /^-?\d+$/.test(isString(reply) ? reply : "") ? Number(reply) : Number.NaN;
  if (!Number.isInteger(value) || value < least || value > most) throw oddReply(store);
  return value;
}

/** The error for a reply that none of the scripts gives, such as that of a mock or a proxy. */
export const oddReply = (store: string): TypeError =>
  new TypeError(
    `${store}: the client's eval didn't reply as Redis does. Check the client, and a proxy in front of Redis.`,
  );

function isIoRedis(client: NodeRedisClient | IoRedisClient): client is IoRedisClient {
  return "defineCommand" in client;
}

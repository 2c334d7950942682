import { ConfigError } from "../errors/local.js";

/** The methods used of a client of the package `redis`. */
export interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** The methods used of a client of the package `ioredis`. */
export interface IoRedisClient {
  defineCommand(name: string, definition: { lua: string; numberOfKeys?: number }): void;
  eval(script: string, numberOfKeys: number, ...args: string[]): Promise<unknown>;
}

/** Runs a script. It touches no other keys than these. */
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

function isIoRedis(client: NodeRedisClient | IoRedisClient): client is IoRedisClient {
  return "defineCommand" in client;
}

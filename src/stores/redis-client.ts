import * as option from "../errors/option-rules.js";
import { field, isString } from "../shared/json.js";

/** The methods of a client of the package `redis` that the stores use. */
export interface NodeRedisClient {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** The methods of a client of the package `ioredis` that the stores use. */
export interface IoRedisClient {
  defineCommand(name: string, definition: { lua: string; numberOfKeys?: number }): void;
  eval(script: string, numberOfKeys: number, ...args: string[]): Promise<unknown>;
}

/** The option of every store in Redis. */
export interface RedisOptions {
  /** A connected client of `redis` (5.9 or later) or `ioredis`, or a cluster client. The store never closes it. */
  client: NodeRedisClient | IoRedisClient;
}

/** The rule of the option `client`. */
export const REDIS_CLIENT = option.required(
  option.fitting("a client of the package redis or ioredis", (value) => option.isFunction(field(value, "eval"))),
);

/**
 * Reads a store's options, and runs its scripts.
 *
 * @throws {ConfigError} if an option is unknown or invalid.
 */
export function scripts<Options extends RedisOptions, const Table extends option.Rules<NoInfer<Options>>>(
  store: string,
  given: Options,
  rules: Table,
) {
  const options = option.checkAll(store, given, rules);
  const { client } = options;
  /** The error for a reply that none of the scripts gives, such as that of a mock or a proxy. */
  const odd = () =>
    new TypeError(
      `${store}: the client's eval didn't reply as Redis does. Check the client, and a proxy in front of Redis.`,
    );
  return {
    options,
    odd,
    /** Runs a script, which uses only these keys. */
    run(script: string, keys: readonly string[], args: readonly (string | number)[] = []): Promise<unknown> {
      const texts = args.map(String);
      return "defineCommand" in client
        ? client.eval(script, keys.length, ...keys, ...texts)
        : client.eval(script, { keys: [...keys], arguments: texts });
    },
    /** A reply that is an integer within limits. Clients may return integers as strings. @throws {TypeError} */
    integer(reply: unknown, least: number, most: number): number {
      const isInteger = typeof reply === "number" || (isString(reply) && /^-?\d+$/.test(reply));
      const value = isInteger ? Number(reply) : Number.NaN;
      if (!Number.isInteger(value) || value < least || value > most) throw odd();
      return value;
    },
  };
}

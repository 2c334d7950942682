import * as z from "zod/mini";
import { object } from "../../resources/schema-kit.js";
import type { Assembly } from "../assembly/emulator.js";
import type { Emulator } from "../assembly/interface.js";
import type { BodyLimits } from "../engine/read-body.js";
import type { EventStream } from "./event-stream.js";

/** The emulator as the control plane uses it. */
export type ControlledEmulator = Omit<Emulator, "fetch" | "connection">;

/** A request to the control plane. */
export interface ControlCall<Body = unknown> {
  readonly emulator: ControlledEmulator;
  /** Its parts, for views that the emulator's own interface doesn't have. */
  readonly engine: Assembly;
  /** Recent and new activities. */
  readonly stream: EventStream;
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The body, which matches the endpoint's schema. */
  readonly body: Body;
  /** The request itself. Its body has been read if the endpoint has a schema for it. */
  readonly request: Request;
}

/** An endpoint of the control plane: the source of its route, its checks, and its documentation. */
export interface ControlEndpoint<Body = unknown> {
  /** The `operationId` in the OpenAPI document. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path below the prefix, with `{parameters}`. */
  readonly path: string;
  /** One sentence for the documentation. */
  readonly summary: string;
  /** Schema of the JSON body. If omitted, the body isn't read. */
  readonly body?: z.ZodMiniType<Body>;
  /** Limits of the body; by default, those of an operation. */
  readonly limits?: BodyLimits;
  /** Schema of the JSON response. */
  readonly response: z.ZodMiniType;
  /**
   * Returns the response's JSON, or a `Response` for another content type.
   *
   * @throws {ConfigError} for invalid input; becomes a 400.
   */
  run(call: ControlCall<Body>): unknown;
}

/** Declares an endpoint, so that `run` gets the body its schema describes. */
export function control<Body = undefined>(
  name: string,
  method: ControlEndpoint["method"],
  path: string,
  endpoint: Omit<ControlEndpoint<Body>, "name" | "method" | "path" | "response"> & {
    /** @default an empty object, for an endpoint that only does something */
    readonly response?: z.ZodMiniType;
  },
): ControlEndpoint {
  return { name, method, path, response: object({}), ...endpoint };
}

/** Response of the clock's endpoints. */
export const Time = object({ now: z.string(), isRunning: z.boolean() });

/** A response with a list. */
export const listOf = (item: z.ZodMiniType) => object({ items: z.array(item) });

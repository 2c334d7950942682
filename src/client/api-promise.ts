import type { RateLimit } from "../errors/api-error.js";
import type { Mismatch } from "../errors/local.js";
import { REQUEST_ID } from "../shared/headers.js";
import type { AnyEndpoint } from "./endpoint.js";

/** Metadata of a response. */
export interface ResponseMeta {
  /** The operation, usually named like its method: `tools.execute`. */
  readonly operation: string;
  /** HTTP status of the last response. */
  readonly status: number;
  /** The service's request id, if the response has one. */
  readonly requestId: string | undefined;
  /**
   * Number of requests that the client sent, including the first. After a 421, Node's built-in `fetch` sends the
   * request again by itself, which isn't counted.
   */
  readonly attempts: number;
  /** The rate limit in the response. `undefined` if the response has no rate limit headers. */
  readonly rateLimit: RateLimit | undefined;
  /** Headers of the last response. */
  readonly headers: Headers;
  /** Whether an earlier attempt had already applied the change, according to the response to the retry. */
  readonly alreadyApplied: boolean;
  /** Places where the response doesn't match the contract. Empty without `checkContract()`. */
  readonly mismatches: readonly Mismatch[];
}

/** Data of a call, with the metadata of the response. */
export interface WithResponse<Data> {
  /** The data as received. An integer beyond 2^53 − 1 is a string of its digits. */
  readonly data: Data;
  /** Status, headers and other metadata. */
  readonly meta: ResponseMeta;
}

const NO_MISMATCHES: readonly Mismatch[] = Object.freeze([]);

/** The result of a call that succeeded. */
export function resultOf(
  call: { readonly endpoint: AnyEndpoint; readonly attempts: number },
  data: unknown,
  { status, headers, rateLimit }: Pick<ResponseMeta, "status" | "headers" | "rateLimit">,
  alreadyApplied: boolean,
): WithResponse<unknown> {
  const { name: operation } = call.endpoint;
  const { attempts } = call;
  const requestId = headers.get(REQUEST_ID) ?? undefined;
  const mismatches = NO_MISMATCHES;
  const meta = { operation, status, requestId, attempts, rateLimit, headers, alreadyApplied, mismatches };
  return { data, meta: Object.freeze(meta) };
}

/** A promise of the data that can also return the response's status, headers and attempts. */
export interface ApiPromise<Data> extends Promise<Data> {
  /** Returns the data together with {@link ResponseMeta}. Doesn't send another request. */
  withResponse(): Promise<WithResponse<Data>>;
}

/** A field of the result, which a program without types may read from a call that it forgot to await. */
const unawaited = (name: string): PropertyDescriptor => ({
  get: () => {
    throw new TypeError(`A call returns a promise, which has no ${name} yet. Await it: (await call).${name}.`);
  },
});

const NOT_A_LIST: PropertyDescriptor = {
  value: () => {
    throw new TypeError(
      "The promise of a call isn't a list. Use for await for all items of a list, or await the call and use its items.",
    );
  },
};

const NATIVE: object = Promise.prototype;
/** In a prototype, so that nothing prints, copies or compares these names. */
const API_PROMISE: object = /* @__PURE__ */ Object.create(NATIVE, {
  data: unawaited("data"),
  error: unawaited("error"),
  items: unawaited("items"),
  logs: unawaited("logs"),
  successful: unawaited("successful"),
  [Symbol.iterator]: NOT_A_LIST,
});

/** Attaches `.withResponse()` to the promise of the data: not a subclass, whose `await` would take longer. */
export function apiPromise<Data>(response: Promise<WithResponse<Data>>): ApiPromise<Data> {
  const data = response.then((result) => result.data);
  // A library may have replaced the runtime's promises, and theirs need their own prototype.
  if (Object.getPrototypeOf(data) === NATIVE) Object.setPrototypeOf(data, API_PROMISE);
  return Object.assign(data, {
    withResponse: () => {
      // This branch reports the failure, so the other one must not report it as unhandled too.
      data.catch(() => undefined);
      return response.then((result) => result);
    },
  });
}

import type { RateLimit } from "../errors/api-error.js";
import type { Mismatch } from "../errors/local.js";

/** What is known about an answered call beside its data. */
export interface Meta {
  /** The call, named as the method: `tools.execute`. */
  readonly operation: string;
  /** HTTP status of the last answer. */
  readonly status: number;
  /** The service's id of the request, where the answer carries one. */
  readonly requestId: string | undefined;
  /** How many requests were sent, the first included. */
  readonly attempts: number;
  /** What the rate limiter said with this answer; `undefined` where it said nothing. */
  readonly rateLimit: RateLimit | undefined;
  /** Headers of the last answer. */
  readonly headers: Headers;
  /** True when an earlier attempt had already done it and the service only said so. */
  readonly repeated: boolean;
  /** Where the answer does not fit the contract. Empty without `contract`. */
  readonly mismatches: readonly Mismatch[];
}

/** Data and what is known about the call that brought it. */
export interface WithResponse<Data> {
  /** The data, the very object that was received. */
  readonly data: Data;
  /** Status, headers and what else came with it. */
  readonly meta: Meta;
}

/** A promise of the data that can also give the answer's status, headers and attempts. */
export interface ApiPromise<Data> extends Promise<Data> {
  /** The data together with {@link Meta}. Sends nothing further. */
  withResponse(): Promise<WithResponse<Data>>;
}

/** Attaches `.withResponse()` to the promise of the data: a plain promise, no subclass. */
export function apiPromise<Data>(answered: Promise<WithResponse<Data>>): ApiPromise<Data> {
  const data = answered.then(dataOf);
  return Object.assign(data, {
    withResponse: () => {
      // Whoever takes this branch handles the failure here; the other branch must not also report it as unhandled.
      data.catch(() => undefined);
      return answered.then((answer) => answer);
    },
  });
}

function dataOf<Data>({ data }: WithResponse<Data>): Data {
  return data;
}

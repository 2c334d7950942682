import type { World } from "./context.js";
import type { RateWindow } from "./rate-window.js";

/** A request to an address that is no operation of the contract. */
export interface Visit extends World {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  /** Scheme, host and port it came to. */
  readonly origin: string;
  readonly rateWindow: RateWindow;
}

/** An address that is no operation of the contract: a signed address, another protocol, a page. */
export interface Door {
  readonly methods: readonly string[];
  /** From the root, with `{parameters}`. */
  readonly path: string;
  /** Answers, or throws a `Refusal`. */
  open(visit: Visit): Response | Promise<Response>;
}

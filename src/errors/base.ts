/** What is known about the effect of a call that failed. Only calls that act anew each time carry it: executions, creations. */
export type Outcome =
  /** No byte of the request reached the service: it is safe to send again. */
  | "not_sent"
  /** The service answered that it did not act. */
  | "rejected"
  /** The call may have run. Look before you repeat it. */
  | "unknown";

/** What people must know before they repeat a failed call, as the end of its message. */
export function warningOf(outcome: Outcome | undefined): string {
  return outcome === "unknown" ? " It may have run: look before you repeat it." : "";
}

const BRAND = Symbol.for("svc-sdk.error");

/**
 * The root of everything this package throws on purpose.
 *
 * `instanceof` works across two copies of the package (a bundled and an installed one, say): it reads a brand, not the
 * prototype. A caller's own abort reason is the one thing that leaves the package without being an `SvcError`.
 */
export class SvcError extends Error {
  /** The brand of this class; `instanceof` compares it. */
  protected static readonly brand: string = "SvcError";

  /** The brands of the class and its ancestors, for `instanceof` across copies of the package. */
  declare readonly [BRAND]: readonly string[];

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    const brands: string[] = [];
    for (let type = new.target; "brand" in type; type = Object.getPrototypeOf(type)) brands.push(type.brand);
    Object.defineProperty(this, BRAND, { value: brands });
    Object.defineProperty(this, "name", { value: new.target.brand, configurable: true, writable: true });
  }

  /** Reads the brand, so that `instanceof` works across copies of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // `this` is the class on the right of `instanceof`, which may be any subclass.
    // A user's own subclass inherits `brand`; for it the prototype chain is the only truth.
    if (!Object.hasOwn(this, "brand")) return Function.prototype[Symbol.hasInstance].call(this, value);
    if (typeof value !== "object" || value === null || !(BRAND in value)) return false;
    return Array.isArray(value[BRAND]) && value[BRAND].includes(this.brand);
  }

  /** The error as plain data, for logs. Holds no credential and no request body. */
  toJSON(): object {
    return Object.assign({ name: this.name, message: this.message }, this);
  }
}

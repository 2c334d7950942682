/** A kind of credential, named like the client option. */
export type CredentialKind = "apiKey" | "userApiKey" | "orgApiKey" | "sessionCookie";

interface Carrier {
  /** Its environment variable, if it has one. */
  readonly variable: string | undefined;
  /** The request header it is sent in. */
  readonly header: string;
  /** Prefix of the value in the header. */
  readonly prefix: string;
  /** Start of the keys that the service issues. */
  readonly issued?: string;
}

/** How each kind is sent. The client, its messages, the emulator and its inspector all read this table. */
export const CREDENTIALS: Readonly<Record<CredentialKind, Carrier> & { apiKey: Required<Carrier> }> = {
  apiKey: { variable: "SVC_API_KEY", header: "x-api-key", prefix: "", issued: "ak_" },
  userApiKey: { variable: "SVC_USER_API_KEY", header: "x-user-api-key", prefix: "", issued: "uak_" },
  orgApiKey: { variable: "SVC_ORG_API_KEY", header: "x-org-api-key", prefix: "", issued: "oak_" },
  sessionCookie: { variable: undefined, header: "cookie", prefix: "authToken=" },
};

/** All kinds of credentials. Pure, so bundlers drop it from programs without a client. */
export const CREDENTIAL_KINDS = /* @__PURE__ */ Object.keys(CREDENTIALS) as readonly CredentialKind[];

// Written out, so that no bundle loads the table for one of them.

/** The start of an API key of any kind: `issued` in the table. */
export const KEY_START = /^[uo]?ak_/;

/** The start of the secrets that the service issues with webhook subscriptions. */
export const SECRET_START = "whsec_";

/** Finds the start of such a key or secret. */
export const KEY_OR_SECRET = /\b([uo]?ak|whsec)_/;

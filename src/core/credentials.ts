/** A kind of credential, named like the client option that holds it. Spec: Authentication. */
export type CredentialKind = "apiKey" | "userApiKey" | "orgApiKey" | "sessionCookie";

interface Carrier {
  /** The environment variable that holds it, where there is one. */
  readonly variable: string | undefined;
  /** The request header that carries it. */
  readonly header: string;
  /** What stands before the value in the header. */
  readonly prefix: string;
}

/** How each kind travels. Stated once: the client, its messages and the emulator's guard all read it. */
export const CREDENTIALS: Readonly<Record<CredentialKind, Carrier>> = {
  apiKey: { variable: "SVC_API_KEY", header: "x-api-key", prefix: "" },
  userApiKey: { variable: "SVC_USER_API_KEY", header: "x-user-api-key", prefix: "" },
  orgApiKey: { variable: "SVC_ORG_API_KEY", header: "x-org-api-key", prefix: "" },
  sessionCookie: { variable: undefined, header: "cookie", prefix: "authToken=" },
};

/** Every kind there is. */
export const CREDENTIAL_KINDS = Object.keys(CREDENTIALS) as readonly CredentialKind[];

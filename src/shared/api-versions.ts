/** Versions of the service's API, newest first. */
export const API_VERSIONS = ["v3.1", "v3"] as const;

export type ApiVersion = (typeof API_VERSIONS)[number];

/** The API version of a client that names none. */
export const DEFAULT_API_VERSION = "v3.1" satisfies ApiVersion;

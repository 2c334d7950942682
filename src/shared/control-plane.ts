/** Where an emulator listens, unless it gets another host. */
export const EMULATOR_HOST = "127.0.0.1";

/** The port of the command `svc-sdk emulator`, unless it gets another one, and the URL there. */
export const EMULATOR_PORT = 4747;
export const EMULATOR_URL = `http://${EMULATOR_HOST}:${EMULATOR_PORT}`;

/** The prefix of the paths of the emulator's control plane. The service has no such paths. */
export const CONTROL_PREFIX = "/_emulator";

/** Where toolsets report their calls, below the prefix. */
export const REPORTS_PATH = "/runs";

/** The header of a request that a reported call sends, with the id of the call. */
export const REPORTED_CALL = "x-emulator-call";

/**
 * The header of the inspector's changes. Only its page knows the token, and pages of other origins can't read that
 * page.
 */
export const INSPECTOR_TOKEN = "x-emulator-token";

/** Replaces a value that the emulator hides entirely. */
export const REDACTED = "REDACTED";

/** How many characters of a body the emulator keeps for its log. */
export const KEPT_CHARACTERS = 16_384;

import { ConfigError } from "../errors/local.js";
import { refusedScheme } from "./url-check.js";

/** How the emulated project is set up. */
export interface ProjectOptions {
  /**
   * Webhook subscriptions a project may have; one more is answered with 409.
   * @default 1
   */
  readonly subscriptionsPerProject?: number | undefined;
  /**
   * Address of your callback verifier. With one, a completed link page sends the browser there with a `session_uri`, and
   * the account becomes ACTIVE by `connectedAccounts.completeAuth` only.
   */
  readonly callbackVerifierUrl?: string | undefined;
}

/** The project's options with their defaults. */
export interface ProjectSettings {
  readonly subscriptionsPerProject: number;
  readonly callbackVerifierUrl: string | undefined;
}

/** @throws {ConfigError} for a number that is none, or an address that is none. */
export function projectSettings({
  subscriptionsPerProject = 1,
  callbackVerifierUrl,
}: ProjectOptions = {}): ProjectSettings {
  if (!Number.isSafeInteger(subscriptionsPerProject) || subscriptionsPerProject < 1) {
    throw new ConfigError("The emulator's project.subscriptionsPerProject must be a whole number from 1.");
  }
  if (callbackVerifierUrl !== undefined && !URL.canParse(callbackVerifierUrl)) {
    throw new ConfigError("The emulator's project.callbackVerifierUrl must be an absolute address.");
  }
  const scheme = refusedScheme(callbackVerifierUrl ?? "");
  if (scheme !== undefined) {
    throw new ConfigError(`The emulator's project.callbackVerifierUrl must be the URL of a site, not ${scheme}.`);
  }
  return { subscriptionsPerProject, callbackVerifierUrl };
}

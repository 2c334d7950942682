import { mismatchesOf } from "../../contract/check.js";
import { operations } from "../../contract/operations.js";
import type { JsonObject } from "../definitions.js";
import { invalidRequest } from "../refusal.js";
import { demoCredentials } from "./seeded-account.js";
import { stateInClear } from "./state-values.js";
import { ACCOUNT_STATUSES, type ConnectionFlow } from "./stored-account.js";

/** The smallest answers that show an account's state. */
const creations = operations.filter(({ endpoint }) => endpoint.name === "connectedAccounts.create");

/**
 * Checks the values that a request brings before they are kept, in every status an account can come to: what was kept must be
 * shown, whatever happens to the account. See assumption E89.
 *
 * @param part what of the request the values come from: `body.connection_data`.
 * @throws {Refusal} 400 that names the values which do not fit.
 */
export function checkValues(scheme: string, values: JsonObject, part: string): void {
  // Requests bring any number of values, and nearly always good ones.
  if (canBeShown(scheme, values)) return;
  const odd = Object.entries(values).filter(([name, value]) => !canBeShown(scheme, { [name]: value }));
  throw invalidRequest(odd.map(([name]) => `${part}.${name}: no value that a connection of ${scheme} can have`));
}

/** Accounts that wait for their user have a flow. */
const ANY_FLOW: ConnectionFlow = { token: "", url: "", callbackUrl: null, endsAt: 0, isOver: false, sessionUri: null };

function canBeShown(scheme: string, given: JsonObject): boolean {
  // What a status needs beside the values comes with the status.
  const values = { ...demoCredentials(scheme), ...given };
  return ACCOUNT_STATUSES.every((status) => {
    // In clear: the mask makes a text of any secret.
    const connectionData = stateInClear({ scheme, status, values, outcome: {}, flow: ANY_FLOW });
    const shown = { id: "", connectionData, status, redirect_url: null, redirect_uri: null };
    return creations.every(({ response }) => mismatchesOf(response, shown).length === 0);
  });
}

import { mismatchesOf } from "../../contract/check.js";
import { operations } from "../../contract/operations.js";
import type { World } from "../context.js";
import type { JsonObject } from "../definitions.js";
import { invalidRequest } from "../refusal.js";
import { demoCredentials } from "./seeded-account.js";
import { detailedAccount } from "./show.js";
import { stateInClear } from "./state-values.js";
import { ACCOUNT_STATUSES, type StoredAccount } from "./stored-account.js";

const get = operations.filter(({ endpoint }) => endpoint.name === "connectedAccounts.get");

/**
 * Checks values before an account keeps them, each by itself, in every status the account can come to: what was kept must
 * be shown, whatever happens to the account. See assumption E89.
 *
 * @param part what of the request the values come from: `body.connection_data`.
 * @throws {Refusal} 400 that names the values which do not fit.
 */
export function checkValues(account: StoredAccount, values: JsonObject, part: string, world: World): void {
  const odd = Object.entries(values).filter(([name, value]) => !canBeShown(account, { [name]: value }, world));
  if (odd.length === 0) return;
  throw invalidRequest(
    odd.map(([name]) => `${part}.${name}: no value that a connection of ${account.scheme} can have`),
  );
}

function canBeShown(account: StoredAccount, value: JsonObject, { state }: World): boolean {
  const record = detailedAccount(account, state);
  // What a status needs beside the value comes with the status.
  const values = { ...demoCredentials(account.scheme), redirectUrl: "", authUri: "", ...value };
  return ACCOUNT_STATUSES.every((status) => {
    // In clear: the mask makes a text of any secret.
    const shown = { ...record, status, state: stateInClear({ ...account, values, outcome: {}, status }) };
    return get.every(({ response }) => mismatchesOf(response, shown).length === 0);
  });
}

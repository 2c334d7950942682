import type { UpdateConnectedAccountBody } from "../../resources/connected-accounts/schema.js";
import type { World } from "../context.js";
import { badRequest, claimAlias, missingFields, share } from "./rules.js";
import { missingLabels } from "./schemes.js";
import type { StoredAccount } from "./stored-account.js";
import { enter } from "./transitions.js";

/**
 * Changes an account as a request says; what is left out stays. Nothing has changed when it throws. Spec: Connected account
 * update.
 */
export function applyUpdate(account: StoredAccount, body: UpdateConnectedAccountBody, world: World): void {
  const alias = body.alias === undefined ? account.alias : claimAlias(body.alias, account, world.state);
  const patch = body.connection?.state;
  const values = patch ? patchedValues(account, patch, world) : account.values;
  share(account, { acl_config_for_shared: body.experimental?.acl_config_for_shared });
  Object.assign(account, { alias, values, updatedAt: world.clock.iso() });
  const isFresh = Object.values(patch?.val ?? {}).some((value) => typeof value === "string");
  if (isFresh && account.status === "EXPIRED") enter(account, "ACTIVE", { reason: null }, world);
}

type StatePatch = NonNullable<NonNullable<UpdateConnectedAccountBody["connection"]>["state"]>;

function patchedValues({ scheme, status, toolkit, values }: StoredAccount, patch: StatePatch, world: World) {
  if (patch.authScheme !== scheme) {
    throw badRequest(`The connection's scheme is ${scheme}, not ${patch.authScheme}`, `Send authScheme ${scheme}`);
  }
  if (!["ACTIVE", "INACTIVE", "EXPIRED"].includes(status)) {
    throw badRequest(`The credentials of a connection in ${status} state cannot be changed`, "Use a new link");
  }
  const entries = Object.entries({ ...values, ...patch.val }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  const patched = Object.fromEntries(entries);
  const missing = missingLabels(world.catalogue.toolkits.get(toolkit), scheme, patched);
  if (missing.length > 0) throw missingFields(missing);
  return patched;
}

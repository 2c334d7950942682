import type { UpdateConnectedAccountBody } from "../../resources/connected-accounts/schema.js";
import type { World } from "../context.js";
import type { JsonObject } from "../definitions.js";
import { checkValues } from "./check-values.js";
import { badRequest, claimAlias, missingFields, share, usableConfig, withShared } from "./rules.js";
import { missingLabels, requiredFields } from "./schemes.js";
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
  const isFresh = Object.values(patch?.val ?? {}).some((value) => typeof value === "string");
  const isRenewed = isFresh && account.status === "EXPIRED";
  if (isRenewed) usableConfig(account.authConfigId, world.state);
  share(account, { acl_config_for_shared: body.experimental?.acl_config_for_shared });
  Object.assign(account, { alias, values, updatedAt: world.clock.iso() });
  if (isRenewed) enter(account, "ACTIVE", { reason: null }, world);
}

type StatePatch = NonNullable<NonNullable<UpdateConnectedAccountBody["connection"]>["state"]>;

function patchedValues(account: StoredAccount, patch: StatePatch, world: World) {
  const { authConfigId, scheme, status, toolkit, values } = account;
  if (patch.authScheme !== scheme) {
    throw badRequest(`The connection's scheme is ${scheme}, not ${patch.authScheme}`, `Send authScheme ${scheme}`);
  }
  if (!["ACTIVE", "INACTIVE", "EXPIRED"].includes(status)) {
    throw badRequest(`The credentials of a connection in ${status} state cannot be changed`, "Use a new link");
  }
  checkValues(scheme, withoutNulls({ ...patch.val }), "body.connection.state.val");
  const own = withoutNulls({ ...values, ...patch.val });
  const patched = withShared(own, world.state.authConfigs.get(authConfigId));
  const missing = missingLabels(requiredFields(world.catalogue.toolkits.get(toolkit), scheme), patched);
  if (missing.length > 0) throw missingFields(missing);
  return patched;
}

/** Null takes a value away. */
function withoutNulls(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
}

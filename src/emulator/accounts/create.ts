import type { CreateConnectedAccountBody } from "../../resources/connected-accounts/schema.js";
import type { World } from "../context.js";
import type { JsonObject } from "../definitions.js";
import { invalidRequest } from "../refusal.js";
import type { StoredAuthConfig } from "../stored-auth-config.js";
import { checkValues } from "./check-values.js";
import { badRequest, missingFields, withShared } from "./rules.js";
import { isRedirectScheme, missingLabels, requiredFields } from "./schemes.js";
import type { AccountStatus } from "./stored-account.js";

/** How a created account begins. */
export interface Beginning {
  readonly status: Extract<AccountStatus, "ACTIVE" | "INITIALIZING">;
  readonly values: JsonObject;
}

/**
 * How an account begins that a request brings: ACTIVE with credentials, INITIALIZING where the user has to be sent to the
 * provider. See assumption E22.
 *
 * @throws {Refusal} 400 for managed redirect schemes, another scheme than the config's, missing, odd or refused
 *   credentials.
 */
export function beginningOf(body: CreateConnectedAccountBody, config: StoredAuthConfig, world: World): Beginning {
  const { auth_scheme: scheme, is_svc_managed: isManaged, toolkit } = config;
  if (isManaged && isRedirectScheme(scheme)) throw retired();
  const { state, data } = body.connection;
  if (state && state.authScheme !== scheme) {
    throw badRequest(`The auth config's scheme is ${scheme}, not ${state.authScheme}`);
  }
  const part = state ? "body.connection.state.val" : "body.connection.data";
  const { status: given = "INITIALIZING", ...own }: JsonObject = { ...(state?.val ?? data) };
  if (!BEGINNINGS.includes(given)) {
    throw invalidRequest([`${part}.status: expected ${BEGINNINGS.join(" or ")}`]);
  }
  checkValues(scheme, own, part);
  const values = withShared(own, config);
  if (isRedirectScheme(scheme) && given !== "ACTIVE") return { status: "INITIALIZING", values };
  const missing = missingLabels(requiredFields(world.catalogue.toolkits.get(toolkit.slug), scheme), values);
  if (missing.length > 0) throw missingFields(missing);
  if (body.validate_credentials && scheme === "API_KEY") tryKey(values);
  return { status: "ACTIVE", values };
}

const BEGINNINGS: readonly unknown[] = ["ACTIVE", "INITIALIZING", "INITIATED"];

/** The emulated external applications accept any key but those that begin with `invalid`. See assumption E22. */
function tryKey(values: JsonObject): void {
  const isRefused = Object.values(values).some((value) => typeof value === "string" && value.startsWith("invalid"));
  if (isRefused) throw badRequest("The credentials were refused", "Check the API key");
}

function retired() {
  const path = "POST /api/v3.1/connected_accounts/link";
  return badRequest(
    `Connecting service-managed OAuth accounts with this endpoint is no longer supported: use ${path}`,
    `Use ${path}`,
  );
}

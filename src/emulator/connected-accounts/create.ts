import type {
  ConnectionLink,
  CreateConnectedAccountBody,
  LinkConnectedAccountBody,
} from "../../resources/connected-accounts/schema.js";
import type { JsonObject } from "../../resources/schema-kit.js";
import type { AccountStatus, StoredAccount, StoredAuthConfig } from "../engine/account-records.js";
import type { Engine, ProjectEngine } from "../engine/engine.js";
import { invalidRequest } from "../engine/responses.js";
import { withFlow } from "./flows.js";
import { badRequest, checkGiven, checkValues, claimAlias, sharingAfter, withShared } from "./rules.js";
import { isRedirectScheme, requiredFields } from "./schemes.js";
import { linkUrl, sharingOf } from "./show.js";
import { endOfToken } from "./transitions.js";

/**
 * Creates an account of a usable auth config, and a hosted page on which its user connects it. Sessions use it too.
 *
 * @throws {ApiFailure} 400 for a callback URL that isn't absolute.
 */
export function linkAccount(
  config: StoredAuthConfig,
  body: Omit<LinkConnectedAccountBody, "auth_config_id">,
  engine: ProjectEngine,
): ConnectionLink {
  const own = { ...body.connection_data };
  checkValues(config.auth_scheme, own, "body.connection_data");
  const account = buildAccount(config, body, { status: "INITIALIZING", values: withShared(own, config) }, engine);
  const { callback_url: callbackUrl } = body;
  if (callbackUrl !== undefined && !URL.canParse(callbackUrl)) {
    throw invalidRequest(["body.callback_url: expected an absolute URL"]);
  }
  const started = withFlow(account, callbackUrl, engine);
  const { flow } = started;
  engine.state.connectedAccounts.set(account.id, started);
  return {
    link_token: flow.token,
    redirect_url: linkUrl(flow, engine.origin),
    expires_at: new Date(flow.endsAt).toISOString(),
    connected_account_id: account.id,
    experimental: sharingOf(account),
  };
}

/** The facts of a new account in a request. Without a user, it belongs to `default`. */
type Wanted = Pick<CreateConnectedAccountBody["connection"], "user_id" | "alias" | "experimental">;

/** An account of a request, which isn't stored yet. */
export function buildAccount(
  { id: authConfigId, auth_scheme: scheme, toolkit: { slug: toolkit } }: StoredAuthConfig,
  { user_id: userId = "default", alias = "", experimental }: Wanted,
  { status, values }: InitialState,
  { ids, clock, state }: Engine,
): StoredAccount {
  const identity = { id: ids.next("ca_"), uuid: ids.uuid(), userId, toolkit, authConfigId, scheme, status };
  const account = newAccount(identity, clock.iso(), values);
  return {
    ...account,
    alias: claimAlias(alias, account, state),
    ...sharingAfter(account, experimental),
    tokenExpiresAt: status === "ACTIVE" ? endOfToken(account, clock.now()) : null,
  };
}

/** Initial status and values of an account. */
interface InitialState {
  readonly status: Extract<AccountStatus, "ACTIVE" | "INITIALIZING">;
  readonly values: JsonObject;
}

/**
 * The initial state of an account: ACTIVE with credentials, INITIALIZING if the user must be sent to the provider.
 * Assumption E22.
 *
 * @throws {ApiFailure} 400 for a managed redirect scheme, a scheme other than the config's, and missing, invalid, or
 *   rejected credentials.
 */
export function initialState(body: CreateConnectedAccountBody, config: StoredAuthConfig, engine: Engine): InitialState {
  const { auth_scheme: scheme, is_svc_managed: isManaged, toolkit } = config;
  if (isManaged && isRedirectScheme(scheme)) {
    const message = "Connecting service-managed OAuth accounts with this endpoint is no longer supported";
    throw badRequest(`${message}: use ${LINK}`, `Use ${LINK}`);
  }
  const { state, data } = body.connection;
  if (state && state.authScheme !== scheme) {
    throw badRequest(`The auth config's scheme is ${scheme}, not ${state.authScheme}`);
  }
  const part = state ? "body.connection.state.val" : "body.connection.data";
  const { status: given = "INITIALIZING", ...own }: JsonObject = { ...(state?.val ?? data) };
  if (!ACCEPTED_STATUSES.includes(given)) {
    throw invalidRequest([`${part}.status: expected ${ACCEPTED_STATUSES.join(" or ")}`]);
  }
  checkValues(scheme, own, part);
  const values = withShared(own, config);
  if (isRedirectScheme(scheme) && given !== "ACTIVE") return { status: "INITIALIZING", values };
  checkGiven(requiredFields(engine.catalog.toolkits.get(toolkit.slug), scheme), values);
  if (body.validate_credentials && scheme === "API_KEY") tryKey(values);
  return { status: "ACTIVE", values };
}

const ACCEPTED_STATUSES: readonly unknown[] = ["ACTIVE", "INITIALIZING", "INITIATED"];

/** The emulated providers accept every key that doesn't start with `invalid`. Assumption E22. */
function tryKey(values: JsonObject): void {
  const isRejected = Object.values(values).some((value) => typeof value === "string" && value.startsWith("invalid"));
  if (isRejected) throw badRequest("The credentials were rejected", "Check the API key");
}

/** As in the service's own message, which names the older prefix. */
const LINK = "POST /api/v3/connected_accounts/link";

type Identity = Pick<StoredAccount, "id" | "uuid" | "userId" | "toolkit" | "authConfigId" | "scheme" | "status">;

/** Creates an account. `now` is ISO 8601. */
export function newAccount(identity: Identity, now: string, values: JsonObject = {}): StoredAccount {
  return {
    ...identity,
    alias: null,
    statusReason: null,
    createdAt: now,
    updatedAt: now,
    values: { ...values },
    outcome: {},
    params: { ...values },
    sharing: "PRIVATE",
    acl: {},
    flow: null,
    pastTokens: [],
    tokenExpiresAt: null,
  };
}

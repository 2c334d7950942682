import * as z from "zod/mini";
import { mismatchesOf } from "../../contract/check.js";
import type { LinkedToolkit, LinkToolkitBody } from "../../resources/tool-router/schema.js";
import { request } from "../../schema-kit.js";
import { complaint } from "../answers.js";
import type { ToolkitDefinition } from "../definitions.js";
import { linkAccount } from "../handlers/connected-accounts.js";
import { newAuthConfig } from "../new-auth-config.js";
import { invalidRequest } from "../refusal.js";
import type { StoredAuthConfig } from "../stored-auth-config.js";
import { canConnect } from "./auth-configs.js";
import { invalidAuthConfigs, invalidToolkits, refuseInSession, toolkitNotAllowed } from "./refusals.js";
import { allowsToolkit } from "./restrictions.js";
import type { SessionScope } from "./scope.js";

const userIds = z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(256))).check(z.maxLength(1_000)));

/** What the account's creation takes under the same name. See assumption R4. */
const Sharing = request({
  account_type: z.optional(z.enum(["PRIVATE", "SHARED"])),
  acl_config_for_shared: z.optional(
    request({ allow_all_users: z.optional(z.boolean()), allowed_user_ids: userIds, not_allowed_user_ids: userIds }),
  ),
});

/**
 * A page on which the session's user connects a toolkit: the same as a link of an auth config, which the session knows.
 *
 * @throws {Refusal} 400 for a toolkit that does not exist, is excluded, needs no account or has no way to connect, and for
 *   an auth config of the session's that sessions may not use any more.
 */
export function linkInSession(body: LinkToolkitBody, scope: SessionScope): LinkedToolkit {
  const { catalogue, config } = scope;
  const toolkit = catalogue.toolkits.get(body.toolkit);
  if (!toolkit) throw invalidToolkits([body.toolkit]);
  if (!allowsToolkit(config, toolkit.slug)) throw toolkitNotAllowed(toolkit.slug);
  if (toolkit.auth.length === 0) {
    throw refuseInSession(4326, "ToolkitsIsNoAuth", `Toolkit ${toolkit.slug} does not require authentication`);
  }
  const { data: sharing, error } = Sharing.safeParse(body.experimental ?? {});
  if (error) {
    throw invalidRequest(mismatchesOf(Sharing, body.experimental).map((one) => complaint("body.experimental", one)));
  }
  const link = linkAccount(
    {
      auth_config_id: authConfigFor(toolkit, scope).id,
      user_id: config.user_id,
      alias: body.alias,
      callback_url: body.callback_url ?? config.manage_connections?.callback_url ?? undefined,
      experimental: sharing,
    },
    scope.origin,
    scope,
  );
  const overwrite: unknown = config.experimental?.["link_url_overwrite"];
  return {
    link_token: link.link_token,
    redirect_url: typeof overwrite === "string" ? `${withoutSlashes(overwrite)}/${link.link_token}` : link.redirect_url,
    connected_account_id: link.connected_account_id,
    experimental: { ...link.experimental },
  };
}

/** Without the slashes at its end. A regular expression takes quadratic time for many slashes before the end. */
function withoutSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === "/") end -= 1;
  return url.slice(0, end);
}

/** The auth config to connect with: the session's, else the toolkit's newest usable one, else a managed one, made now. */
function authConfigFor(toolkit: ToolkitDefinition, { config, state, ids, clock }: SessionScope): StoredAuthConfig {
  const id = config.auth_configs?.[toolkit.slug];
  const usable = [...state.authConfigs.values()].findLast(
    (one) => (id === undefined || one.id === id) && canConnect(one, toolkit.slug),
  );
  if (usable) return usable;
  if (id !== undefined) throw invalidAuthConfigs([id]);
  const managed = toolkit.auth.find(({ isManaged }) => isManaged);
  if (!managed) {
    throw refuseInSession(
      4308,
      "NoManagedAuth",
      `The service does not manage auth for toolkit ${toolkit.slug}, and it has no usable auth config`,
      "Create an auth config for it, and name it in auth_configs of the session",
    );
  }
  const identity = { id: ids.next("ac_"), uuid: ids.uuid(), isCustom: false, name: toolkit.name, now: clock.iso() };
  const made = newAuthConfig(toolkit, managed.scheme, identity);
  state.authConfigs.set(made.id, made);
  return made;
}

import { expect, test } from "vitest";
import { BadRequestError, canUseSharedConnection, type SharedConnectionAcl } from "../../../src/index.js";
import { emulated } from "../../support/client.js";

const lists = [undefined, [], ["guest"], ["somebody-else"]];

/** Every combination of the three fields for another user. */
const acls: readonly SharedConnectionAcl[] = [undefined, false, true].flatMap((allow_all_users) =>
  lists.flatMap((allowed_user_ids) =>
    lists.map((not_allowed_user_ids) => ({ allow_all_users, allowed_user_ids, not_allowed_user_ids })),
  ),
);

/** Shares an account with a config, and returns whether the service lets a user use it. */
async function shared(acl: SharedConnectionAcl | undefined) {
  const { svc } = emulated();
  const { id } = await svc.connectedAccounts.create({
    auth_config: { id: "ac_weather_demo" },
    connection: {
      user_id: "creator",
      state: { authScheme: "API_KEY", val: { status: "ACTIVE", generic_api_key: "weather-key" } },
      experimental: { account_type: "SHARED", acl_config_for_shared: acl },
    },
  });
  const allowed = async (call: PromiseLike<unknown>) => {
    try {
      await call;
      return true;
    } catch (error) {
      if (error instanceof BadRequestError) return false;
      throw error;
    }
  };
  return {
    canExecute: (userId: string) =>
      allowed(
        svc.tools.execute("WEATHERMAP_WEATHER", {
          user_id: userId,
          connected_account_id: id,
          version: "latest",
          arguments: { city: "Lisbon" },
        }),
      ),
    canPin: (userId: string) =>
      allowed(svc.toolRouter.create({ user_id: userId, connected_accounts: { weathermap: [id] } })),
    sees: async (userId: string) => {
      const page = await svc.connectedAccounts.list({ account_type: "SHARED", user_ids: [userId] });
      return page.items.some((account) => account.id === id);
    },
  };
}

/** The resolution for "guest", line by line as in the specification. */
function mayGuestUse(acl: SharedConnectionAcl): boolean {
  if (acl.not_allowed_user_ids?.[0] === "guest") return false;
  if (acl.allow_all_users) return true;
  return acl.allowed_user_ids?.[0] === "guest";
}

const decide = (acl: SharedConnectionAcl | null | undefined, userId: string) =>
  canUseSharedConnection(acl, { userId, creatorId: "creator" });

test("the table contains every combination", () => {
  expect(new Set(acls.map((acl) => JSON.stringify(acl))).size).toBe(48);
});

test.each(acls.map((acl) => ({ acl, may: mayGuestUse(acl) })))(
  "canUseSharedConnection returns true for the creator and $may for a guest with $acl",
  ({ acl, may }) => {
    expect(decide(acl, "creator")).toBe(true);
    expect(decide(acl, "guest")).toBe(may);
  },
);

test.each([undefined, null])("without a config (%s), only the creator may use the account", (acl) => {
  expect(decide(acl, "guest")).toBe(false);
  expect(decide(acl, "creator")).toBe(true);
});

test.each([undefined, null, ""])(
  "a missing user (%j) may not use it, even if the creator is missing too",
  (missing) => {
    for (const acl of [undefined, { allow_all_users: true }]) {
      // @ts-expect-error: a JavaScript program may get both from a session and an event that lack them.
      expect(canUseSharedConnection(acl, { userId: missing, creatorId: missing })).toBe(false);
    }
  },
);

test("a denied user stays denied if all users are allowed and the list of allowed users includes them", () => {
  const acl = { allow_all_users: true, allowed_user_ids: ["guest"], not_allowed_user_ids: ["guest"] };
  expect(decide(acl, "guest")).toBe(false);
});

test.each([undefined, ...acls].map((acl) => ({ acl })))(
  "with $acl the service decides as canUseSharedConnection does",
  async ({ acl }) => {
    const service = await shared(acl);
    for (const userId of ["creator", "guest"]) {
      const mayUse = decide(acl, userId);
      expect({ userId, may: await service.canExecute(userId) }).toEqual({ userId, may: mayUse });
      expect({ userId, may: await service.canPin(userId) }).toEqual({ userId, may: mayUse });
      expect({ userId, may: await service.sees(userId) }).toEqual({ userId, may: mayUse });
    }
  },
);

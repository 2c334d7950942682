// Tests with an emulator that has the test's own users, accounts and tools.
// #region seed
import { Svc } from "svc-sdk";
import { createEmulator, toToolkits } from "svc-sdk/emulator";
import { expect, test } from "vitest";

const open = {
  slug: "TRACKER_OPEN_TICKET",
  name: "Open ticket",
  description: "Opens a ticket.",
  input: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
  output: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  result: { id: "t_1" }, // Or a function: run: ({ arguments, userId }) => ({ … }).
};
const tracker = { slug: "tracker", name: "Tracker", auth: [{ scheme: "OAUTH2", isManaged: true }], tools: [open] };
const emulator = createEmulator({
  toolkits: toToolkits([tracker], "seed.test.ts"), // The second argument names the list in errors.
  seed: {
    keys: [{ kind: "apiKey", value: "ak_test" }],
    authConfigs: [{ id: "ac_tracker", toolkit: "tracker" }],
    connectedAccounts: [
      { id: "ca_ada", userId: "ada", authConfigId: "ac_tracker" },
      { id: "ca_bob", userId: "bob", authConfigId: "ac_tracker", status: "EXPIRED" },
    ],
  },
});
const svc = new Svc(emulator.connection);

test("opens a ticket for ada, but not for bob, whose account has expired", async () => {
  const body = { version: "latest", arguments: { title: "It broke" } };
  expect((await svc.tools.execute(open.slug, { user_id: "ada", ...body })).data).toEqual({ id: "t_1" });
  const ofBob = svc.tools.execute(open.slug, { user_id: "bob", ...body });
  await expect(ofBob).rejects.toMatchObject({ condition: "auth_refresh_required" });
});
// #endregion

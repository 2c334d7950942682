// Calls an operation that the SDK has no method for. Run it with: node examples/call-anything.ts
import { endpoint, Svc, typed } from "svc-sdk";
import { createEmulator } from "svc-sdk/emulator";

const emulator = createEmulator();
const svc = new Svc({
  ...emulator.connection,
  // The emulator doesn't have the operation either, so this responds instead.
  fetch: async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/api/v3.1/migration/get-nanoid") return emulator.fetch(request);
    return Response.json({ nanoid: `ca_of_${searchParams.get("uuid")}` });
  },
});

// #region call
const getNanoId = endpoint({
  name: "migration.getNanoId", // Its name in errors and events.
  method: "GET",
  path: "/api/{apiVersion}/migration/get-nanoid", // `{id}` in a path becomes a parameter.
  auth: ["apiKey", "userApiKey"], // The first one the client has is sent.
  retry: "safe", // It only reads, so it may be retried after any failure.
  query: typed<{ uuid: string; type: "CONNECTED_ACCOUNT" | "AUTH_CONFIG" | "TRIGGER_INSTANCE" }>(),
  response: typed<{ nanoid: string }>(),
});

const { nanoid } = await svc.call(getNanoId, { query: { uuid: "0b5e", type: "CONNECTED_ACCOUNT" } });
console.log(`It is ${nanoid} now`);
// #endregion

import { endpoint, typed } from "../../core/endpoint.js";
import type { SessionInfo } from "./schema.js";

export const getSessionInfo = endpoint({
  name: "session.info",
  method: "GET",
  path: "/api/v3/auth/session/info",
  // The spec requires the user key; its notes on null fields mention the other two. Assumption A4.
  auth: ["userApiKey", "orgApiKey", "sessionCookie"],
  retry: "safe",
  response: typed<SessionInfo>(),
});

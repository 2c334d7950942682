import { typed } from "../../client/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

export const session = endpoints("session", () => ({
  info: define("GET /api/v3/auth/session/info", {
    // The spec requires the user key; its notes on null fields mention the other two. Assumption A4.
    auth: ["userApiKey", "orgApiKey", "sessionCookie"],
    response: typed<shapes.SessionInfo>(),
  }),
}));

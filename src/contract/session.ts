import * as endpoints from "../resources/session/endpoints.js";
import * as shapes from "../resources/session/schema.js";
import { type OperationsOf, operation } from "./operation.js";

export const session = {
  "session.info": operation(endpoints.getSessionInfo, {
    spec: "Endpoints > Session",
    status: 200,
    response: shapes.SessionInfo,
  }),
} satisfies OperationsOf<typeof endpoints>;

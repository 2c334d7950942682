import { byName, type OperationsOf, operation } from "../operation.js";
import * as endpoints from "./endpoints.js";
import * as shapes from "./schema.js";

export const session = byName(
  operation(endpoints.getSessionInfo, {
    spec: "Endpoints > Session",
    status: 200,
    response: shapes.SessionInfo,
  }),
) satisfies OperationsOf<typeof endpoints>;

import type * as endpoints from "../resources/session/endpoints.js";
import * as shapes from "../resources/session/schema.js";
import type { SchemasFor } from "./operation.js";

export const session = {
  "session.info": { spec: "Endpoints > Session", status: 200, response: shapes.SessionInfo },
} satisfies SchemasFor<typeof endpoints>;

import type * as endpoints from "../resources/files/endpoints.js";
import * as shapes from "../resources/files/schema.js";
import type { SchemasFor } from "./operation.js";

export const files = {
  "files.list": { spec: "assumption R7", status: 200, query: shapes.ListFilesQuery, response: shapes.FilePage },
  "files.requestUpload": {
    spec: "assumption R7",
    status: 200,
    body: shapes.RequestUploadBody,
    response: shapes.FileUploadTarget,
  },
} satisfies SchemasFor<typeof endpoints>;

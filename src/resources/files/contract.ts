import { byName, type OperationsOf, operation } from "../operation.js";
import * as endpoints from "./endpoints.js";
import * as shapes from "./schema.js";

export const files = byName(
  operation(endpoints.listFiles, {
    spec: "assumption R7",
    status: 200,
    query: shapes.ListFilesQuery,
    response: shapes.FilePage,
  }),
  operation(endpoints.requestFileUpload, {
    spec: "assumption R7",
    status: 200,
    body: shapes.RequestUploadBody,
    response: shapes.FileUploadTarget,
  }),
) satisfies OperationsOf<typeof endpoints>;

import * as endpoints from "../resources/files/endpoints.js";
import * as shapes from "../resources/files/schema.js";
import { type OperationsOf, operation } from "./operation.js";

export const files = {
  "files.list": operation(endpoints.listFiles, {
    spec: "assumption R7",
    status: 200,
    query: shapes.ListFilesQuery,
    response: shapes.FilePage,
  }),
  "files.requestUpload": operation(endpoints.requestFileUpload, {
    spec: "assumption R7",
    status: 200,
    body: shapes.RequestUploadBody,
    response: shapes.FileUploadTarget,
  }),
} satisfies OperationsOf<typeof endpoints>;

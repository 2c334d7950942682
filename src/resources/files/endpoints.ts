import { typed } from "../../core/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

export const files = endpoints("files", {
  list: define({
    method: "GET",
    path: "/api/{apiVersion}/files/list",
    deprecated: ["operation"],
    query: typed<shapes.ListFilesQuery>(),
    response: typed<shapes.FilePage>(),
  }),
  requestUpload: define({
    requiredFields: ["key", "new_presigned_url", "metadata"],
    method: "POST",
    path: "/api/{apiVersion}/files/upload/request",
    body: typed<shapes.RequestUploadBody>(),
    response: typed<shapes.FileUploadTarget>(),
  }),
});

import { typed } from "../../client/endpoint.js";
import { define, endpoints } from "../endpoints.js";
import type * as shapes from "./schema.js";

export const files = endpoints("files", () => ({
  list: define("GET /api/{apiVersion}/files/list", {
    deprecated: ["operation"],
    query: typed<shapes.ListFilesQuery>(),
    response: typed<shapes.FilePage>(),
  }),
  requestUpload: define("POST /api/{apiVersion}/files/upload/request", {
    requiredFields: ["key", "new_presigned_url", "metadata"],
    body: typed<shapes.RequestUploadBody>(),
    response: typed<shapes.FileUploadTarget>(),
  }),
}));

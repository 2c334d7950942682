// The room of files: the uploads that tools take, and the storage behind all signed URLs, which the service leaves to a
// cloud. It imports `catalog`, `engine` and `toolkits`. Start here, then `storage.ts`.

import type { HandlersOf } from "../engine/engine.js";
import { paginate } from "../engine/pages.js";
import { invalidRequest } from "../engine/responses.js";
import { recordsOf } from "../engine/state.js";
import { findTool, findToolkit } from "../toolkits/find-tool.js";
import { signUrl, storedFile } from "./storage.js";

export const files: HandlersOf<"files"> = {
  "files.list": ({ query, project, state, clock }) => {
    const uploaded = recordsOf(project, state.files)
      .filter(
        ({ key, toolkit, tool }) =>
          storedFile(key, state, clock) !== undefined &&
          (query.toolkit_slug === undefined || query.toolkit_slug === toolkit) &&
          (query.tool_slug === undefined || query.tool_slug === tool),
      )
      .flatMap(({ toolkit, tool, filename, mimetype, md5 }) =>
        md5 === undefined ? [] : [{ toolkit_slug: toolkit, tool_slug: tool, filename, mimetype, md5 }],
      );
    return paginate(uploaded.reverse(), query);
  },

  "files.requestUpload": ({ body, ...engine }) => {
    const { project, state, catalog, ids } = engine;
    const { toolkit_slug: toolkit, tool_slug: tool, filename, mimetype } = body;
    findToolkit(catalog, toolkit);
    if (findTool(catalog, tool, "latest").toolkit.slug !== toolkit) {
      throw invalidRequest([`body.tool_slug: expected a tool of ${toolkit}`]);
    }
    const md5 = body.md5.toLowerCase();
    // Equal content for the same tool is one file.
    const fileKey = `${project.id}/${toolkit}/${tool}/request/${md5}`;
    const known = state.files.get(fileKey);
    state.files.set(fileKey, { ...known, key: fileKey, projectId: project.id, toolkit, tool, filename, mimetype, md5 });
    const allowed = { place: { kind: "file" as const, key: fileKey }, method: "PUT" as const, mimetype };
    const { url } = signUrl(allowed, engine);
    return {
      id: ids.next("req_file_"),
      key: fileKey,
      new_presigned_url: url,
      newPresignedUrl: url,
      type: "new",
      metadata: { storage_backend: "s3" },
    };
  },
};

import Composio from "@composio/client";

const composio = new Composio();

export async function listFiles(session_id: string) {
  const { items } = await composio.toolRouter.session.files.list("files", { session_id });
  return items;
}

export async function upload(sessionId: string, path: string) {
  const { upload_url } = await composio.toolRouter.session.files.createUploadURL("files", {
    session_id: sessionId,
    mount_relative_path: path,
  });
  return upload_url;
}

export const remove = (params: { session_id: string; mount_relative_path: string }) =>
  composio.toolRouter.session.files.delete("files", params);

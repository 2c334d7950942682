import { Svc } from "svc-sdk";

const composio = new Svc();

export async function listFiles(session_id: string) {
  const { items } = await composio.toolRouter.use(session_id).mounts("files").items();
  return items;
}

export async function upload(sessionId: string, path: string) {
  const { upload_url } = await composio.toolRouter.use(sessionId).mounts("files").uploadUrl({ mount_relative_path: path });
  return upload_url;
}

// TODO(svc-sdk): pass an object without session_id here: it is a separate argument now. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
export const remove = (params: { session_id: string; mount_relative_path: string }) =>
  composio.toolRouter.use(params.session_id).mounts("files").delete(params);

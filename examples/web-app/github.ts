// What the app does with the service: connect a user's GitHub account, listen to a repository, and open issues there.
// #region client
import { type ConnectedAccount, needsConnection, parseConnectCallback, Svc } from "svc-sdk";

const svc = new Svc();
const authConfigId = process.env["GITHUB_AUTH_CONFIG"] ?? "";
if (authConfigId === "") throw new Error("Set GITHUB_AUTH_CONFIG: setup.ts prints it.");

const repository = { owner: "octo-org", repo: "hello-world" };
// #endregion

// #region account
/** The user's account, an active one if there is one. */
export async function accountOf(user: string): Promise<ConnectedAccount | undefined> {
  const { items } = await svc.connectedAccounts.list({ user_ids: [user], auth_config_ids: [authConfigId] });
  return items.find(({ status }) => status === "ACTIVE") ?? items[0];
}
// #endregion

// #region connect
/** The URL of a page where the user connects an account, the first time or again. */
export async function connectUrl(user: string, appUrl: string): Promise<string> {
  const callback_url = `${appUrl}/connected`;
  const link = await svc.connectedAccounts.link({ auth_config_id: authConfigId, user_id: user, callback_url });
  return link.redirect_url;
}

/** Handles the user's return from that page. False if this user didn't connect an account. */
export async function finishConnecting(user: string, url: string): Promise<boolean> {
  const callback = parseConnectCallback(url);
  if (callback.kind !== "success") return false;
  // Anyone can write this URL, so ask the service whose account it is.
  const account = await svc.connectedAccounts.get(callback.connectedAccountId);
  if (account.user_id !== user) return false;
  await svc.connectedAccounts.waitUntilActive(account.id, { deadlineMs: 20_000 });
  // An expired account's trigger was disabled; the new account gets its own.
  await svc.triggers.upsert("GITHUB_COMMIT_EVENT", { connected_account_id: account.id, trigger_config: repository });
  return true;
}
// #endregion

// #region execute
/** Opens an issue. Returns what to tell the user; undefined if the user has to connect first. */
export async function openIssue(user: string, title: string): Promise<string | undefined> {
  try {
    const run = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
      user_id: user,
      version: "20251023_00",
      arguments: { ...repository, title },
    });
    return run.successful ? `Opened ${run.data["html_url"]}` : `GitHub rejected it: ${run.error}`;
  } catch (error) {
    if (needsConnection(error)) return undefined;
    throw error;
  }
}
// #endregion

// #region owner
/** The user an account belongs to: events about accounts have only its id. */
export async function ownerOf(accountId: string): Promise<string> {
  return (await svc.connectedAccounts.get(accountId)).user_id;
}
// #endregion

// A placeholder for your app's own sign-in: it accepts any name, without a password. The rest of the app needs only
// `userOf`.
// #region sign-in
import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { getSignedCookie, setSignedCookie } from "hono/cookie";

// Without SESSION_SECRET, everyone is signed out when the app restarts.
const secret = process.env["SESSION_SECRET"] ?? randomBytes(32).toString("hex");

export async function signIn(context: Context, user: string, secure: boolean): Promise<void> {
  await setSignedCookie(context, "user", user, secret, { httpOnly: true, sameSite: "Lax", secure, maxAge: 86_400 });
}

/** The signed-in user; undefined if the cookie is missing, or was changed. */
export async function userOf(context: Context): Promise<string | undefined> {
  return (await getSignedCookie(context, secret, "user")) || undefined;
}
// #endregion

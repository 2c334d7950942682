// The app's routes. server.ts serves them.
// #region public
import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { HTTPException } from "hono/http-exception";
import { secureHeaders } from "hono/secure-headers";
import { mayHaveRun, SvcError } from "svc-sdk";
import { newsOf, receiver } from "./events.ts";
import { accountOf, connectUrl, finishConnecting, openIssue } from "./github.ts";
import { homePage, messagePage, signInPage } from "./pages.ts";
import { signIn, userOf } from "./sign-in.ts";

/** Where browsers and the service reach this app. */
const appUrl = process.env["APP_URL"] ?? "http://localhost:3000";

export const app = new Hono<{ Variables: { user: string } }>();

app.get("/health", (context) => context.text("ok"));
app.post("/webhooks", (context) => receiver(context.req.raw)); // Before everything that reads bodies or cookies.

app.use(secureHeaders(), csrf({ origin: new URL(appUrl).origin }));
app.get("/sign-in", (context) => context.html(signInPage()));
app.post("/sign-in", async (context) => {
  const { user } = await context.req.parseBody();
  if (typeof user !== "string" || !/^[a-z]{1,20}$/.test(user)) return context.html(signInPage(), 400);
  await signIn(context, user, appUrl.startsWith("https:"));
  return context.redirect("/", 303);
});
// #endregion

// #region signed-in
app.use(async (context, next) => {
  const user = await userOf(context);
  if (user === undefined) return context.redirect("/sign-in", 303);
  context.set("user", user);
  return next();
});

app.get("/", async ({ var: { user }, html }) => html(homePage(user, await accountOf(user), newsOf(user))));

app.post("/connect", async ({ var: { user }, redirect }) => redirect(await connectUrl(user, appUrl), 303));

app.get("/connected", async (context) => {
  const isConnected = await finishConnecting(context.var.user, context.req.url);
  if (isConnected) return context.redirect("/", 303);
  return context.html(messagePage("Not connected", "GitHub wasn't connected. Try again."), 400);
});

app.post("/issues", async ({ var: { user }, req, redirect, html }) => {
  const { title } = await req.parseBody();
  if (typeof title !== "string" || title === "") return html(messagePage("Open an issue", "A title is missing."), 400);
  const message = await openIssue(user, title);
  // The account has expired since the page was shown: straight on to connecting it again.
  if (message === undefined) return redirect(await connectUrl(user, appUrl), 303);
  return html(messagePage("Open an issue", message));
});
// #endregion

// #region errors
app.onError((error, context) => {
  if (error instanceof HTTPException) return error.getResponse();
  console.error(error);
  if (!(error instanceof SvcError)) return context.html(messagePage("Error", "Something broke in this app."), 500);
  const text = mayHaveRun(error)
    ? "It may have worked. Look at GitHub before you try again."
    : "Try again in a minute.";
  return context.html(messagePage("GitHub can't be reached", text), 502);
});
// #endregion

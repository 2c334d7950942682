// The app's HTML. The html tag escapes every value.
// #region pages
import { html } from "hono/html";
import type { ConnectedAccount } from "svc-sdk";

type Html = ReturnType<typeof html>;

const page = (title: string, content: Html): Html => html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>${title}</title>
      <style>
        :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
        body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem }
      </style>
    </head>
    <body><main><h1>${title}</h1>${content}</main></body>
  </html>`;

const button = (action: string, label: string): Html =>
  html`<form method="post" action="${action}"><button>${label}</button></form>`;

export const signInPage = (): Html =>
  page(
    "Sign in",
    html`<form method="post" action="/sign-in">
      <label>Your name <input name="user" required pattern="[a-z]{1,20}"></label> <button>Sign in</button>
    </form>`,
  );

export const messagePage = (title: string, text: string): Html =>
  page(title, html`<p>${text}</p><p><a href="/">Back</a></p>`);

export const homePage = (user: string, account: ConnectedAccount | undefined, news: readonly string[]): Html =>
  page(
    `Hello, ${user}`,
    html`${accountPart(account)}
      <h2>News</h2>
      <ul>${news.map((line) => html`<li>${line}</li>`)}</ul>`,
  );

function accountPart(account: ConnectedAccount | undefined): Html {
  if (account?.status !== "ACTIVE") {
    const label = account === undefined ? "Connect GitHub" : "Connect GitHub again";
    return html`<p>GitHub: ${account?.status ?? "not connected"}</p>${button("/connect", label)}`;
  }
  return html`<p>GitHub: connected</p>
    <form method="post" action="/issues">
      <label>Title <input name="title" required></label> <button>Open an issue</button>
    </form>`;
}
// #endregion

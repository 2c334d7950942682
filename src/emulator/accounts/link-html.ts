import type { AuthField } from "../../resources/toolkits/schema.js";
import { contentPolicy, PAGE_HEADERS } from "../page-headers.js";
import type { Refusal } from "../refusal.js";

/** A small page. */
export function page(status: number, content: string, headers: Readonly<Record<string, string>> = {}): Response {
  const html = `<!doctype html><meta charset="utf-8"><title>Connect</title><main>${content}</main>`;
  const type = { "content-type": "text/html; charset=utf-8", "content-security-policy": contentPolicy() };
  return new Response(html, { status, headers: { ...PAGE_HEADERS, ...type, ...headers } });
}

/**
 * Headers of a page with forms. Under `no-referrer`, a browser would hide the page's origin from its own posts.
 *
 * @param targets schemes its posts may be redirected to, such as `https:`: Chromium applies `form-action` to those as well.
 */
export function formHeaders(targets: readonly string[]): Record<string, string> {
  const formAction = ["'self'", ...new Set(targets)].join(" ");
  return { "content-security-policy": contentPolicy(formAction), "referrer-policy": "same-origin" };
}

/** Asks the user for what is missing, and whether to go on. */
export function progressPage(
  toolkit: string,
  path: string,
  fields: readonly Pick<AuthField, "name" | "displayName">[],
): string {
  const inputs = fields.map(
    ({ name, displayName }) => `<label>${escapeHtml(displayName)} <input name="${escapeHtml(name)}" required></label> `,
  );
  return `<h1>Connect ${escapeHtml(toolkit)}</h1>
<form method="post" action="${escapeHtml(path)}/complete">${inputs.join("")}<button>Connect</button></form>
<form method="post" action="${escapeHtml(path)}/fail"><button>Deny</button></form>`;
}

/** Says why a page does not do what was asked. */
export function refusedPage({ details: { status, message, errors = [] } }: Refusal): Response {
  return page(status, `<p>${[message, ...errors].map(escapeHtml).join("<br>")}</p>`);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

import { withBody } from "./mask-and-record.js";
import { BROWSER_HEADERS, contentPolicy, hashSource } from "./responses.js";

/** A hosted page. */
interface HtmlPage {
  readonly status: number;
  /** The title, and the heading; text, not HTML. */
  readonly title: string;
  /** HTML below the heading. */
  readonly content: string;
  /** Sources its forms may post to; without any, it has none. */
  readonly formAction?: string;
}

/** An HTML page that runs no scripts and loads nothing. Its style is part of it. */
export async function htmlPage({ status, title, content, formAction }: HtmlPage): Promise<Response> {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="brand">svc emulator</p>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`;
  const headers = {
    ...BROWSER_HEADERS,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `${contentPolicy(formAction)}; style-src ${await hashSource(STYLE)}`,
    // Under no-referrer, a browser would hide the page's origin from its own posts.
    ...(formAction !== undefined && { "referrer-policy": "same-origin" }),
  };
  return withBody(new Response(html, { status, headers }), html);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** The inspector's colors. */
const STYLE = `
:root{color-scheme:light dark;--paper:light-dark(#fff,#131417);--around:light-dark(#f7f7f8,#0d0e10);--line:light-dark(#e3e3e8,#2b2d34);--edge:light-dark(#8b8b96,#6c6f7a);--ink:light-dark(#18181b,#ececef);--quiet:light-dark(#5b5b66,#a3a5b0);--accent:light-dark(#3b4fd1,#a5b0ff);--on:light-dark(#fff,#14162a)}
*{box-sizing:border-box}
body{display:grid;place-items:center;min-height:100vh;margin:0;padding:16px;background:var(--around);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:420px;padding:32px;border:1px solid var(--line);border-radius:12px;background:var(--paper);overflow-wrap:anywhere}
h1{margin:4px 0 12px;font-size:20px;font-weight:600}
p{margin:0 0 16px}
p:last-child{margin:0}
.brand,.quiet{color:var(--quiet);font-size:13px}
.brand{margin:0}
label{display:block;margin-bottom:14px;font-size:14px}
input,button,.button{width:100%;min-height:40px;border:1px solid var(--edge);border-radius:8px;background:var(--paper);color:inherit;font:inherit}
input{margin-top:4px;padding:0 12px}
button,.button{display:flex;align-items:center;justify-content:center;cursor:pointer;text-decoration:none}
.primary{border-color:transparent;background:var(--accent);color:var(--on);font-weight:550}
form+form{margin-top:10px}
form+p{margin-top:16px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`;

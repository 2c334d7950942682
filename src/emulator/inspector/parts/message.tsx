import { count, pretty, size } from "../format.js";
import { CopyButton } from "./basics.jsx";

interface MessageProps {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Size of the whole body. */
  readonly bytes?: number;
  /** Shown instead of an empty body. */
  readonly without?: string;
}

/** Headers and body of a request or response. */
export function Message({ title, headers, body, bytes, without = "No body." }: MessageProps) {
  const names = Object.keys(headers);
  const isCut = bytes !== undefined && body.length === 16_384 && bytes > body.length;
  return (
    <section class="message" aria-label={title}>
      <header>
        <h3>{title}</h3>
        {bytes !== undefined && bytes > 0 && <span class="muted">{size(bytes)}</span>}
        {body !== "" && <CopyButton label="Copy body" text={() => body} />}
      </header>
      <details>
        <summary>
          {count(names.length)} {names.length === 1 ? "header" : "headers"}
        </summary>
        <table class="headers">
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{headers[name]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
      {body === "" ? <p class="muted">{without}</p> : <Code text={pretty(body)} label={`${title}: body`} />}
      {isCut && <p class="muted">Only the first 16,384 characters are kept.</p>}
    </section>
  );
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Text in a monospaced, scrollable block; JSON is colored. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard.
    <section class="code" tabIndex={0} aria-label={label}>
      <pre>
        <code>{/^\s*[[{]/.test(text) ? colored(text) : text}</code>
      </pre>
    </section>
  );
}

function colored(text: string) {
  const parts: (string | preact.JSX.Element)[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [all, string, colon] = match;
    parts.push(text.slice(end, match.index));
    const kind = colon !== undefined ? "key" : string !== undefined ? "string" : "literal";
    parts.push(<span class={kind}>{string ?? all}</span>, colon ?? "");
    end = match.index + all.length;
  }
  return [...parts, text.slice(end)];
}

import type { ComponentChildren } from "preact";
import { KEPT_CHARACTERS } from "../../../shared/control-plane.js";
import { count, pretty, size } from "../format.js";
import { Copy } from "./actions.jsx";
import { Code, Facts } from "./basics.jsx";

interface BlockProps {
  readonly title: string;
  readonly text: string;
  /** Shown if the body is empty. */
  readonly without?: string | undefined;
  /** Beside the title. */
  readonly note?: ComponentChildren;
  /** Between the title and the text. */
  readonly children?: ComponentChildren;
}

/** Text under a title, with a button that copies it. */
export function Block({ title, text, without = "No body.", note, children }: BlockProps) {
  return (
    <section class="block" aria-label={title}>
      <header>
        <h3>{title}</h3>
        {note}
        {text !== "" && <Copy text={() => text} />}
      </header>
      {children}
      {text === "" ? <p class="muted">{without}</p> : <Code text={pretty(text)} label={`${title}: text`} />}
    </section>
  );
}

interface MessageProps extends Pick<BlockProps, "title" | "without"> {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Size of the whole body. */
  readonly bytes?: number;
}

/** Headers and body of a request or response. */
export function Message({ title, headers, body = "", bytes = 0, without }: MessageProps) {
  const names = Object.keys(headers);
  const isCut = body.length === KEPT_CHARACTERS && bytes > body.length;
  const note = bytes > 0 && (
    <span class="muted">{`${size(bytes)}${isCut ? `, the first ${count(KEPT_CHARACTERS)} characters` : ""}`}</span>
  );
  return (
    <Block title={title} text={body} without={without} note={note}>
      <details>
        <summary>
          {count(names.length)} {names.length === 1 ? "header" : "headers"}
        </summary>
        <Facts items={headers} />
      </details>
    </Block>
  );
}

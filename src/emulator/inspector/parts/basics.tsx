import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { reasonOf } from "../format.js";
import type { DeliveryRecord } from "../view-types.js";

/** Color of a status: good, in progress, careful, bad, or without meaning. */
export type Tone = "good" | "info" | "warn" | "bad" | "plain";

/** A small colored label. Its text has the meaning; the color repeats it. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** The tone of an HTTP status; `undefined` is a broken connection. */
export function toneOf(status: number | null | undefined): Tone {
  if (status === undefined || status === null || status >= 500) return "bad";
  if (status >= 400) return "warn";
  return status >= 300 ? "info" : "good";
}

/** The tone of a delivery's state. */
export const DELIVERY_TONES: Readonly<Record<DeliveryRecord["state"], Tone>> = {
  pending: "info",
  delivered: "good",
  failed: "bad",
};

/** An empty screen: what belongs there, and what to do next. */
export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** A button that copies text, and says so. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const [copied, setCopied] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setCopied("Copied");
    } catch {
      setCopied("Not allowed");
    }
    setTimeout(() => setCopied(""), 1_500);
  };
  return (
    <button type="button" class="small" onClick={() => void copy()}>
      {copied || label}
    </button>
  );
}

interface ActionProps {
  readonly run: () => Promise<unknown>;
  readonly children: ComponentChildren;
  readonly kind?: "primary" | "danger" | "small";
  readonly disabled?: boolean;
  /** The name for screen readers, if the text alone doesn't say what it acts on. */
  readonly label?: string;
}

/** A button that changes the emulator, and shows why that failed. */
export function Action({ run, children, kind = "small", disabled = false, label }: ActionProps) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const act = async () => {
    setBusy(true);
    setProblem("");
    await run().catch((error: unknown) => setProblem(reasonOf(error)));
    setBusy(false);
  };
  return (
    <span class="action">
      <button type="button" class={kind} disabled={disabled || isBusy} onClick={() => void act()} aria-label={label}>
        {children}
      </button>
      {problem && <Problem text={problem} />}
    </span>
  );
}

/** A reason why something failed. */
function Problem({ text }: { readonly text: string }) {
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

/** The title of a screen, with its controls. */
export function Head({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <header class="head">
      <h1>{title}</h1>
      {children}
    </header>
  );
}

/** Names and values. */
export function Facts({ items }: { readonly items: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Whether keys belong to what has the focus: a field, or a dialog. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, dialog") !== null;
}

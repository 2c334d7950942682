import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";

interface ActionProps {
  readonly run: () => Promise<unknown>;
  readonly children: ComponentChildren;
  readonly kind?: "primary" | "danger" | "small";
  /** The name for screen readers, if the text alone doesn't say what it acts on. */
  readonly label?: string;
  /** Shown for a moment after it succeeded. */
  readonly done?: string;
}

/** A button that does something, and shows why that failed. */
export function Action({ run, children, kind = "small", label, done }: ActionProps) {
  // Not a state: a second click may come before the button is drawn again.
  const isBusy = useRef(false);
  const [isDone, setDone] = useState(false);
  const [problem, setProblem] = useState("");
  const act = async () => {
    // A disabled button would lose the focus.
    if (isBusy.current) return;
    isBusy.current = true;
    setProblem("");
    try {
      await run();
      setDone(true);
      setTimeout(() => setDone(false), 1_500);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    isBusy.current = false;
  };
  return (
    <span class="action">
      <button type="button" class={kind} onClick={() => void act()} aria-label={label}>
        {(isDone && done) || children}
      </button>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </span>
  );
}

/** A button that copies text, and says so. */
export function Copy({ label = "Copy", text }: { readonly label?: string; readonly text: () => string }) {
  return (
    <Action run={async () => navigator.clipboard.writeText(text())} done="Copied">
      {label}
    </Action>
  );
}

interface DownloadProps {
  /** Name of the file. */
  readonly name: string;
  readonly text: () => string;
}

/** A button that saves text as a file. */
export function Download({ name, text }: DownloadProps) {
  const save = async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text()], { type: "application/json" }));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <Action run={save} done="Exported">
      Export
    </Action>
  );
}

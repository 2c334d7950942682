import { useEffect, useRef } from "preact/hooks";

const KEYS = [
  ["1 to 6", "Go to a screen"],
  ["/", "Search"],
  ["j, k or arrows", "Next or previous row"],
  ["Page up, Page down", "20 rows"],
  ["Home, End", "First or last row"],
  ["Esc", "Close the details; clear the search, then leave it"],
  ["?", "All shortcuts"],
] as const;

/** The keyboard's functions, in a dialog. */
export function Help({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="keys">
      <h2 id="keys">Shortcuts</h2>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="primary" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}

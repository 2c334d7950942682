import type { ComponentChildren } from "preact";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog over the page, open as long as it's rendered. */
export function Dialog({ title, onClose, children }: DialogProps) {
  return (
    <dialog ref={showModal} onClose={onClose} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="small" onClick={({ currentTarget }) => currentTarget.closest("dialog")?.close()}>
          Close
        </button>
      </header>
      {children}
    </dialog>
  );
}

/** Opens a dialog as soon as it's rendered. The same function each time, so that it's called once. */
function showModal(dialog: HTMLDialogElement | null): void {
  if (dialog && !dialog.open) dialog.showModal();
}

import { useEffect, useState } from "preact/hooks";
import { Dialog } from "./parts/dialog.jsx";
import { isTyping } from "./parts/list-screen.jsx";
import { go, linkTo } from "./router.js";

const KEYS = {
  "1 to 6": "Go to a screen",
  "/": "Search",
  "j, k, arrow keys": "Next or previous row",
  "Page Up, Page Down": "20 rows up or down",
  "Home, End": "First or last row",
  Esc: "Close the details; clear the search, then leave the search field",
  "?": "Show these keys",
};

/** The keys that work on every screen, and a button that lists them. */
export function Keys({ screens }: { readonly screens: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === "Escape") return leaveSearch(event.target);
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const screen = screens[Number(event.key) - 1];
      if (screen !== undefined) go(linkTo(screen));
      else if (event.key === "/") document.querySelector<HTMLInputElement>(".search")?.focus();
      else if (event.key === "?") setOpen(true);
      else if (event.key === "j" || event.key === "k") focusList(event);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  return (
    <>
      <button type="button" class="small keys" aria-keyshortcuts="?" onClick={() => setOpen(true)}>
        Keys <kbd>?</kbd>
      </button>
      {isOpen && (
        <Dialog title="Keys" onClose={() => setOpen(false)}>
          <dl class="facts">
            {Object.entries(KEYS).map(([key, meaning]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </>
  );
}

/**
 * The browser clears a search with Escape. If it's empty already, Escape leaves it, so that the other keys work again.
 */
function leaveSearch(target: EventTarget | null): void {
  if (target instanceof HTMLInputElement && target.type === "search" && target.value === "") target.blur();
}

/** Moves the focus to the list, which then takes its own keys. */
function focusList({ key }: KeyboardEvent): void {
  const list = document.querySelector<HTMLElement>(".list");
  if (!list || list.contains(document.activeElement)) return;
  list.focus();
  list.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: false }));
}

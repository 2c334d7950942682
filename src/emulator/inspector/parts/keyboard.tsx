import { useEffect } from "preact/hooks";
import { go, linkTo } from "../router.js";
import { Dialog } from "./actions.jsx";
import { Facts } from "./basics.jsx";

const KEYS = {
  "1 to 6": "Go to a screen",
  "/": "Search",
  "j, k or arrows": "Next or previous row",
  "Page up, Page down": "20 rows",
  "Home, End": "First or last row",
  Esc: "Close the details; clear the search, then leave it",
  "?": "All shortcuts",
};

/** The keyboard's functions, in a dialog. */
export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Shortcuts" onClose={onClose}>
      <Facts items={KEYS} />
    </Dialog>
  );
}

/** Keys that work on every screen. */
export function useShortcuts(screens: readonly string[], openHelp: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === "Escape") return leaveSearch(event.target);
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const screen = screens[Number(event.key) - 1];
      if (screen !== undefined) go(linkTo(screen));
      else if (event.key === "?") openHelp();
      else if (event.key === "/") document.querySelector<HTMLInputElement>(".search")?.focus();
      else if (event.key === "j" || event.key === "k") focusList(event);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}

/** Whether keys belong to what has the focus: a field, or a dialog. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, dialog") !== null;
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

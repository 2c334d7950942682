import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { go } from "../router.js";
import { isTyping } from "./basics.jsx";

interface SplitProps {
  readonly list: ComponentChildren;
  /** Details of the selected item, beside the list; on a narrow screen, instead of it. */
  readonly detail: ComponentChildren | undefined;
  /** Where Escape leads, and on a narrow screen a link: the list without details. */
  readonly back: string;
}

/** A list, and the details of what is selected in it. */
export function Split({ list, detail, back }: SplitProps) {
  const isOpen = detail !== undefined;
  useEffect(() => {
    // Elsewhere, Escape clears a search or closes a dialog, and a half-filled form must stay.
    const close = ({ key, target }: KeyboardEvent) => key === "Escape" && !isTyping(target) && go(back);
    if (isOpen) addEventListener("keydown", close);
    return () => removeEventListener("keydown", close);
  }, [isOpen, back]);
  return (
    <div class={isOpen ? "split open" : "split"}>
      <div class="side">{list}</div>
      {isOpen && (
        <div class="detail">
          <a class="back" href={back}>
            ← Back to the list
          </a>
          {detail}
        </div>
      )}
    </div>
  );
}

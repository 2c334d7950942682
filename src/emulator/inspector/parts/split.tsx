import type { ComponentChildren } from "preact";

interface SplitProps {
  readonly list: ComponentChildren;
  /** Details of the selected item, beside the list; on a narrow screen, instead of it. */
  readonly detail: ComponentChildren | undefined;
}

/** A list, and the details of what is selected in it. */
export function Split({ list, detail }: SplitProps) {
  return (
    <div class={detail ? "split open" : "split"}>
      <div class="side">{list}</div>
      {detail && <div class="detail">{detail}</div>}
    </div>
  );
}

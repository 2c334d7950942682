import { useEffect } from "preact/hooks";

/** Highlights the words of a search in the rows and bodies that are shown. */
export function useHighlight(search: string): void {
  useEffect(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    // Not every browser has it.
    if (words.length === 0 || !("highlights" in CSS)) return undefined;
    const mark = () => {
      const ranges = [...document.querySelectorAll(".row .what, .code")].flatMap((shown) => rangesIn(shown, words));
      CSS.highlights.set("search", new Highlight(...ranges));
    };
    mark();
    const observer = new MutationObserver(mark);
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      CSS.highlights.delete("search");
    };
  }, [search]);
}

function rangesIn(shown: Element, words: readonly string[]): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const content = text.textContent?.toLowerCase() ?? "";
    for (const word of words) {
      for (let start = content.indexOf(word); start >= 0; start = content.indexOf(word, start + word.length)) {
        // Of a letter that is longer in lower case, the end may be missing.
        if (start + word.length > (text.textContent?.length ?? 0)) break;
        const range = new Range();
        range.setStart(text, start);
        range.setEnd(text, start + word.length);
        ranges.push(range);
      }
    }
  }
  return ranges;
}

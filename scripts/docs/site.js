// What TypeDoc's own script lacks for those who read with a keyboard or a screen reader.
import "./search-field.js";

const navigation = document.getElementById("tsd-nav-container");

/** TypeDoc puts links inside of summaries. Each becomes the first entry of the part that its summary opens. */
function moveLinks() {
  for (const link of navigation.querySelectorAll("summary a")) {
    const list = link.closest("details").querySelector("ul");
    const name = document.createElement("span");
    name.append(...link.childNodes);
    link.replaceWith(name);
    link.append("Overview");
    const item = document.createElement("li");
    item.append(link);
    list.prepend(item);
  }
}

if (navigation) {
  moveLinks();
  new MutationObserver(moveLinks).observe(navigation, { childList: true, subtree: true });
}

// A table that is wider than the page scrolls, also with the keyboard.
const tables = new ResizeObserver((changes) => {
  for (const { target } of changes) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const table of document.querySelectorAll(".tsd-typography table")) tables.observe(table);

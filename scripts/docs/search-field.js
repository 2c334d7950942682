// The search in the page, in the dialog that TypeDoc's script opens and closes. TypeDoc has no index here, so it shows no results.
import { find, load } from "./search.mjs";

// A copy, which TypeDoc's script doesn't listen to.
const field = document.getElementById("tsd-search-input").cloneNode();
const results = document.getElementById("tsd-search-results");
const status = document.getElementById("tsd-search-status");
const script = document.getElementById("tsd-search-script");
document.getElementById("tsd-search-input").replaceWith(field);
let index;

function search() {
  if (globalThis.searchIndex === undefined) return;
  index ??= load(globalThis.searchIndex);
  const typed = field.value.trim();
  const found = find(index, typed).slice(0, 10);
  results.replaceChildren(...found.map(resultOf));
  status.textContent = typed !== "" && found.length === 0 ? `No results for "${typed}"` : "";
  select(results.querySelector("a"));
}

/** A result with the styles of TypeDoc's own. */
function resultOf({ kind, name, before, url }, position) {
  const item = document.createElement("li");
  item.role = "none";
  item.innerHTML = `<a role="option" tabindex="-1" id="search-result-${position}" aria-selected="false">
    <svg width="20" height="20" class="tsd-kind-icon" aria-hidden="true"><use href="#icon-${kind}"></use></svg>
    <span class="text"><span class="parent"></span></span></a>`;
  item.querySelector("a").href = document.documentElement.dataset.base + url;
  item.querySelector(".parent").textContent = before;
  item.querySelector(".text").append(name);
  return item;
}

/** The field keeps the focus: the arrow keys select a result, and Enter opens it. */
function press(event) {
  const links = [...results.querySelectorAll("a")];
  const position = links.findIndex(({ ariaSelected }) => ariaSelected === "true");
  if (links.length === 0 || event.isComposing) return;
  if (event.key === "Enter") links[position].click();
  else if (event.key === "ArrowDown") select(links[(position + 1) % links.length]);
  else if (event.key === "ArrowUp") select(links.at(position - 1));
  else return;
  event.preventDefault();
}

function select(link) {
  for (const other of results.querySelectorAll("[aria-selected=true]")) other.ariaSelected = "false";
  field.setAttribute("aria-activedescendant", link?.id ?? "");
  if (!link) return;
  link.ariaSelected = "true";
  link.scrollIntoView({ block: "nearest" });
}

// A message is longer than TypeDoc lets the field be.
field.removeAttribute("maxlength");
field.addEventListener("input", search);
field.addEventListener("keydown", press);
field.addEventListener("focus", () => field.select());
script.addEventListener("load", search);
search();

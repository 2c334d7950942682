// TypeDoc's own script builds the navigation, with links inside of summaries, which a keyboard or a screen reader can't reach. Each
// becomes the first entry of the part that its summary opens.
const navigation = document.getElementById("tsd-nav-container");

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

import { useEffect, useState } from "preact/hooks";

/** Where the page is: `#/log/12?q=tools` has the screen `log`, the item `12`, and one parameter. */
export interface RoutePlace {
  readonly screen: string;
  readonly item: string | undefined;
  readonly query: Readonly<Record<string, string>>;
}

function currentPlace(): RoutePlace {
  const [path = "", search = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [screen = "", ...rest] = path.split("/").map(decoded);
  return {
    screen: screen || "log",
    item: rest.join("/") || undefined,
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

/** Someone may type a percent sign that encodes nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The current place; the component renders again when it changes. */
export function usePlace(): RoutePlace {
  const [place, setPlace] = useState(currentPlace);
  useEffect(() => {
    const update = () => setPlace(currentPlace());
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  return place;
}

/** The link to a place. Empty parameters are omitted. */
export function linkTo(screen: string, item?: string, query: RoutePlace["query"] = {}): string {
  const path = item === undefined ? screen : `${screen}/${encodeURIComponent(item)}`;
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return `#/${path}${search && `?${search}`}`;
}

/** Goes to a place. @param replaces whether the back button should skip the current one. */
export function go(link: string, replaces = false): void {
  if (replaces) {
    history.replaceState(null, "", link);
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else location.hash = link;
}

/** Changes parameters of the current place. */
export function change({ screen, item, query }: RoutePlace, changed: RoutePlace["query"]): void {
  go(linkTo(screen, item, { ...query, ...changed }), true);
}

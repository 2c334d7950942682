import { useEffect, useState } from "preact/hooks";
import { isTyping } from "./parts/basics.jsx";
import { Help } from "./parts/help.jsx";
import { useHighlight } from "./parts/highlight.js";
import { ThemeButton } from "./parts/theme.jsx";
import { go, linkTo, usePlace } from "./router.js";
import { Deliveries } from "./screens/deliveries.jsx";
import { Log } from "./screens/log.jsx";
import { isWaiting } from "./screens/run-question.jsx";
import { Runs } from "./screens/runs.jsx";
import { State } from "./screens/state.jsx";
import { Time } from "./screens/time.jsx";
import { Tools } from "./screens/tools.jsx";
import { useView, type View } from "./store.js";

const SCREENS = {
  log: "Log",
  runs: "Runs",
  deliveries: "Deliveries",
  state: "State",
  time: "Time and trouble",
  tools: "Tools",
} as const;

/** The page: navigation, and the screen that the URL names. */
export function App() {
  const view = useView();
  const place = usePlace();
  useHighlight(place.query.get("q") ?? "");
  const [isHelpOpen, setHelpOpen] = useState(false);
  const screen = Object.hasOwn(SCREENS, place.screen) ? place.screen : "log";
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === "Escape") return leaveSearch(event.target);
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const name = Object.keys(SCREENS)[Number(event.key) - 1];
      if (name !== undefined) go(linkTo(name));
      else if (event.key === "?") setHelpOpen(true);
      else if (event.key === "/") document.querySelector<HTMLInputElement>(".search")?.focus();
      else if (event.key === "j" || event.key === "k") focusList(event);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  useEffect(() => {
    document.title = `${SCREENS[screen as keyof typeof SCREENS]} · Emulator`; // One of them, see above.
  }, [screen]);
  return (
    <div class="app">
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <nav class="rail" aria-label="Screens">
        <p class="brand">
          svc <span class="muted">emulator</span>
        </p>
        <ul>
          {Object.entries(SCREENS).map(([name, label], index) => (
            <li key={name}>
              <a
                href={linkTo(name)}
                aria-current={name === screen ? "page" : undefined}
                aria-keyshortcuts={String(index + 1)}
              >
                {label}
                <Count name={name} view={view} />
              </a>
            </li>
          ))}
        </ul>
        <div class="foot">
          <Connection view={view} />
          <div class="buttons">
            <ThemeButton />
            <button type="button" class="small" onClick={() => setHelpOpen(true)}>
              Shortcuts
            </button>
          </div>
        </div>
      </nav>
      <main id="main" tabIndex={-1}>
        {screen === "log" && <Log view={view} place={place} />}
        {screen === "runs" && <Runs view={view} place={place} />}
        {screen === "deliveries" && <Deliveries view={view} place={place} />}
        {screen === "state" && <State view={view} place={place} />}
        {screen === "time" && <Time view={view} />}
        {screen === "tools" && <Tools view={view} place={place} />}
      </main>
      {isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}
    </div>
  );
}

/**
 * The browser clears a search with Escape. If it's empty already, Escape leaves it, so that the other keys work again.
 */
function leaveSearch(target: EventTarget | null): void {
  if (target instanceof HTMLInputElement && target.type === "search" && target.value === "") target.blur();
}

/** Moves the focus to the list, which then takes its own keys. */
function focusList(event: KeyboardEvent): void {
  const list = document.querySelector<HTMLElement>(".list");
  if (!list || list.contains(document.activeElement)) return;
  list.focus();
  list.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, bubbles: false }));
}

/** A button, not a link: the fragment that a link would use names the screen. */
function skip(): void {
  document.querySelector<HTMLElement>("main")?.focus();
}

function Count({ name, view }: { readonly name: string; readonly view: View }) {
  if (name === "runs") {
    const waiting = [...view.runs.values()].filter(isWaiting).length;
    return waiting > 0 ? <span class="number">{waiting} waiting</span> : null;
  }
  if (name !== "deliveries") return null;
  const failed = [...view.deliveries.values()].filter(({ state }) => state === "failed").length;
  return failed > 0 ? <span class="number bad">{failed} failed</span> : null;
}

const CONNECTIONS = { live: "Live", connecting: "Connecting…", lost: "Disconnected. Trying again…" } as const;

function Connection({ view: { connection } }: { readonly view: View }) {
  return (
    <p class={`connection ${connection}`} role="status">
      {CONNECTIONS[connection]}
    </p>
  );
}

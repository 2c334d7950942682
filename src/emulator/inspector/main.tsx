import { type JSX, render } from "preact";
import { useEffect } from "preact/hooks";
import { isTyping } from "./parts/list-screen.jsx";
import { go, linkTo, type Place, usePlace } from "./router.js";
import { Deliveries } from "./screens/deliveries.jsx";
import { Log } from "./screens/log.jsx";
import { isWaiting } from "./screens/run-detail.jsx";
import { Runs } from "./screens/runs.jsx";
import { State } from "./screens/state.jsx";
import { Time } from "./screens/time.jsx";
import { Tools } from "./screens/tools.jsx";
import { follow, useView, type View } from "./store.js";

interface Screen {
  readonly label: string;
  readonly Content: (props: { readonly view: View; readonly place: Place }) => JSX.Element;
  /** Shown beside its link. */
  readonly note?: (view: View) => JSX.Element | false;
}

const LOG: Screen = { label: "Log", Content: Log };

const SCREENS: Readonly<Record<string, Screen>> = {
  log: LOG,
  runs: {
    label: "Runs",
    Content: Runs,
    note: ({ runs }) => {
      const waiting = [...runs.values()].filter(isWaiting).length;
      return waiting > 0 && <span class="tally">{waiting} waiting</span>;
    },
  },
  deliveries: {
    label: "Deliveries",
    Content: Deliveries,
    note: ({ deliveries }) => {
      const failed = [...deliveries.values()].filter(({ state }) => state === "failed").length;
      return failed > 0 && <span class="tally bad">{failed} failed</span>;
    },
  },
  state: { label: "State", Content: State },
  time: { label: "Time and trouble", Content: Time },
  tools: { label: "Tools", Content: Tools },
};

const CONNECTIONS = { live: "Live", connecting: "Connecting…", lost: "Disconnected. Trying again…" } as const;

/** The page: navigation, and the screen that the URL names. */
function App() {
  const view = useView();
  const place = usePlace();
  useShortcuts();
  const screen = Object.hasOwn(SCREENS, place.screen) ? place.screen : "log";
  const { label, Content } = SCREENS[screen] ?? LOG;
  useEffect(() => {
    document.title = `${label} · Emulator`;
  }, [label]);
  useEffect(() => {
    if (place.screen !== screen) go(linkTo(screen), true);
  }, [place.screen, screen]);
  return (
    <div class="app">
      {/* Not a link: the fragment that a link would use names the screen. */}
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>("main")?.focus()}>
        Skip to the content
      </button>
      <nav class="rail" aria-label="Screens">
        <p class="brand">
          svc <span class="muted">emulator</span>
        </p>
        <ul>
          {Object.entries(SCREENS).map(([name, { label, note }], index) => (
            <li key={name}>
              <a
                href={linkTo(name)}
                aria-current={name === screen ? "page" : undefined}
                aria-keyshortcuts={String(index + 1)}
              >
                {label}
                {note?.(view)}
              </a>
            </li>
          ))}
        </ul>
        <p class={`connection ${view.connection}`} role="status">
          {CONNECTIONS[view.connection]}
        </p>
      </nav>
      <main id="main" tabIndex={-1}>
        <Content view={view} place={{ ...place, screen }} />
      </main>
    </div>
  );
}

/** Keys that work on every screen. */
function useShortcuts(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === "Escape") return leaveSearch(event.target);
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const screen = Object.keys(SCREENS)[Number(event.key) - 1];
      if (screen !== undefined) go(linkTo(screen));
      else if (event.key === "/") document.querySelector<HTMLInputElement>(".search")?.focus();
      else if (event.key === "j" || event.key === "k") focusList(event);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
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

render(<App />, document.body);
follow();

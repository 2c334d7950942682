// The room of the inspector, a page that the build bundles. It imports only types of `control-plane` and `engine`:
// `api.ts` asks the emulator's HTTP endpoints. Start here, then `store.ts`. `screens/` has the screens, `parts/` what
// they share, and `styles/` the style sheets.

import { type JSX, render } from "preact";
import { useEffect } from "preact/hooks";
import { Keys } from "./keyboard.jsx";
import { go, linkTo, type RoutePlace, usePlace } from "./router.js";
import { Deliveries, FailedTally } from "./screens/deliveries.jsx";
import { Log } from "./screens/log.jsx";
import { Runs, WaitingTally } from "./screens/runs.jsx";
import { State } from "./screens/state.jsx";
import { Time } from "./screens/time.jsx";
import { Tools } from "./screens/tools.jsx";
import { follow, useView, type View } from "./store.js";

interface Screen {
  readonly label: string;
  readonly Content: (props: { readonly view: View; readonly place: RoutePlace }) => JSX.Element;
  /** Shown beside its link. */
  readonly Note?: (view: View) => JSX.Element | null;
}

const LOG: Screen = { label: "Log", Content: Log };

const SCREENS: Readonly<Record<string, Screen>> = {
  log: LOG,
  runs: { label: "Runs", Content: Runs, Note: WaitingTally },
  deliveries: { label: "Deliveries", Content: Deliveries, Note: FailedTally },
  state: { label: "State", Content: State },
  time: { label: "Clock and faults", Content: Time },
  tools: { label: "Tools", Content: Tools },
};

const CONNECTIONS = { live: "Live", connecting: "Connecting…", lost: "Disconnected. Trying again…" } as const;

/** The page: navigation, and the screen that the URL names. */
function App() {
  const view = useView();
  const place = usePlace();
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
          {Object.entries(SCREENS).map(([name, { label, Note }], index) => (
            <li key={name}>
              <a
                href={linkTo(name)}
                aria-current={name === screen ? "page" : undefined}
                aria-keyshortcuts={String(index + 1)}
              >
                {label}
                {Note && <Note {...view} />}
              </a>
            </li>
          ))}
        </ul>
        <Keys screens={Object.keys(SCREENS)} />
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

render(<App />, document.body);
follow();

import { useEffect, useState } from "preact/hooks";

const NEXT = { system: "light", light: "dark", dark: "system" } as const;

type Theme = keyof typeof NEXT;

const LABELS = { system: "Theme: auto", light: "Theme: light", dark: "Theme: dark" } as const;

/** The chosen theme; the system's if none was chosen. */
function chosen(): Theme {
  const theme = localStorage.getItem("theme");
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** Switches between the system's theme, light, and dark. */
export function ThemeButton() {
  const [theme, setTheme] = useState(chosen);
  useEffect(() => {
    if (theme === "system") {
      delete document.documentElement.dataset["theme"];
      localStorage.removeItem("theme");
    } else {
      document.documentElement.dataset["theme"] = theme;
      localStorage.setItem("theme", theme);
    }
  }, [theme]);
  return (
    <button
      type="button"
      class="small"
      onClick={() => setTheme(NEXT[theme])}
      aria-label={`${LABELS[theme]}. Switch to ${NEXT[theme]}`}
    >
      {LABELS[theme]}
    </button>
  );
}

/** The inspector's program and styles. */
export interface InspectorBundle {
  readonly script: string;
  readonly style: string;
}

/** Undefined in the sources. `scripts/build/inspector.ts` replaces this module with one that has the bundle. */
export const INSPECTOR: InspectorBundle | undefined = undefined;

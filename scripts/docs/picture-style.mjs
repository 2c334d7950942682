/** Colors of pictures and charts: their own background, so that they can be read on any page. */
export const STYLE = `<style>
svg { --page: #fff; --ink: #1f2328; --quiet: #59636e; --box: #f6f8fa; --line: #818b98; --good: #1a7f37; --bad: #d1242f; --start: #0969da }
@media (prefers-color-scheme: dark) {
  svg { --page: #151b23; --ink: #f0f6fc; --quiet: #b7bdc8; --box: #212830; --line: #656c76; --good: #3fb950; --bad: #f85149; --start: #58a6ff }
}
.page { fill: var(--page) }
text { fill: var(--ink); font: 12px Arial, Helvetica, sans-serif }
.node path, .node polygon { fill: var(--box); stroke: var(--line) }
.edge text { fill: var(--quiet); font-size: 11px; stroke: var(--page); stroke-width: 4px; paint-order: stroke }
.edge path { fill: none; stroke: var(--line) }
.edge polygon { fill: var(--line); stroke: var(--line) }
.good path, .good polygon { stroke: var(--good) }
.bad path, .bad polygon { stroke: var(--bad) }
.start path, .start polygon { stroke: var(--start) }
.good.edge polygon { fill: var(--good) }
.bad.edge polygon { fill: var(--bad) }
.question path { stroke-dasharray: 4 3 }
.bar { fill: var(--line) }
.bar.ours { fill: var(--start) }
text.quiet { fill: var(--quiet) }
text[font-weight] { font-weight: bold }
</style>
`;

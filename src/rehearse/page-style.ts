/** The style of the page of a rehearsal, light and dark. */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1c2733; --soft: #51606f; --back: #ffffff; --line: #d5dde5;
  --new: #2f6fb0; --old: #a9bccf; --away: #eceff2; --pass: #1b7f4b; --fail: #b3261e; --band: #f5f7f9; --warn: #8a5300;
  --done: #2f6fb0; --undo: #8a5300; --lost: #b3261e; --on: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --soft: #9fb0c0; --back: #10161c; --line: #2c3945;
  --new: #5aa2e6; --old: #45586b; --away: #1f2932; --pass: #56c288; --fail: #ff8a80; --band: #161e26; --warn: #f0b45c;
  --done: #2f6fb0; --undo: #94600f; --lost: #b8433b; --on: #ffffff; } }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1000px; margin: 0 auto; padding: 24px 16px; }
h1 { font-size: 1.4rem; margin: 0; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin: 24px 0 4px; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 16px 0 4px; } a { color: var(--new); white-space: nowrap; }
.sub { color: var(--soft); margin: 4px 0 16px; }
.outcome { border-left: 4px solid var(--soft); padding: 8px 12px; background: var(--band); overflow-wrap: anywhere; }
.outcome.Completes { border-color: var(--pass); }
.outcome.Stops, .outcome.Fails, .outcome.ReachesHorizon { border-color: var(--fail); }
.outcome.WaitsForApproval, .outcome.WaitsForUser, .outcome.CompletesPartly, .outcome.Waits { border-color: var(--warn); }
figure { margin: 24px 0; overflow-x: auto; } svg { width: 100%; min-width: 560px; height: auto; }
figcaption { color: var(--soft); font-size: 0.85rem; }
svg text { fill: var(--soft); font-size: 12px; } .time { text-anchor: middle; } .count { text-anchor: end; }
.time.last { text-anchor: end; } .step, .mark { text-anchor: middle; }
.mark { fill: var(--warn) !important; } .tick { fill: var(--warn); }
.band { fill: none; } .band.even { fill: var(--band); } .band.bad { fill: var(--fail); fill-opacity: 0.12; }
.away { fill: var(--away); } .old { fill: var(--old); } .new { fill: var(--new); }
.promise { stroke: var(--text); stroke-width: 1.5; stroke-dasharray: 6 4; }
.pass { fill: var(--pass); } .fail { fill: var(--fail); }
.item { white-space: nowrap; }
.key { display: inline-block; width: 12px; height: 12px; margin: 0 4px 0 12px; vertical-align: middle; }
.key.new { background: var(--new); } .key.old { background: var(--old); }
.key.away { background: var(--away); border: 1px solid var(--line); box-sizing: border-box; }
.key.promise { height: 0; border-top: 2px dashed var(--text); }
.key.pass { background: var(--pass); border-radius: 6px; } .key.fail { background: var(--fail); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; } th { text-align: left; white-space: nowrap; color: var(--soft); font-weight: 600; }
td, th { padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td:first-child { font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.good td:last-child { color: var(--pass); } tr.bad td:last-child { color: var(--fail); }
tr.assumed td:last-child { color: var(--warn); }
pre { overflow-x: auto; background: var(--band); padding: 8px 12px; font: 13px/1.45 ui-monospace, monospace; }
pre .added { color: var(--pass); } pre .removed { color: var(--fail); } pre .at { color: var(--soft); }
.wide { overflow-x: auto; } .wide td:not(:last-child) { white-space: nowrap; }
.wide td:last-child { min-width: 12rem; } li { overflow-wrap: anywhere; } .bar { stroke: var(--back); stroke-width: 1; }
.name { text-anchor: start; } svg text.on { fill: var(--on); }
.bar.good { fill: var(--done); } .bar.same { fill: var(--old); } .bar.bad { fill: var(--lost); } .bar.undo { fill: var(--undo); }
.key.good { background: var(--done); } .key.same { background: var(--old); } .key.bad { background: var(--lost); }
.key.undo { background: var(--undo); }
.shares { list-style: none; margin: 8px 0; padding: 0; } .shares li { margin: 12px 0; }
.share { height: 12px; background: var(--away); border: 1px solid var(--line); } .share .part { height: 12px; min-width: 2px; }
.part.Completes { background: var(--pass); fill: var(--pass); }
.part.WaitsForApproval, .part.WaitsForUser, .part.CompletesPartly { background: var(--warn); fill: var(--warn); }
.part.Stops, .part.Fails, .part.ReachesHorizon { background: var(--fail); fill: var(--fail); }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr)); column-gap: 40px; }
.pair figure { margin: 8px 0; } svg.small { min-width: 0; max-width: 520px; } svg.small text { font-size: 13px; } .base { stroke: var(--line); }
dl { display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 4px 0; } dt { color: var(--soft); font-size: 0.85rem; }
dd { margin: 0; font-variant-numeric: tabular-nums; } section + section { margin-top: 48px; }
`;

/**
 * `node --import ./tests/sim/broken/break-decision.ts …` with BROKEN_DECISION=NAME: loads source files with the patch
 * NAME.patch of this folder. Nothing is changed on disk. Fails when the patch does not fit, or a file of it is not used.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { applyPatch, readPatches } from './patch-text.ts';

const name = process.env['BROKEN_DECISION'] ?? '';
const patches = readPatches(readFileSync(new URL(`${name}.patch`, import.meta.url), 'utf8'));
const targets = new Map(
  patches.map((patch) => [new URL(`../../../${patch.file}`, import.meta.url).href, patch]),
);
const unused = new Set(patches.map(({ file }) => file));

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const patch = targets.get(url);
    if (patch === undefined) return loaded;
    unused.delete(patch.file);
    return { ...loaded, source: applyPatch(readFileSync(new URL(url), 'utf8'), patch) };
  },
});

process.on('exit', () => {
  if (unused.size === 0) return;
  process.stderr.write(`The patch ${name} changes ${[...unused].join(', ')}, which was never loaded.\n`);
  process.exitCode = 3;
});

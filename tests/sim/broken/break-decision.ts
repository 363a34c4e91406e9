/**
 * `node --import ./tests/sim/broken/break-decision.ts …` with BROKEN_DECISION=NAME: loads one source file with the patch
 * NAME.patch of this folder. Nothing is changed on disk. Fails when the patch does not fit, or its file is not used.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { applyPatch, readPatch } from './patch-text.ts';

const name = process.env['BROKEN_DECISION'] ?? '';
const patch = readPatch(readFileSync(new URL(`${name}.patch`, import.meta.url), 'utf8'));
const target = new URL(`../../../${patch.file}`, import.meta.url).href;
let isUsed = false;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (url !== target) return loaded;
    isUsed = true;
    return { ...loaded, source: applyPatch(readFileSync(new URL(target), 'utf8'), patch) };
  },
});

process.on('exit', () => {
  if (isUsed) return;
  process.stderr.write(`The patch ${name} changes ${patch.file}, which was never loaded.\n`);
  process.exitCode = 3;
});

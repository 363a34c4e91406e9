import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Preloaded into a process with `--import`: at its end it writes the addresses of all modules that it loaded. */
const loaded = new Set<string>();
registerHooks({
  load(url, context, next) {
    loaded.add(url);
    return next(url, context);
  },
});
process.on('exit', () => {
  const file = process.env['LOADED_FILES'];
  if (file !== undefined) writeFileSync(file, JSON.stringify([...loaded]));
});

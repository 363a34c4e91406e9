import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { followProgram, type Following } from '../program.ts';
import type { OperatorWork } from './operator.ts';

const main = fileURLToPath(new URL('operator-main.ts', import.meta.url));

/** An operator in a process of its own, to be killed or interrupted. */
export function startOperator(work: OperatorWork): Following {
  const file = join(work.dataDir, 'work.json');
  writeFileSync(file, JSON.stringify(work));
  return followProgram(process.execPath, [main, file]);
}

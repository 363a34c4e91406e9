import { existsSync, readFileSync } from 'node:fs';
import { ExitError } from '#cli/exit.ts';
import { nodesOf, stepsOf, localNode } from '#decide/machines/plan.ts';
import { logPath, readPlan } from './folders.ts';
import { lastOf } from './status.ts';

type Given = Readonly<Record<string, unknown>>;

/** `boathook cluster logs`: the whole output of the last operation's scripts, per node and hook. */
export function showLogs(given: Given): number {
  const { folder, records } = lastOf(given);
  const plan = readPlan(folder);
  const [node, hook] = [given['node'], given['step']];
  const nodes = [...nodesOf(plan), localNode];
  if (typeof node === 'string' && !nodes.includes(node))
    throw new ExitError(2, `--node=${node} took no part. Valid are: ${nodes.join(', ')}`);
  const steps = stepsOf(plan).map(({ id }) => id);
  if (typeof hook === 'string' && !steps.some((id) => id.includes(hook)))
    throw new ExitError(2, `--step=${hook} is none of the steps. Valid are: ${steps.join(', ')}`);
  for (const record of records) {
    if (record.type !== 'intent') continue;
    if (typeof node === 'string' && record.node !== node) continue;
    if (typeof hook === 'string' && !record.step.includes(hook)) continue;
    const path = logPath(folder, record.node, `${record.step}.${record.attempt}`);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    process.stdout.write(`==> ${record.node} ${record.step} attempt ${record.attempt} (${path})\n${text}`);
    if (text !== '' && !text.endsWith('\n')) process.stdout.write('\n');
  }
  return 0;
}

import { existsSync, readFileSync } from 'node:fs';
import { harmlessText } from '#base/harmless-text.ts';
import { ExitError } from '#command/exit.ts';
import type { Given } from '#command/given.ts';
import { nodesOf, stepsOf, localNode } from '#machines/decide/plan.ts';
import { logPath, readPlan } from './folders.ts';
import { lastOf } from './status.ts';

/** `boathook cluster logs`: the whole output of the last operation's scripts, per node and hook. */
export function showLogs(given: Given): number {
  const { folder, records } = lastOf(given);
  const plan = readPlan(folder);
  const wanted = {
    node: chosen('--node', given['node'], [...nodesOf(plan), localNode], (a, b) => a === b),
    step: chosen(
      '--step',
      given['step'],
      stepsOf(plan).map(({ id }) => id),
      (a, b) => a.includes(b),
    ),
  };
  for (const record of records) {
    if (record.type !== 'intent' || !wanted.node(record.node) || !wanted.step(record.step)) continue;
    const path = logPath(folder, record.node, `${record.step}.${record.attempt}`);
    const text = existsSync(path) ? harmlessText(readFileSync(path, 'utf8')) : '';
    const end = text === '' || text.endsWith('\n') ? '' : '\n';
    process.stdout.write(
      `==> ${record.node} ${record.step} attempt ${record.attempt} (${path})\n${text}${end}`,
    );
  }
  return 0;
}

/** The values that match a flag; a flag without a match ends the command. */
function chosen(
  flag: string,
  value: unknown,
  valid: readonly string[],
  fits: (each: string, value: string) => boolean,
): (each: string) => boolean {
  if (typeof value !== 'string') return () => true;
  if (!valid.some((each) => fits(each, value)))
    throw new ExitError(
      2,
      `${flag}=${value} has no logs in this operation. Valid values: ${valid.join(', ')}`,
    );
  return (each) => fits(each, value);
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ProgressEvent } from '#machines/decide/events.ts';
import type { OperatorWork } from '../../tests/support/sshd/operator.ts';

const main = fileURLToPath(new URL('../../tests/support/sshd/operator-main.ts', import.meta.url));

export type OperatorRun = {
  readonly child: ChildProcess;
  /** Seconds from start to end, how it ended, and its largest resident memory. */
  readonly ended: Promise<{
    readonly seconds: number;
    readonly state: string | undefined;
    readonly megabytes: number;
  }>;
};

/** An operator in a process of its own with Boathook's own settings of Node, timed as a person would: from its start to its end. */
export function startOperator(
  work: OperatorWork,
  onEvent: (event: ProgressEvent) => void = () => undefined,
): OperatorRun {
  const file = join(work.dataDir, 'work.json');
  writeFileSync(file, JSON.stringify(work));
  const began = performance.now();
  const child = spawn(process.execPath, ['--max-semi-space-size=8', main, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const finish = async (): ReturnType<() => OperatorRun['ended']> => {
    let state: string | undefined;
    let megabytes = 0;
    const gone = once(child, 'exit');
    for await (const line of createInterface(child.stdout)) {
      const said = JSON.parse(line) as ProgressEvent | { end: { state?: string; type: string }; rss: number };
      if ('end' in said) {
        state = said.end.state ?? said.end.type;
        megabytes = (said.rss * 1.024) / 1000;
      } else onEvent(said);
    }
    await gone;
    return { seconds: (performance.now() - began) / 1000, state, megabytes };
  };
  return { child, ended: finish() };
}

import { expect, test } from 'vitest';
import { textWidth } from '#base/text-width.ts';
import { instant } from '#base/time.ts';
import type { MachinePlan } from '#machines/decide/plan.ts';
import { liveDisplay } from './live-display.ts';

const escape = '\u001B';

/** As much of a terminal as the display uses: rows that wrap, the cursor that goes up, and what is below it cleared. */
class TestTerminal {
  columns: number;
  readonly rows = 24;
  /** Lines as they were written; each takes as many rows as it needs at the present width. */
  lines: string[] = [];

  constructor(columns: number) {
    this.columns = columns;
  }

  write(text: string): void {
    const up = new RegExp(`^${escape}\\[(\\d+)A${escape}\\[0J`, 'u').exec(text);
    if (up !== null) this.#clear(Number(up[1]));
    const rest = text.slice(up?.[0].length ?? 0).replaceAll(new RegExp(`${escape}\\[\\?25[lh]`, 'gu'), '');
    if (rest !== '') this.lines.push(...rest.replace(/\n$/, '').split('\n'));
  }

  #clear(rows: number): void {
    let left = rows;
    while (left > 0) left -= Math.max(1, Math.ceil(textWidth(this.lines.pop() ?? '') / this.columns));
    expect(left, 'whole lines are cleared').toBe(0);
  }
}

const plan: MachinePlan = {
  cluster: 'c',
  operation: 'cluster.create',
  parallel: 9,
  onUnreachable: 'refuse',
  notes: [],
  stages: [
    {
      id: 's',
      title: '',
      steps: [
        {
          kind: 'remove',
          id: 's/a',
          title: 'a',
          paths: [],
          policy: {} as never,
          targets: ['one', 'two'].map((node) => ({ node, env: [], fingerprint: '' })),
        },
      ],
    },
  ],
};

test('a terminal that is made narrower while lines are drawn keeps no rest of them', () => {
  const terminal = new TestTerminal(100);
  const display = liveDisplay(plan, terminal);
  const at = instant(0);
  const line = 'long words '.repeat(20);
  display.show({ type: 'output', at, step: 's/a', node: 'one', stream: 'stdout', line });
  display.say('first');
  terminal.columns = 30;
  display.say('second');
  terminal.columns = 70;
  display.close();
  expect(terminal.lines.filter((each) => !/^(?:one|two|\[)/.test(each))).toEqual(['first', 'second']);
  expect(terminal.lines).toHaveLength(5);
  for (const each of terminal.lines) expect(textWidth(each)).toBeLessThanOrEqual(70);
});

import { expect, test } from 'vitest';
import { seconds } from '#base/time.ts';
import type { MachinePlan, PlanStep } from '#machines/decide/plan.ts';
import { repeatable } from '#machines/decide/presets.ts';
import { failuresOf, spansOf, troublesOf } from './machine-rules.ts';
import { stepsNamed } from './named-steps.ts';
import { ScriptBehaviour } from './script-behaviour.ts';

const step = (id: string, title: string, nodes: readonly string[]): PlanStep => ({
  kind: 'hook',
  id,
  title,
  targets: nodes.map((node) => ({ node, env: [], fingerprint: '' })),
  policy: repeatable('abort'),
  program: { type: 'text', name: 'a.sh', text: '' },
  digest: '',
  argv: [],
  envNames: [],
  attachments: [],
});

const plan: MachinePlan = {
  cluster: 'harbour',
  operation: 'cluster.upgrade',
  stages: [
    {
      id: 'all',
      title: 'all',
      steps: [
        step('m1/node-pre/PreUpgrade', 'PreUpgrade', ['m1']),
        step('m1/upgrade/drain/m1', 'drain', ['m1']),
        step('m1/upgrade/upgrade-first/m1', 'upgrade-first', ['m1']),
        step('m2/node-pre/PreUpgrade', 'PreUpgrade', ['m2']),
        step('m2/upgrade/drain/m2', 'drain', ['m1']),
        step('m2/upgrade/upgrade/m2', 'upgrade', ['m2']),
      ],
    },
  ],
  parallel: 1,
  onUnreachable: 'refuse',
  notes: [],
};

test.for([
  ['PreUpgrade', ['m1/node-pre/PreUpgrade', 'm2/node-pre/PreUpgrade']],
  ['pre-upgrade', ['m1/node-pre/PreUpgrade', 'm2/node-pre/PreUpgrade']],
  ['upgrade-first', ['m1/upgrade/upgrade-first/m1']],
  ['upgrade', ['m2/upgrade/upgrade/m2']],
  ['drain', ['m1/upgrade/drain/m1', 'm2/upgrade/drain/m2']],
  ['drain of m2', ['m2/upgrade/drain/m2']],
  ['node-pre', ['m1/node-pre/PreUpgrade', 'm2/node-pre/PreUpgrade']],
  ['grade-fi', ['m1/upgrade/upgrade-first/m1']],
  ['PostUpgrade', []],
] as const)('the steps of %s', ([text, steps]) => {
  expect([...stepsNamed(plan, text)]).toEqual(steps);
});

const none = { spans: [], failures: [], troubles: [] };
const pre = (behaviour: ScriptBehaviour, node: string) =>
  behaviour.start(node, { operation: 'o', step: `${node}/node-pre/PreUpgrade` });

test('durations, attempts that fail, and slow machines', () => {
  const behaviour = new ScriptBehaviour(
    plan,
    {
      spans: spansOf(['PreUpgrade=10s']),
      failures: failuresOf(['m2:PreUpgrade:1']),
      troubles: troublesOf(['m2=slow:3']),
    },
    1,
  );
  expect(pre(behaviour, 'm1')).toEqual({ run: { span: seconds(10) } });
  expect(pre(behaviour, 'm2')).toEqual({ run: { span: seconds(30), exit: 1, slowness: 3 } });
  expect(pre(behaviour, 'm2')).toEqual({ run: { span: seconds(30), slowness: 3 } });
});

test('a machine crashes in the middle of the first attempt', () => {
  const behaviour = new ScriptBehaviour(plan, { ...none, troubles: troublesOf(['m1=crash@PreUpgrade']) }, 1);
  expect(pre(behaviour, 'm1').trouble).toEqual({ type: 'crash', after: seconds(5) });
  expect(pre(behaviour, 'm1').trouble).toBe(undefined);
  expect(pre(behaviour, 'm2').trouble).toBe(undefined);
});

test('chance depends on the seed, the machine and the attempt, not on the order', () => {
  const failures = failuresOf(['*:PreUpgrade:50%']);
  const drawn = (seed: number, nodes: readonly string[]): string => {
    const behaviour = new ScriptBehaviour(plan, { ...none, failures }, seed);
    const all = nodes.map((node) => `${node} ${pre(behaviour, node).run?.exit ?? 0}`);
    return all.toSorted().join();
  };
  const attempts = ['m1', 'm1', 'm1', 'm2', 'm2', 'm2'];
  expect(drawn(1, attempts)).toBe(drawn(1, attempts.toReversed()));
  const seen = new Set(Array.from({ length: 20 }, (_, seed) => drawn(seed, attempts)));
  expect(seen.size).toBeGreaterThan(5);
});

import { expect, test } from 'vitest';
import { blockerReasons } from '#releases/model/blocker.ts';
import { decideGameDeployment } from '#releases/decide/game-deployment/decide.ts';
import { snapshotFromCase } from '#releases/decide/testing/cases/case-snapshot.ts';
import { adviceFor } from './advice.ts';
import { explainContext, type ExplainContext } from './explain-context.ts';

/** In the middle of a release, with a pod that is not ready. */
function contextOf(steps: readonly object[] | undefined): ExplainContext {
  const { snapshot, spec } = snapshotFromCase({
    spec: {
      replicas: 2,
      preDeleteUpdateStrategy: { hook: { templateName: 'drain' } },
      updateStrategy: steps === undefined ? {} : { canary: { steps: steps as never } },
    },
    ...(steps === undefined ? {} : { step: 0 }),
    pods: ['a old', 'b new unready'],
  });
  const decision = decideGameDeployment(snapshot, spec);
  return explainContext(snapshot, decision, { title: 'gd/gd', flags: ' -n games' });
}

const reasons = Object.keys(blockerReasons);

test.for(reasons)('%s has an end and a remedy', (reason) => {
  for (const steps of [undefined, [{ partition: 1 }, { pause: {} }], [{ hook: { templateName: 'smoke' } }]]) {
    const context = contextOf(steps);
    const advice = adviceFor(reason);
    expect(advice?.ends(context)).toMatch(/^[A-Z].*\.$/);
    const remedies = advice?.remedies(context) ?? [];
    expect(remedies.length).toBeGreaterThan(0);
    for (const { what, command } of remedies) {
      expect(what).toMatch(/^[A-Z].*[^.:]$/);
      // A sentence of two ends with a placeholder, not with `undefined`.
      expect(`${what} ${command ?? ''}`).not.toMatch(/undefined|null|NaN| {2}/);
    }
  }
});

test('a release without steps is not aborted but set back', () => {
  const commands = (context: ExplainContext): readonly (string | undefined)[] =>
    adviceFor('WaitingForPods')
      ?.remedies(context)
      .map(({ command }) => command) ?? [];
  expect(commands(contextOf(undefined))).toContain('boathook release undo gd/gd -n games');
  expect(commands(contextOf([{ partition: 1 }]))).toContain('boathook release abort gd/gd -n games');
});

test('a release that waits for nothing has no advice', () => {
  expect(adviceFor('Complete')).toBeUndefined();
  expect(adviceFor('toString')).toBeUndefined();
});

import { expect, test } from 'vitest';
import type { KubeObject } from '#kube/object.ts';
import { Newest } from '#loop/owned/newest.ts';
import { runsOf } from './workload-runs.ts';

const object = (name: string): KubeObject => ({ metadata: { name, uid: name, resourceVersion: '1' } });

test('a hook run that was deleted for a retry decides nothing, though the informer still shows it', () => {
  const [workload, first, second] = [object('g'), object('first'), object('second')];
  const runs = { byIndex: () => [first, second] };
  const newest = new Newest();
  expect(runsOf(runs, newest, workload)).toEqual([first, second]);
  newest.noteRemoved(first);
  expect(runsOf(runs, newest, workload)).toEqual([second]);
});

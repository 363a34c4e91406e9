import { expect, test } from 'vitest';
import { longRehearsal } from './long-rehearsal.ts';

const plan = (before: number, after: number) => ({
  workload: { kind: 'GameDeployment', metadata: { name: 'shop' }, spec: { replicas: before } },
  spec: { replicas: after },
});

test.for([
  { name: 'few pods', before: 4, after: 499, runs: 100, says: undefined },
  { name: 'many pods', before: 1000, after: 4, runs: 1, says: 'has 1000 pods: a rehearsal takes about 45s;' },
  { name: 'many runs', before: 4, after: 2000, runs: 2, says: 'has 2000 pods: 2 rehearsals take about 6m;' },
])('$name', ({ before, after, runs, says }) => {
  const warning = longRehearsal(plan(before, after), runs);
  if (says === undefined) expect(warning).toBeUndefined();
  else expect(warning).toContain(`GameDeployment shop ${says}`);
});

import { expect, test } from 'vitest';
import { checkSubdomain } from '#kube/names.ts';
import { endOf, jobName, jobObject } from './job-object.ts';

const run = { name: 'canary-1.rev', uid: 'u-1' };
const metric = { name: 'check', provider: {} };

test('the same call has the same name, every other another one', () => {
  const name = jobName({ run, metric, attempt: 0 });
  expect(jobName({ run, metric, attempt: 0 })).toBe(name);
  const others = [
    jobName({ run, metric, attempt: 1 }),
    jobName({ run, metric: { ...metric, name: 'other' }, attempt: 0 }),
    jobName({ run: { ...run, uid: 'u-2' }, metric, attempt: 0 }),
  ];
  expect(new Set([name, ...others]).size).toBe(4);
});

test.for(['a', '-', 'x'.repeat(253), 'a.b.c', '0'])('the name of a Job can be one: run %s', (name) => {
  const made = jobName({ run: { name, uid: 'u' }, metric, attempt: 3 });
  expect(checkSubdomain(made)).toEqual([]);
  expect(made.length).toBeLessThanOrEqual(63);
});

test('its pods have the account of the run, whatever is in their template', () => {
  const pod = {
    containers: [],
    serviceAccountName: 'admin',
    serviceAccount: 'admin',
    restartPolicy: 'OnFailure',
  };
  const question = { namespace: 'n', run, serviceAccount: 'hooks', metric, args: new Map(), attempt: 0 };
  const job = jobObject(question, { backoffLimit: 1, template: { spec: pod } });
  expect(job['spec']).toEqual({
    backoffLimit: 1,
    template: { spec: { containers: [], serviceAccountName: 'hooks', restartPolicy: 'OnFailure' } },
  });
});

test.for([
  [[{ type: 'Complete', status: 'True' }], { type: 'Complete', message: '' }],
  [[{ type: 'Complete', status: 'False' }], undefined],
  [[], undefined],
  [
    [{ type: 'Failed', status: 'True', reason: 'DeadlineExceeded', message: 'too late' }],
    { type: 'Failed', message: 'DeadlineExceeded: too late' },
  ],
] as const)('how a Job ended: %j', ([conditions, end]) => {
  expect(endOf({ status: { conditions } })).toEqual(end);
});

import { expect, test } from 'vitest';
import type { Outcome } from '#edge/kube/outcome.ts';
import { mustServe } from './missing-kinds.ts';

const clusters = { group: 'platform.tkestack.io', version: 'v1', plural: 'clusters', namespaced: false };
const machines = { ...clusters, plural: 'machines' };
const signal = new AbortController().signal;

const serving = (...names: readonly string[]): Outcome => ({
  type: 'ok',
  object: { kind: 'APIResourceList', apiVersion: 'v1', resources: names.map((name) => ({ name })) },
});
const refusing = (type: 'not-found' | 'forbidden'): Outcome => ({
  type,
  code: 404,
  message: 'no',
  status: {},
});

test.for<[string, Outcome, RegExp | undefined]>([
  ['both kinds are there', serving('clusters', 'clusters/status', 'machines'), undefined],
  [
    'one kind is not there',
    serving('clusters'),
    /no CustomResourceDefinition machines\.platform\.tkestack\.io:/,
  ],
  [
    'no kind of the group is there',
    refusing('not-found'),
    /clusters\.platform\.tkestack\.io, machines\..*kubectl apply/,
  ],
  ['another refusal', refusing('forbidden'), undefined],
])('%s', async ([_name, found, says]) => {
  const checked = mustServe({ raw: () => Promise.resolve(found) }, [clusters, machines], signal);
  if (says === undefined) await expect(checked).resolves.toBeUndefined();
  else await expect(checked).rejects.toThrow(says);
});

import { expect, test } from 'vitest';
import type { KubernetesProvider } from '#hooks/providers/kubernetes/wire/kubernetes-wire.ts';
import { targetOf } from './kubernetes-target.ts';

const provider = (target?: KubernetesProvider['target']): KubernetesProvider => ({
  function: 'get',
  fields: [{ path: '{.a}' }],
  ...(target === undefined ? {} : { target }),
});
const pod = { apiVersion: 'v1', kind: 'Pod', namespace: 'here', name: 'p' };

test.for([
  ['a pod of the run', undefined, { PodName: 'p' }, pod],
  ['elsewhere', undefined, { PodName: 'p', PodNamespace: 'there' }, { ...pod, namespace: 'there' }],
  [
    'by Group, Version and Kind',
    undefined,
    { PodName: 'p', Group: 'apps', Version: 'v1', Kind: 'Deployment' },
    { ...pod, apiVersion: 'apps/v1', kind: 'Deployment' },
  ],
  [
    'the metric takes precedence',
    { kind: 'Service', name: '{{ args.who }}', namespace: 'n' },
    { PodName: 'p', Kind: 'Job', who: 'me' },
    { apiVersion: 'v1', kind: 'Service', namespace: 'n', name: 'me' },
  ],
] as const)('the object is found: %s', ([, target, args, found]) => {
  expect(targetOf(provider(target), new Map(Object.entries(args)), 'here')).toEqual({
    type: 'target',
    target: found,
  });
});

test('without a name there is no object', () => {
  expect(targetOf(provider(), new Map(), 'here')).toMatchObject({
    message: expect.stringContaining('target.name') as string,
  });
  expect(targetOf(provider({ name: '{{ args.x }}' }), new Map(), 'here')).toMatchObject({ type: 'problem' });
});

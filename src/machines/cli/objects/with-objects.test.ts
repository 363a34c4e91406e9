import { expect, test } from 'vitest';
import { demandKinds } from './with-objects.ts';

const refusal = { code: 404, message: 'not found' } as const;

test.for([
  ['an object that is not there', { details: { kind: 'clusters', name: 'x' } }, 'not-found', undefined],
  ['a kind that is not there', { details: {} }, 'not-found', /boathook crds \| kubectl apply/],
  ['an answer in plain text', {}, 'not-found', /boathook crds \| kubectl apply/],
  ['another refusal', {}, 'forbidden', undefined],
] as const)('%s', ([_name, status, type, says]) => {
  const demand = (): void => demandKinds({ ...refusal, type, status });
  if (says === undefined) expect(demand).not.toThrow();
  else expect(demand).toThrow(says);
});

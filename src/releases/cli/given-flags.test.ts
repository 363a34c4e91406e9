import { expect, test } from 'vitest';
import { givenFlags } from './given-flags.ts';

test('commands repeat the flags that name a cluster, as a shell reads them', () => {
  expect(givenFlags({})).toBe('');
  expect(givenFlags({ namespace: 'games', output: 'json' })).toBe(' -n games');
  expect(givenFlags({ context: 'my cluster', kubeconfig: "it's", as: 'ann@x.io', asGroup: ['a', 'b'] })).toBe(
    String.raw` --context='my cluster' --kubeconfig='it'\''s' --as=ann@x.io --as-group=a --as-group=b`,
  );
});

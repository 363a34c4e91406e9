import { listAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

const hook = { hook: { templateName: 'age' } };

/** Steps of releases in tests in which anything can happen to them. */
export const walks: readonly (readonly JsonObject[])[] = [
  [{ partition: 3 }, hook, { partition: 1 }, { pause: {} }],
  [hook, { partition: '50%' }, { pause: { duration: 2 } }, hook],
  [{ partition: '80%' }, { pause: {} }],
];

/** Which hooks pods have. */
export const hookFields = {
  none: {},
  'before deletion': { preDeleteUpdateStrategy: hook },
  enforced: { preDeleteUpdateStrategy: { ...hook, enforce: 'Always' } },
  around: { preInplaceUpdateStrategy: hook, postInplaceUpdateStrategy: hook, preDeleteUpdateStrategy: hook },
} as const satisfies Readonly<Record<string, JsonObject>>;

/** What a user patches who wants the release to continue: no pause, and hooks that failed run again. */
export function continued(workload: KubeObject): JsonObject {
  const strategies = ['preDeleteUpdateStrategy', 'preInplaceUpdateStrategy', 'postInplaceUpdateStrategy'];
  const asked = strategies.filter(
    (name) => listAt(workload, 'status', name.replace('UpdateStrategy', 'HookCondition')).length > 0,
  );
  return {
    spec: {
      updateStrategy: { paused: false },
      ...Object.fromEntries(asked.map((name) => [name, { retry: true }])),
    },
  };
}

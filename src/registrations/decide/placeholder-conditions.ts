import { objectAt } from '#base/json.ts';
import { formatTime } from '#base/time.ts';
import { conditionsOf, findCondition } from '#kube/conditions.ts';
import type { KubeObject } from '#kube/object.ts';
import type { InstanceSnapshot } from './cycle.ts';
import { formConditions } from './form-conditions.ts';

/**
 * The instance with all conditions that it will have: hooks with `payload: full` find theirs in the list and change it
 * there.
 */
export function withPlaceholderConditions({
  registration,
  kind,
  instance,
  now,
}: InstanceSnapshot): KubeObject {
  if (!kind.supports.subresource || !kind.supports.conditions) return instance;
  const before = conditionsOf(instance);
  const ours = formConditions(registration.form, {}, true).map(({ type }) => type);
  const conditions = [...ours, ...registration.hookConditions, 'Ready'].sort().map(
    (type) =>
      findCondition(before, type) ?? {
        type,
        status: 'Unknown',
        reason: 'UNKNOWN',
        message: '',
        lastTransitionTime: formatTime(now),
      },
  );
  return { ...instance, status: { ...objectAt(instance, 'status'), conditions } };
}

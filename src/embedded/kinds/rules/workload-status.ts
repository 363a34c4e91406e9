import type { JsonObject } from '#base/json.ts';
import { invalid, type FieldError } from '#kube/field-error.ts';
import { notNegative } from './checks.ts';

/** The counts of a workload's status: none negative, none greater than all its pods, available only if ready. */
export function checkCounts(
  status: JsonObject,
  parts: readonly string[],
  ready = 'readyReplicas',
): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ['replicas', ...parts, 'observedGeneration'])
    notNegative(status[key], `status.${key}`, errors);
  const count = (key: string): number => Number(status[key] ?? 0);
  const all = count('replicas');
  for (const key of parts) {
    if (count(key) > all)
      errors.push(invalid(`status.${key}`, count(key), 'cannot be greater than status.replicas'));
  }
  if (parts.includes('availableReplicas') && count('availableReplicas') > count('readyReplicas')) {
    const text = `cannot be greater than ${ready}`;
    errors.push(invalid('status.availableReplicas', count('availableReplicas'), text));
  }
  return errors;
}

import { isObject, listAt, objectAt, type Json, type JsonObject } from '#base/json.ts';
import { addQuantity, compareQuantity, type Quantity } from '#base/quantity.ts';
import { specOf } from '#base/json-edit.ts';
import { quantityOf } from './resource-checks.ts';

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

const counted = ['cpu', 'memory'];

/** How firmly a pod's resources are promised. */
export function qosClass(pod: JsonObject): QosClass {
  const spec = specOf(pod);
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let everyLimit = true;
  for (const container of [...listAt(spec, 'containers'), ...listAt(spec, 'initContainers')]) {
    add(objectAt(container, 'resources', 'requests'), requests);
    everyLimit = add(objectAt(container, 'resources', 'limits'), limits) === counted.length && everyLimit;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const equal =
    requests.size === limits.size && [...requests].every(([name, amount]) => same(amount, limits.get(name)));
  return everyLimit && equal ? 'Guaranteed' : 'Burstable';
}

/** Adds what is not zero; returns how many of the counted resources were there. */
function add(amounts: Json | undefined, sums: Map<string, Quantity>): number {
  if (!isObject(amounts)) return 0;
  let found = 0;
  for (const name of counted) {
    if (amounts[name] === undefined) continue;
    const amount = quantityOf(amounts[name]);
    if (amount.nano === 0n) continue;
    found += 1;
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? amount : addQuantity(sum, amount));
  }
  return found;
}

const same = (left: Quantity, right: Quantity | undefined): boolean =>
  right !== undefined && compareQuantity(left, right) === 0;

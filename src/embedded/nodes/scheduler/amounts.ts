import { isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { parseQuantity } from '#base/quantity.ts';
import type { KubeObject } from '#kube/object.ts';

/** Amounts by resource: thousandths of a core for cpu, whole units for everything else. */
export type Amounts = Readonly<Record<string, number>>;

export const nothing: Amounts = {};

const known = new Map<string, number>();
const mostKnown = 10_000;

function amountOf(resource: string, value: Json): number {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const key = resource === 'cpu' ? `c${text}` : text;
  const found = known.get(key);
  if (found !== undefined) return found;
  const quantity = parseQuantity(text);
  const unit = resource === 'cpu' ? 1_000_000n : 1_000_000_000n;
  const amount = quantity === undefined ? 0 : Number((quantity.nano + unit - 1n) / unit);
  if (known.size >= mostKnown) known.clear();
  known.set(key, amount);
  return amount;
}

export function readAmounts(list: JsonObject | undefined): Amounts {
  if (list === undefined) return nothing;
  return Object.fromEntries(
    Object.entries(list).map(([resource, value]) => [resource, amountOf(resource, value)]),
  );
}

export function plus(left: Amounts, right: Amounts): Amounts {
  if (left === nothing) return right;
  if (right === nothing) return left;
  const sum: { [resource: string]: number } = { ...left };
  for (const resource in right) sum[resource] = (sum[resource] ?? 0) + (right[resource] ?? 0);
  return sum;
}

export function minus(left: Amounts, right: Amounts): Amounts {
  const rest: { [resource: string]: number } = { ...left };
  for (const resource in right) rest[resource] = (rest[resource] ?? 0) - (right[resource] ?? 0);
  return rest;
}

function most(left: Amounts, right: Amounts): Amounts {
  const larger: { [resource: string]: number } = { ...left };
  for (const resource in right) larger[resource] = Math.max(larger[resource] ?? 0, right[resource] ?? 0);
  return larger;
}

const requestsOf = (container: Json): Amounts => readAmounts(objectAt(container, 'resources', 'requests'));

/** The requests of a pod: its containers together, or the peak of its init containers if that is more. */
export function podNeeds(pod: KubeObject): Amounts {
  let sidecars = nothing;
  let peak = nothing;
  for (const container of listAt(pod, 'spec', 'initContainers').filter(isObject)) {
    const asked = requestsOf(container);
    peak = most(peak, plus(sidecars, asked));
    if (textAt(container, 'restartPolicy') === 'Always') sidecars = plus(sidecars, asked);
  }
  const together = listAt(pod, 'spec', 'containers').map(requestsOf).reduce(plus, sidecars);
  const overhead = readAmounts(objectAt(pod, 'spec', 'overhead'));
  return plus(peak === nothing ? together : most(peak, together), overhead);
}

import { at, isObject, textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

/** A machine as host keys know it: its address, with the port unless it is the usual one. */
export const hostName = (address: string, port: number): string =>
  port === 22 ? address : `${address.includes(':') ? `[${address}]` : address}:${port}`;

/** Keys of machines that an object knows, by address and port. */
export function keysIn(object: KubeObject | undefined): readonly (readonly [string, string])[] {
  const keys = at(object, 'status', 'hostKeys');
  if (!isObject(keys)) return [];
  return Object.keys(keys).flatMap((host) => {
    const key = textAt(keys, host);
    return key === undefined ? [] : [[host, key] as const];
  });
}

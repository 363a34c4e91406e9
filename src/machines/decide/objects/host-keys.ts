import { objectAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

/** An address with its port, unless that is 22: the key of `status.hostKeys`. */
export const hostName = (address: string, port: number): string =>
  port === 22 ? address : `${address.includes(':') ? `[${address}]` : address}:${port}`;

/** The host keys in the status of an object, by address and port. */
export const hostKeysIn = (object: KubeObject | undefined): readonly (readonly [string, string])[] =>
  Object.entries(objectAt(object, 'status', 'hostKeys') ?? {}).flatMap(([host, key]) =>
    typeof key === 'string' ? [[host, key] as const] : [],
  );

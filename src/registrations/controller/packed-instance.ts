import type { JsonObject } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { withoutManagedFields } from '#kube/object.ts';
import type { Lean } from '#loop/informer.ts';
import type { KubeObject } from '#kube/object.ts';

/** Cannot be the name of a field. */
const restKey = '\0rest';

/** Keeps everything but the metadata as one text: only a reconciliation reads it. */
export const packedInstance: Lean = {
  name: 'registration-instance',
  of(object) {
    if (typeof object[restKey] === 'string') return object;
    const { apiVersion = '', kind = '', metadata = {}, ...rest } = withoutManagedFields(object);
    return { apiVersion, kind, metadata, [restKey]: printJson(rest) };
  },
};

export function unpackedInstance(instance: KubeObject): KubeObject {
  const { [restKey]: text, ...head } = instance;
  return typeof text === 'string' ? { ...head, ...(parseJson(text) as JsonObject) } : instance;
}

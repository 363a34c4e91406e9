import type { JsonObject } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { withoutManagedFields } from '#kube/object.ts';
import type { Decoder } from '#loop/decoder.ts';
import type { KubeObject } from '#kube/object.ts';

/** No field of an instance is called that. */
const restKey = '\0rest';

/** Between two reconciliations nobody looks at more of an instance than its metadata: the rest is one text. */
export const packedInstance: Decoder<KubeObject> = {
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

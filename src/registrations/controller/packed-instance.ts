import type { JsonObject } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { withoutManagedFields, type KubeObject } from '#kube/object.ts';
import type { Decoder, Packed } from '#loop/decoder.ts';

/** Cannot be the name of a field. */
const restKey = '\0rest';

/** Keeps everything but the metadata as one text: only a reconciliation reads it. */
export const packedInstance: Decoder<Packed<KubeObject>> = {
  name: 'registration-instance',
  of(object) {
    if (typeof object[restKey] === 'string') return object;
    const { apiVersion = '', kind = '', metadata = {}, ...rest } = withoutManagedFields(object);
    const packed: JsonObject = { apiVersion, kind, metadata, [restKey]: printJson(rest) };
    return packed;
  },
};

/** The whole instance. One that was not packed is returned as it is. */
export function unpackedInstance(instance: Packed<KubeObject>): KubeObject {
  const object = instance as KubeObject;
  const { [restKey]: text, ...head } = object;
  return typeof text === 'string' ? { ...head, ...(parseJson(text) as JsonObject) } : object;
}

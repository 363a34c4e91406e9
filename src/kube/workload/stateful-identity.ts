import { fitted, longestLabel } from './fitted.ts';
import { fnv32, safeName } from './safe-hash.ts';
import { listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import {
  annotationsOf,
  labelsOf,
  metaOf,
  nameOf,
  namespaceOf,
  stringMap,
  type KubeObject,
} from '#kube/object.ts';

/** The number at the end of a pod's name; undefined when the pod is none of the set's. */
export function ordinalOf(set: KubeObject, pod: KubeObject): number | undefined {
  const name = nameOf(pod);
  const [, digits] = /-(0|[1-9]\d{0,9})$/.exec(name) ?? [];
  const ordinal = Number(digits);
  return digits !== undefined && podNameOf(set, ordinal) === name ? ordinal : undefined;
}

/** It is a label and a host name as well: a set with a long name has a hash in the names of its pods. */
export const podNameOf = (set: KubeObject, ordinal: number): string =>
  `${fitted(nameOf(set), longestLabel - 1 - String(ordinal).length)}-${ordinal}`;

/** A host name has no dots. */
const hostNameOf = (podName: string): string =>
  podName.includes('.') ? fitted(`${podName.replaceAll('.', '-')}-${safeName(fnv32(podName))}`) : podName;

export const claimTemplates = (set: KubeObject): readonly Json[] =>
  listAt(set, 'spec', 'volumeClaimTemplates');

export const claimNameOf = (set: KubeObject, template: Json, ordinal: number): string =>
  fitted(`${textAt(template, 'metadata', 'name') ?? ''}-${podNameOf(set, ordinal)}`, 253);

/** A pod in the place of an ordinal: with its name, its place in the network and its storage. */
export function placed(set: KubeObject, pod: KubeObject, ordinal: number): KubeObject {
  const { generateName: _chosen, ...metadata } = metaOf(pod);
  const name = podNameOf(set, ordinal);
  const spec = objectAt(pod, 'spec') ?? {};
  return {
    ...pod,
    metadata: { ...metadata, name },
    spec: { ...spec, hostname: hostNameOf(name), ...subdomain(set), ...volumes(set, spec, ordinal) },
  };
}

const subdomain = (set: KubeObject): JsonObject => {
  const service = textAt(set, 'spec', 'serviceName') ?? '';
  return service === '' ? {} : { subdomain: service };
};

/** Claims of the templates take the place of volumes of the same name. */
function volumes(set: KubeObject, spec: JsonObject, ordinal: number): JsonObject {
  const templates = claimTemplates(set);
  if (templates.length === 0) return {};
  const names = new Set(templates.map((template) => textAt(template, 'metadata', 'name')));
  const claimed = templates.map((template) => ({
    name: textAt(template, 'metadata', 'name') ?? '',
    persistentVolumeClaim: { claimName: claimNameOf(set, template, ordinal) },
  }));
  const others = listAt(spec, 'volumes').filter((volume) => !names.has(textAt(volume, 'name')));
  return { volumes: [...claimed, ...others] };
}

/** The claims that a pod of this ordinal needs. */
export function claimsFor(set: KubeObject, ordinal: number): readonly KubeObject[] {
  const selected = stringMap(objectAt(set, 'spec', 'selector', 'matchLabels'));
  return claimTemplates(set).map((template) => {
    const given = objectAt(template) ?? {};
    const annotations = annotationsOf(given);
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        name: claimNameOf(set, template, ordinal),
        namespace: namespaceOf(set),
        labels: { ...labelsOf(given), ...selected },
        ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      },
      spec: objectAt(template, 'spec') ?? {},
    };
  });
}

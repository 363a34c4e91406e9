import { listAt, numberAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { podFromTemplate } from '#builtin/pods/pod-from-template.ts';
import { annotationsOf, labelsOf, nameOf, namespaceOf, stringMap, type KubeObject } from '#kube/object.ts';
import { setClaimOwners } from './claim-owners.ts';

const podNameLabel = 'statefulset.kubernetes.io/pod-name';
const podIndexLabel = 'apps.kubernetes.io/pod-index';
export const revisionLabel = 'controller-revision-hash';

/** A revision of the set: its name, and the template it keeps. */
export type Revision = { readonly name: string; readonly template: JsonObject };

/** The number at the end of a pod's name; undefined when the pod is none of the set's. */
export function ordinalOf(set: KubeObject, pod: KubeObject): number | undefined {
  const name = nameOf(pod);
  const parent = `${nameOf(set)}-`;
  const digits = name.slice(parent.length);
  return name.startsWith(parent) && /^\d{1,10}$/.test(digits) ? Number(digits) : undefined;
}

export const firstOrdinal = (set: KubeObject): number => numberAt(set, 'spec', 'ordinals', 'start') ?? 0;
const podNameOf = (set: KubeObject, ordinal: number): string => `${nameOf(set)}-${ordinal}`;
export const claimTemplates = (set: KubeObject): readonly Json[] =>
  listAt(set, 'spec', 'volumeClaimTemplates');

export const claimNameOf = (set: KubeObject, template: Json, ordinal: number): string =>
  `${textAt(template, 'metadata', 'name') ?? ''}-${podNameOf(set, ordinal)}`;

export function statefulPod(set: KubeObject, revision: Revision, ordinal: number): KubeObject {
  const pod = podFromTemplate(set, revision.template);
  const { generateName: _chosen, ...metadata } = objectAt(pod, 'metadata') ?? {};
  const name = podNameOf(set, ordinal);
  const spec = objectAt(pod, 'spec') ?? {};
  return {
    ...pod,
    metadata: {
      ...metadata,
      name,
      labels: { ...labelsOf(pod), ...identityLabels(set, ordinal), [revisionLabel]: revision.name },
    },
    spec: {
      ...spec,
      hostname: name,
      ...subdomain(set),
      ...volumes(set, spec, ordinal),
    },
  };
}

const identityLabels = (set: KubeObject, ordinal: number): Record<string, string> => ({
  [podNameLabel]: podNameOf(set, ordinal),
  [podIndexLabel]: String(ordinal),
});

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

/** The claims a pod of this ordinal needs. */
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
        ...setClaimOwners(set),
      },
      spec: objectAt(template, 'spec') ?? {},
    };
  });
}

/** The pod with the labels of its identity; undefined when it has them. */
export function relabelled(set: KubeObject, pod: KubeObject, ordinal: number): KubeObject | undefined {
  const labels = labelsOf(pod);
  const wanted = identityLabels(set, ordinal);
  if (Object.entries(wanted).every(([key, value]) => labels[key] === value)) return undefined;
  return { ...pod, metadata: { ...objectAt(pod, 'metadata'), labels: { ...labels, ...wanted } } };
}

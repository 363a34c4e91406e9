import { equalJson, isObject, listAt, textAt, type JsonObject } from '#base/json.ts';
import { forbidden, type FieldError } from '#kube/field-error.ts';
import type { KubeObject } from '#kube/object.ts';
import { describeChanges } from './changed-fields.ts';
import { editField, keeping, specOf, textOf, withField } from '#base/json-edit.ts';
import { textField } from './field-values.ts';
import { kindRules, type KindRules } from './kind-rules.ts';
import { checkNewPod, checkPod } from './pod-checks.ts';
import { defaultPod } from './pod-defaults.ts';
import { checkPodStatusUpdate, initialPodStatus, keepForPodStatus, mirrorPodIp } from './pod-status.ts';
import { checkPodUpdate } from './pod-update.ts';

const defaults = (pod: KubeObject): KubeObject => editField(defaultPod(pod), 'status', mirrorPodIp);

export const podRules: KindRules = kindRules({
  defaults,
  prepareCreate: (pod) => ({ ...pod, status: initialPodStatus(pod) }),
  prepareUpdate: (pod, old) => keeping(pod, old, ['status']),
  prepareStatusUpdate: keepForPodStatus,
  validateCreate: checkNewPod,
  validateUpdate: (pod, old) =>
    pod['spec'] === old['spec'] ? [] : [...checkPod(pod), ...checkPodUpdate(pod, old)],
  validateStatusUpdate: checkPodStatusUpdate,
  hasStatus: true,
  metaOnUpdate: 'create-and-update',
  selectableFields: {
    'spec.nodeName': textField('spec', 'nodeName'),
    'spec.restartPolicy': textField('spec', 'restartPolicy'),
    'spec.schedulerName': textField('spec', 'schedulerName'),
    'spec.serviceAccountName': textField('spec', 'serviceAccountName'),
    'spec.hostNetwork': (pod) => String(specOf(pod)['hostNetwork'] === true),
    'status.phase': textField('status', 'phase'),
    'status.podIP': textField('status', 'podIP'),
    'status.podIPs': (pod) => textAt(listAt(pod, 'status', 'podIPs')[0], 'ip') ?? '',
    'status.nominatedNodeName': textField('status', 'nominatedNodeName'),
  },
});

/** The rules of pods/ephemeralcontainers: an update that sees only that list. */
export const ephemeralContainerRules: KindRules = {
  ...podRules,
  prepareUpdate: (pod, old) => {
    const ephemeral = specOf(pod)['ephemeralContainers'];
    const metadata = pod['metadata'];
    return withField(
      { ...old, spec: withField(specOf(old), 'ephemeralContainers', ephemeral) },
      'metadata',
      metadata,
    );
  },
  validateUpdate: (pod, old) => [...checkPod(pod), ...checkEphemeralUpdate(pod, old)],
};

function checkEphemeralUpdate(pod: JsonObject, old: JsonObject): readonly FieldError[] {
  const now = new Map(
    listAt(specOf(pod), 'ephemeralContainers').map((each) => [textAt(each, 'name') ?? '', each]),
  );
  const errors: FieldError[] = [];
  for (const before of listAt(specOf(old), 'ephemeralContainers')) {
    const name = isObject(before) ? textOf(before['name']) : '';
    const after = now.get(name);
    if (equalJson(before, after)) continue;
    const detail = after === undefined ? 'removed\n' : `changed\n${describeChanges(before, after)}`;
    errors.push(
      forbidden('spec.ephemeralContainers', `existing ephemeral containers "${name}" may not be ${detail}`),
    );
  }
  return errors;
}

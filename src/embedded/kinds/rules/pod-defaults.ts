import type { JsonObject } from '#base/json.ts';
import { defaultContainer, exposeHostPorts, requestLimits } from './container-defaults.ts';
import { editItems, editMember, withMissing } from '#base/json-edit.ts';
import { defaultVolume } from './volume-defaults.ts';

const podSpecDefaults: JsonObject = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};
const podOnlyDefaults: JsonObject = { enableServiceLinks: true };
const templateMetadata: JsonObject = { creationTimestamp: null };

/** A pod's spec, in a pod or in a template. */
function defaultPodSpec(spec: JsonObject): JsonObject {
  let result = withMissing(spec, podSpecDefaults);
  result = editItems(result, 'containers', defaultContainer);
  if (result['initContainers'] !== undefined) result = editItems(result, 'initContainers', defaultContainer);
  if (result['ephemeralContainers'] !== undefined)
    result = editItems(result, 'ephemeralContainers', defaultContainer);
  if (result['volumes'] !== undefined) result = editItems(result, 'volumes', defaultVolume);
  return mirrorServiceAccount(result);
}

/** The old name of the field follows the new one. */
function mirrorServiceAccount(spec: JsonObject): JsonObject {
  const name = spec['serviceAccountName'] ?? spec['serviceAccount'];
  if (name === undefined || (spec['serviceAccountName'] === name && spec['serviceAccount'] === name))
    return spec;
  return { ...spec, serviceAccountName: name, serviceAccount: name };
}

/** A pod template, whose metadata always shows its unset time. */
export function defaultTemplate(template: JsonObject): JsonObject {
  const meta = editMember(template, 'metadata', (metadata) => withMissing(metadata, templateMetadata));
  return editMember(meta, 'spec', defaultPodSpec);
}

export const defaultPod = (pod: JsonObject): JsonObject => editMember(pod, 'spec', defaultOwnSpec);

function defaultOwnSpec(given: JsonObject): JsonObject {
  let spec = defaultPodSpec(withMissing(given, podOnlyDefaults));
  spec = editItems(spec, 'containers', requestLimits);
  spec = editItems(spec, 'initContainers', requestLimits);
  if (spec['hostNetwork'] !== true) return spec;
  return editItems(editItems(spec, 'containers', exposeHostPorts), 'initContainers', exposeHostPorts);
}

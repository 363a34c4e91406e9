import { isArray, isObject, listAt, type JsonObject } from '#base/json.ts';
import { forbidden, invalid, type FieldError } from '#kube/field-error.ts';
import { checkIp, checkLabel, checkQualifiedName, checkSubdomain } from '#kube/names.ts';
import {
  checkItems,
  checkRows,
  complain,
  inRange,
  named,
  neededWord,
  optionalWord,
  type ItemCheck,
  type FieldRow,
} from './checks.ts';
import { checkContainers, checkEphemeralContainers, checkInitContainers } from './container-checks.ts';
import { specOf, textOf } from '#base/json-edit.ts';
import { checkLabels } from '#kube/metadata/metadata.ts';
import { checkAffinity, checkGates, checkSpread, checkToleration } from './scheduling-checks.ts';
import { checkVolumes } from './volume-checks.ts';

const policyRows: readonly FieldRow[] = [
  ['restartPolicy', neededWord('Always', 'OnFailure', 'Never')],
  ['dnsPolicy', neededWord('ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None')],
  ['nodeSelector', checkLabels],
];
const lastRows: readonly FieldRow[] = [
  ['serviceAccountName', named(checkSubdomain)],
  ['nodeName', named(checkSubdomain)],
  ['activeDeadlineSeconds', inRange(1, 2_147_483_647)],
  ['hostname', named(checkLabel)],
  ['subdomain', named(checkLabel)],
  ['tolerations', (value, field, errors) => checkItems(value, field, checkToleration, errors)],
  ['hostAliases', (value, field, errors) => checkItems(value, field, checkHostAlias, errors)],
  ['priorityClassName', named(checkSubdomain)],
  ['runtimeClassName', named(checkSubdomain)],
  ['preemptionPolicy', optionalWord('Never', 'PreemptLowerPriority')],
];

/** The spec of a pod or of a template, in the server's order. */
export function checkPodSpec(spec: JsonObject, path: string, errors: FieldError[]): void {
  const volumes = checkVolumes(spec['volumes'], `${path}.volumes`, errors);
  const names = checkContainers(spec['containers'], `${path}.containers`, volumes, errors);
  const initPath = `${path}.initContainers`;
  checkInitContainers(spec['initContainers'], names, { path: initPath, volumes }, errors);
  const ephemeralPath = `${path}.ephemeralContainers`;
  checkEphemeralContainers(spec['ephemeralContainers'], names, { path: ephemeralPath, volumes }, errors);
  checkRows(spec, path, policyRows, errors);
  checkHostNetwork(spec, path, errors);
  if (isObject(spec['affinity'])) checkAffinity(spec['affinity'], `${path}.affinity`, errors);
  checkItems(spec['readinessGates'], `${path}.readinessGates`, checkReadinessGate, errors);
  checkGates(spec['schedulingGates'], `${path}.schedulingGates`, errors);
  checkItems(spec['topologySpreadConstraints'], `${path}.topologySpreadConstraints`, checkSpread, errors);
  checkRows(spec, path, lastRows, errors);
}

function checkHostNetwork(spec: JsonObject, path: string, errors: FieldError[]): void {
  if (spec['hostNetwork'] !== true || !isArray(spec['containers'])) return;
  const check: ItemCheck = (container, at) => {
    checkItems(container['ports'], `${at}.ports`, checkSamePort, errors);
  };
  checkItems(spec['containers'], `${path}.containers`, check, errors);
}

const checkSamePort: ItemCheck = (port, path, errors) => {
  if ((port['hostPort'] ?? 0) === (port['containerPort'] ?? 0)) return;
  const text = 'must match `hostPort` when `hostNetwork` is true';
  errors.push(invalid(`${path}.containerPort`, port['containerPort'], text));
};

const checkReadinessGate: ItemCheck = (gate, path, errors) => {
  const type = textOf(gate['conditionType']);
  complain(type, `${path}.conditionType`, checkQualifiedName(type), errors);
};

const checkHostAlias: ItemCheck = (alias, path, errors) => {
  const ip = textOf(alias['ip']);
  complain(ip, `${path}.ip`, checkIp(ip), errors);
  listAt(alias, 'hostnames').forEach((name) => {
    complain(textOf(name), `${path}.hostnames`, checkSubdomain(textOf(name)), errors);
  });
};

/** A pod of one's own, unlike a template, must name its images exactly. */
export function checkPod(pod: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const spec = specOf(pod);
  checkPodSpec(spec, 'spec', errors);
  for (const key of ['containers', 'initContainers'])
    checkItems(spec[key], `spec.${key}`, checkImage, errors);
  return errors;
}

const checkImage: ItemCheck = (container, path, errors) => {
  const image = textOf(container['image']);
  if (image !== image.trim()) {
    errors.push(invalid(`${path}.image`, image, 'must not have leading or trailing whitespace'));
  }
};

/** What only the creation of a pod checks. */
export function checkNewPod(pod: JsonObject): FieldError[] {
  const errors = checkPod(pod);
  const spec = specOf(pod);
  if (listAt(spec, 'ephemeralContainers').length > 0) {
    errors.push(forbidden('spec.ephemeralContainers', 'cannot be set on create'));
  }
  if (textOf(spec['nodeName']) !== '' && listAt(spec, 'schedulingGates').length > 0) {
    errors.push(forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  }
  return errors;
}

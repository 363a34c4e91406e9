import { isArray, isObject, listAt, type Json, type JsonObject } from '#base/json.ts';
import {
  duplicate,
  forbidden,
  invalid,
  notFoundValue,
  required,
  type FieldError,
} from '#kube/field-error.ts';
import { checkLabel, checkPortName } from '#kube/names.ts';
import {
  checkItems,
  checkRows,
  complain,
  inRange,
  needed,
  neededName,
  neededWord,
  optionalWord,
  type FieldRow,
} from './checks.ts';
import { textOf } from '#base/json-edit.ts';
import { checkEnvironment } from './env-checks.ts';
import { checkLifecycle, checkProbes } from './probe-checks.ts';
import { checkResources } from './resource-checks.ts';
import { descendingPath } from './volume-checks.ts';

type Volumes = ReadonlySet<string>;

const beforePorts: readonly FieldRow[] = [
  ['name', neededName(checkLabel)],
  ['image', needed],
  ['terminationMessagePolicy', neededWord('FallbackToLogsOnError', 'File')],
];
const pullPolicy = neededWord('Always', 'IfNotPresent', 'Never');

/** The containers of a pod: at least one, with names of their own and host ports of their own. */
export function checkContainers(
  list: Json | undefined,
  path: string,
  volumes: Volumes,
  errors: FieldError[],
): Set<string> {
  const names = new Set<string>();
  if (!isArray(list) || list.length === 0) {
    errors.push(required(path));
    return names;
  }
  const check = (container: JsonObject, at: string): void => {
    checkCommon(container, at, volumes, errors);
    takeName(container, at, names, errors);
    checkLifecycle(container, at, errors);
    checkProbes(container, at, errors);
    if (container['restartPolicy'] !== undefined) {
      errors.push(forbidden(`${at}.restartPolicy`, 'may not be set for non-init containers'));
    }
  };
  checkItems(list, path, check, errors);
  checkHostPorts(list, path, 0, errors);
  return names;
}

const notInInit = 'may not be set for init containers without restartPolicy=Always';
const onlySidecars = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'];

/** Init containers: like the others, but only sidecars may have probes and hooks. `names` are those taken. */
export function checkInitContainers(
  list: Json | undefined,
  names: Set<string>,
  { path, volumes }: { readonly path: string; readonly volumes: Volumes },
  errors: FieldError[],
): void {
  if (!isArray(list)) return;
  list.forEach((container, i) => {
    if (!isObject(container)) return;
    const at = `${path}[${i}]`;
    checkCommon(container, at, volumes, errors);
    optionalWord('Always')(container['restartPolicy'], `${at}.restartPolicy`, errors);
    takeName(container, at, names, errors);
    checkHostPorts([container], path, i, errors);
    if (container['restartPolicy'] === 'Always') {
      checkLifecycle(container, at, errors);
      checkProbes(container, at, errors);
      return;
    }
    for (const key of onlySidecars) {
      if (container[key] !== undefined) errors.push(forbidden(`${at}.${key}`, notInInit));
    }
  });
}

const notInEphemeral = [
  'ports',
  'lifecycle',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'resizePolicy',
];

/** Ephemeral containers: what only long-lived containers can promise is forbidden. */
export function checkEphemeralContainers(
  list: Json | undefined,
  names: Set<string>,
  { path, volumes }: { readonly path: string; readonly volumes: Volumes },
  errors: FieldError[],
): void {
  const targets = new Set(names);
  const check = (container: JsonObject, at: string): void => {
    checkCommon(container, at, volumes, errors);
    takeName(container, at, names, errors);
    const target = textOf(container['targetContainerName']);
    if (target !== '' && !targets.has(target))
      errors.push(notFoundValue(`${at}.targetContainerName`, target));
    const resources = container['resources'];
    const bad = notInEphemeral.filter((key) => container[key] !== undefined);
    if (isObject(resources) && Object.keys(resources).length > 0) bad.push('resources');
    for (const key of bad) errors.push(forbidden(`${at}.${key}`, 'cannot be set for an Ephemeral Container'));
  };
  checkItems(list, path, check, errors);
}

function takeName(container: JsonObject, path: string, names: Set<string>, errors: FieldError[]): void {
  const name = textOf(container['name']);
  if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
  else if (name !== '') names.add(name);
}

function checkCommon(container: JsonObject, path: string, volumes: Volumes, errors: FieldError[]): void {
  checkRows(container, path, beforePorts, errors);
  if (container['ports'] !== undefined) checkPorts(container['ports'], `${path}.ports`, errors);
  checkEnvironment(container, path, errors);
  if (container['volumeMounts'] !== undefined) {
    checkMounts(container['volumeMounts'], `${path}.volumeMounts`, volumes, errors);
  }
  pullPolicy(container['imagePullPolicy'], `${path}.imagePullPolicy`, errors);
  checkResources(container, path, errors);
}

const port = inRange(1, 65_535);
const protocol = neededWord('SCTP', 'TCP', 'UDP');

function checkPorts(list: Json | undefined, path: string, errors: FieldError[]): void {
  const names = new Set<string>();
  const check = (item: JsonObject, at: string): void => {
    const name = textOf(item['name']);
    const complaints = name === '' ? [] : checkPortName(name);
    complain(name, `${at}.name`, complaints, errors);
    if (name !== '' && complaints.length === 0) {
      if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
      names.add(name);
    }
    if (Number(item['containerPort'] ?? 0) === 0) errors.push(required(`${at}.containerPort`));
    else port(item['containerPort'], `${at}.containerPort`, errors);
    if (Number(item['hostPort'] ?? 0) !== 0) port(item['hostPort'], `${at}.hostPort`, errors);
    protocol(item['protocol'], `${at}.protocol`, errors);
  };
  checkItems(list, path, check, errors);
}

/** No two ports of a pod may use the same host port. `first` is the index of the first container. */
function checkHostPorts(
  containers: readonly Json[],
  path: string,
  first: number,
  errors: FieldError[],
): void {
  let taken: Set<string> | undefined;
  containers.forEach((container, i) => {
    listAt(container, 'ports').forEach((item, j) => {
      if (!isObject(item) || Number(item['hostPort'] ?? 0) === 0) return;
      const text = `${textOf(item['protocol'])}/${textOf(item['hostIP'])}/${Number(item['hostPort'])}`;
      taken ??= new Set();
      if (taken.has(text)) errors.push(duplicate(`${path}[${first + i}].ports[${j}].hostPort`, text));
      taken.add(text);
    });
  });
}

function checkMounts(list: Json | undefined, path: string, volumes: Volumes, errors: FieldError[]): void {
  const paths = new Set<string>();
  const check = (mount: JsonObject, at: string): void => {
    const name = textOf(mount['name']);
    if (name === '') errors.push(required(`${at}.name`));
    if (!volumes.has(name)) errors.push(notFoundValue(`${at}.name`, name));
    const mountPath = textOf(mount['mountPath']);
    if (mountPath === '') errors.push(required(`${at}.mountPath`));
    if (paths.has(mountPath)) errors.push(invalid(`${at}.mountPath`, mountPath, 'must be unique'));
    paths.add(mountPath);
    if (mount['subPath'] !== undefined) descendingPath(mount['subPath'], `${at}.subPath`, errors);
  };
  checkItems(list, path, check, errors);
}

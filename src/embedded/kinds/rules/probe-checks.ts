import { isNumber, isObject, type JsonObject } from '#base/json.ts';
import { forbidden, invalid, required, type FieldError } from '#kube/field-error.ts';
import {
  checkItems,
  checkRows,
  needed,
  neededWord,
  notNegative,
  portNumber,
  portOrName,
  type FieldRow,
} from './checks.ts';

const probeRows: readonly FieldRow[] = [
  ['initialDelaySeconds', notNegative],
  ['timeoutSeconds', notNegative],
  ['periodSeconds', notNegative],
  ['successThreshold', notNegative],
  ['failureThreshold', notNegative],
];

type Kind = 'livenessProbe' | 'readinessProbe' | 'startupProbe';

export function checkProbes(container: JsonObject, path: string, errors: FieldError[]): void {
  for (const kind of ['livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    const probe = container[kind];
    if (isObject(probe)) checkProbe(probe, `${path}.${kind}`, kind, errors);
  }
}

function checkProbe(probe: JsonObject, path: string, kind: Kind, errors: FieldError[]): void {
  checkHandler(probe, path, probeHandlers, errors);
  checkRows(probe, path, probeRows, errors);
  const grace = probe['terminationGracePeriodSeconds'];
  if (isNumber(grace)) {
    const field = `${path}.terminationGracePeriodSeconds`;
    if (grace <= 0) errors.push(invalid(field, grace, 'must be greater than 0'));
    if (kind === 'readinessProbe') errors.push(invalid(field, grace, 'must not be set for readinessProbes'));
  }
  const threshold = probe['successThreshold'];
  if (kind !== 'readinessProbe' && typeof threshold === 'number' && threshold !== 1) {
    errors.push(invalid(`${path}.successThreshold`, threshold, 'must be 1'));
  }
}

export function checkLifecycle(container: JsonObject, path: string, errors: FieldError[]): void {
  const lifecycle = container['lifecycle'];
  if (!isObject(lifecycle)) return;
  for (const kind of ['postStart', 'preStop']) {
    const handler = lifecycle[kind];
    if (isObject(handler)) checkHandler(handler, `${path}.lifecycle.${kind}`, lifecycleHandlers, errors);
  }
}

const probeHandlers = ['exec', 'httpGet', 'tcpSocket', 'grpc'];
const lifecycleHandlers = ['exec', 'httpGet', 'tcpSocket', 'sleep'];

const handlerRows: Readonly<Record<string, readonly FieldRow[]>> = {
  exec: [['command', needed]],
  httpGet: [
    ['path', needed],
    ['port', portOrName],
    ['scheme', neededWord('HTTP', 'HTTPS')],
  ],
  tcpSocket: [['port', portOrName]],
  grpc: [['port', portNumber]],
  sleep: [],
};

/** Exactly one handler, and that one complete. */
function checkHandler(
  holder: JsonObject,
  path: string,
  kinds: readonly string[],
  errors: FieldError[],
): void {
  let found = 0;
  for (const kind of kinds) {
    const handler = holder[kind];
    if (!isObject(handler)) continue;
    const field = `${path}.${kind}`;
    found += 1;
    if (found > 1) {
      errors.push(forbidden(field, 'may not specify more than 1 handler type'));
      continue;
    }
    checkRows(handler, field, handlerRows[kind] ?? [], errors);
    if (kind === 'httpGet') checkItems(handler['httpHeaders'], `${field}.httpHeaders`, checkHeader, errors);
  }
  if (found === 0) errors.push(required(path, 'must specify a handler type'));
}

function checkHeader(header: JsonObject, path: string, errors: FieldError[]): void {
  const name = typeof header['name'] === 'string' ? header['name'] : '';
  if (/^[-A-Za-z0-9]+$/.test(name)) return;
  const text =
    "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";
  errors.push(invalid(`${path}.name`, name, text));
}

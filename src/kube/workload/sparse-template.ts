import { isArray, isNumber, isObject, type Json, type JsonObject } from '#base/json.ts';
import { formatQuantity, parseQuantity } from '#base/quantity.ts';

/** Maps of a pod template: their keys are those of users, and an empty value is a value. */
export const userMaps: ReadonlySet<string> = new Set(
  'annotations labels matchLabels nodeSelector options volumeAttributes'.split(' '),
);
const quantityMaps: ReadonlySet<string> = new Set(['limits', 'overhead', 'requests']);
const quantityFields: ReadonlySet<string> = new Set(['divisor', 'sizeLimit']);

/** Structs that Go writes although nothing is in them. */
export const emptyStructs: ReadonlySet<string> = new Set(['metadata', 'resources']);

/** Fields whose zero is the same as no field, and which people write with a zero. */
export const idleZeros: ReadonlySet<string> = new Set(
  (
    'hostIPC hostNetwork hostPID stdin stdinOnce tty readOnly hostPort ' +
    'initialDelaySeconds periodSeconds timeoutSeconds successThreshold failureThreshold ' +
    'value workingDir subPath subPathExpr medium nodeName hostname subdomain schedulerName serviceAccount ' +
    'serviceAccountName priorityClassName imagePullPolicy terminationMessagePath terminationMessagePolicy ' +
    'dnsPolicy protocol scheme host hostIP'
  ).split(' '),
);

/**
 * A pod template without members that mean the same as no member, and with quantities in their canonical spelling. Programs
 * in Go leave such members out, or add them: `creationTimestamp: null`, `resources: {}`, `divisor: "0"`. Templates with the
 * same sparse form make the same pods. What is not known to mean nothing stays.
 */
export const sparseTemplate = (template: JsonObject): JsonObject => sparseObject(template);

const sparseObject = (object: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      const sparse = sparseValue(name, value);
      return isIdle(name, sparse) ? [] : [[name, sparse]];
    }),
  );

function sparseValue(name: string, value: Json): Json {
  if (isArray(value)) return value.map((item) => (isObject(item) ? sparseObject(item) : item));
  if (quantityFields.has(name)) return canonicalQuantity(value);
  if (!isObject(value) || userMaps.has(name)) return value;
  if (!quantityMaps.has(name)) return sparseObject(value);
  return Object.fromEntries(Object.entries(value).map(([key, amount]) => [key, canonicalQuantity(amount)]));
}

function isIdle(name: string, value: Json): boolean {
  if (value === null) return true;
  if (isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0 && isDroppedEmpty(name);
  if (name === 'divisor') return value === '0';
  return idleZeros.has(name) && (value === '' || value === 0 || value === false);
}

const isDroppedEmpty = (name: string): boolean =>
  emptyStructs.has(name) || userMaps.has(name) || quantityMaps.has(name);

function canonicalQuantity(value: Json): Json {
  const quantity = parseQuantity(isNumber(value) || typeof value === 'string' ? String(value) : '');
  return quantity === undefined ? value : formatQuantity(quantity);
}

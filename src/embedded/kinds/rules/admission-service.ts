import { isObject, listAt, type Json, type JsonObject, type MutableJsonObject } from '#base/json.ts';
import type { Random } from '#base/random.ts';
import { invalid, type FieldError } from '#kube/field-error.ts';
import { specOf, textOf } from '#base/json-edit.ts';
import { goStrings, invalidAs } from '#kube/metadata/go-values.ts';
import { addressesOf, inRange, pickAddress, type AddressRange } from './ip-range.ts';
import { isHeadless } from './service-checks.ts';
import { needsAddress, needsNodePort } from './service-update.ts';

/** What a service's addresses and ports are taken from. */
export type ServicePool = {
  readonly random: Random;
  /** The service range, such as `10.0.0.0/16`. */
  readonly range: string;
  readonly isAddressTaken: (address: string) => boolean;
  readonly isPortTaken: (port: number) => boolean;
  /** Dry runs promise nothing: any node port will do, and those they give away are above the range. */
  readonly dryRun?: boolean;
};

export type Allocation =
  | { readonly type: 'allocated'; readonly object: JsonObject }
  | { readonly type: 'refused'; readonly errors: readonly FieldError[] };

const [lowestPort, highestPort] = [30_000, 32_767];
const firstPretended = 32_768;

/**
 * Gives a valid service what it needs and did not bring: cluster IP, families, node ports. What `old`
 * already has may be requested again.
 */
export function allocateService(service: JsonObject, pool: ServicePool, old?: JsonObject): Allocation {
  const given = specOf(service);
  if (!needsAddress(given)) return { type: 'allocated', object: service };
  const before = old === undefined ? {} : specOf(old);
  const errors: FieldError[] = [];
  const spec: MutableJsonObject = { ...given };
  allocateAddress(spec, before, pool, errors);
  if (needsNodePort(given)) allocatePorts(spec, before, pool, errors);
  if (errors.length > 0) return { type: 'refused', errors };
  return { type: 'allocated', object: { ...service, spec } };
}

function allocateAddress(
  spec: MutableJsonObject,
  before: JsonObject,
  pool: ServicePool,
  errors: FieldError[],
): void {
  setFamilies(spec);
  const address = textOf(spec['clusterIP']);
  if (address === 'None' || (address !== '' && address === textOf(before['clusterIP']))) return;
  const range = addressesOf(pool.range);
  if (address !== '') {
    checkAsked(address, range, pool, errors);
    return;
  }
  const found = pickAddress(range, pool.random, pool.isAddressTaken);
  if (found === undefined) {
    errors.push(
      invalidAs('spec.clusterIPs', '[]string(nil)', 'failed to allocate a serviceIP: range is full'),
    );
    return;
  }
  spec['clusterIP'] = found;
  spec['clusterIPs'] = [found];
}

function checkAsked(address: string, range: AddressRange, pool: ServicePool, errors: FieldError[]): void {
  const refuse = (why: string): void => {
    const text = `failed to allocate IP ${address}: ${why}`;
    errors.push(invalidAs('spec.clusterIPs', goStrings([address]), text));
  };
  if (!inRange(range, address)) {
    refuse(`the provided IP (${address}) is not in the valid range. The range of valid IPs is ${pool.range}`);
  } else if (pool.isAddressTaken(address)) {
    refuse('provided IP is already allocated');
  }
}

/** One family, except for a headless service without selector, whose endpoints may be of both. */
function setFamilies(spec: MutableJsonObject): void {
  const selector = spec['selector'];
  const both = isHeadless(spec) && (!isObject(selector) || Object.keys(selector).length === 0);
  spec['ipFamilyPolicy'] ??= both ? 'RequireDualStack' : 'SingleStack';
  spec['ipFamilies'] ??= both ? ['IPv4', 'IPv6'] : ['IPv4'];
}

function allocatePorts(
  spec: MutableJsonObject,
  before: JsonObject,
  pool: ServicePool,
  errors: FieldError[],
): void {
  const own = new Set(
    listAt(before, 'ports').map((port) => (isObject(port) ? Number(port['nodePort'] ?? 0) : 0)),
  );
  const taken = new Set<number>();
  const isFree = (port: number): boolean => !taken.has(port) && !pool.isPortTaken(port);
  spec['ports'] = listAt(spec, 'ports').map((port, i): Json => {
    if (!isObject(port)) return port;
    const asked = Number(port['nodePort'] ?? 0);
    if (asked !== 0) {
      if (!own.has(asked)) checkPort(asked, `spec.ports[${i}].nodePort`, pool, errors);
      taken.add(asked);
      return port;
    }
    const found =
      pool.dryRun === true ? Math.max(firstPretended, ...taken) + 1 : pickPort(pool.random, isFree);
    if (found === undefined) {
      errors.push(invalid(`spec.ports[${i}].nodePort`, 0, 'failed to allocate a nodePort: range is full'));
      return port;
    }
    taken.add(found);
    return { ...port, nodePort: found };
  });
}

function checkPort(port: number, field: string, pool: ServicePool, errors: FieldError[]): void {
  if (pool.dryRun === true) return;
  if (port < lowestPort || port > highestPort) {
    const text = `provided port is not in the valid range. The range of valid ports is ${lowestPort}-${highestPort}`;
    errors.push(invalid(field, port, text));
  } else if (pool.isPortTaken(port)) {
    errors.push(invalid(field, port, 'provided port is already allocated'));
  }
}

function pickPort(random: Random, isFree: (port: number) => boolean): number | undefined {
  const count = highestPort - lowestPort + 1;
  const start = Math.floor(random.next() * count);
  for (let i = 0; i < count; i++) {
    const port = lowestPort + ((start + i) % count);
    if (isFree(port)) return port;
  }
  return undefined;
}

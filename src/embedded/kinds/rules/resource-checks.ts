import { isNumber, isObject, type Json, type JsonObject } from '#base/json.ts';
import { compareQuantity, formatQuantity, parseQuantity, type Quantity } from '#base/quantity.ts';
import { invalid, required, type FieldError } from '#kube/field-error.ts';
import { checkQualifiedName } from '#kube/names.ts';
import { complain, mustBeAtLeastZero } from './checks.ts';

/** A container's requests and limits. */
export function checkResources(container: JsonObject, path: string, errors: FieldError[]): void {
  const resources = container['resources'];
  if (!isObject(resources)) return;
  const { limits, requests } = resources;
  if (isObject(limits)) checkAmounts(limits, `${path}.resources.limits`, errors);
  if (!isObject(requests)) return;
  checkAmounts(requests, `${path}.resources.requests`, errors);
  const limited = isObject(limits) ? limits : {};
  for (const name in requests) {
    checkWithinLimit({ name, request: requests[name], limit: limited[name] }, `${path}.resources`, errors);
  }
}

const standard = new Set(['cpu', 'memory', 'ephemeral-storage']);
const nothing: Quantity = { nano: 0n, format: 'DecimalSI' };

export function quantityOf(value: Json | undefined): Quantity {
  return (typeof value === 'string' || isNumber(value) ? parseQuantity(String(value)) : undefined) ?? nothing;
}

function checkAmounts(amounts: JsonObject, path: string, errors: FieldError[]): void {
  for (const name in amounts) {
    const field = `${path}[${name}]`;
    if (!standard.has(name)) checkResourceName(name, field, errors);
    checkAmount(amounts[name], field, errors);
    if (isExtended(name) && quantityOf(amounts[name]).nano % 1_000_000_000n !== 0n) {
      errors.push(invalid(field, amounts[name], 'must be an integer'));
    }
  }
}

/** An amount that may not be negative. */
export function checkAmount(value: Json | undefined, field: string, errors: FieldError[]): void {
  const amount = quantityOf(value);
  if (amount.nano < 0n) errors.push(invalid(field, formatQuantity(amount), mustBeAtLeastZero));
}

const isHugePage = (name: string): boolean => name.startsWith('hugepages-');
const isExtended = (name: string): boolean => name.includes('/') && !name.includes('kubernetes.io/');
const overcommits = (name: string): boolean => !isExtended(name) && !isHugePage(name);

function checkResourceName(name: string, field: string, errors: FieldError[]): void {
  const complaints = checkQualifiedName(name);
  complain(name, field, complaints, errors);
  if (complaints.length > 0 || name.includes('/') || isHugePage(name)) return;
  errors.push(invalid(field, name, 'must be a standard resource type or fully qualified'));
  errors.push(invalid(field, name, 'must be a standard resource for containers'));
}

type Pair = { readonly name: string; readonly request: Json | undefined; readonly limit: Json | undefined };

function checkWithinLimit({ name, request, limit }: Pair, path: string, errors: FieldError[]): void {
  if (limit === undefined) {
    if (!overcommits(name)) {
      errors.push(required(`${path}.limits`, 'Limit must be set for non overcommitable resources'));
    }
    return;
  }
  if (request === limit) return;
  const [asked, most] = [quantityOf(request), quantityOf(limit)];
  const order = compareQuantity(asked, most);
  const text = overcommits(name) ? (order > 0 ? 'less than or equal to' : '') : order === 0 ? '' : 'equal to';
  if (text === '') return;
  const detail = `must be ${text} ${name} limit of ${formatQuantity(most)}`;
  errors.push(invalid(`${path}.requests`, formatQuantity(asked), detail));
}

import type { JsonObject, MutableJsonObject } from '#base/json.ts';
import { firstErrors, type FieldError } from './field-error.ts';

export type Cause = { readonly reason?: string; readonly message?: string; readonly field?: string };

/** The names an error speaks of. `kind` is the resource's plural, except in Invalid, where it is the Kind. */
export type ErrorDetails = {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly Cause[];
  readonly retryAfterSeconds?: number;
};

/** A refusal that becomes a Status on the wire. Thrown inside the server, caught once at its entry. */
export class ApiError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly details: ErrorDetails | undefined;
  /** Members of the Status' own metadata, such as `continue` in a 410. */
  readonly statusMeta: JsonObject;

  constructor(parts: {
    code: number;
    reason: string;
    message: string;
    details?: ErrorDetails | undefined;
    statusMeta?: JsonObject;
  }) {
    super(parts.message);
    this.name = 'ApiError';
    this.code = parts.code;
    this.reason = parts.reason;
    this.details = parts.details;
    this.statusMeta = parts.statusMeta ?? {};
  }
}

/** The Status object of a refusal. */
export function statusOf(error: ApiError): JsonObject {
  const status: MutableJsonObject = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: error.statusMeta,
    status: 'Failure',
    message: error.message,
  };
  if (error.reason !== '') status['reason'] = error.reason;
  if (error.details !== undefined) status['details'] = detailsJson(error.details);
  status['code'] = error.code;
  return status;
}

function detailsJson(details: ErrorDetails): JsonObject {
  const json: MutableJsonObject = {};
  if (details.name) json['name'] = details.name;
  if (details.group) json['group'] = details.group;
  if (details.kind) json['kind'] = details.kind;
  if (details.uid) json['uid'] = details.uid;
  if (details.causes !== undefined && details.causes.length > 0)
    json['causes'] = details.causes.map((cause) => ({ ...cause }));
  if (details.retryAfterSeconds) json['retryAfterSeconds'] = details.retryAfterSeconds;
  return json;
}

/** What an error says of a resource: `configmaps`, or `deployments.apps` when it has a group. */
export type ResourceName = { readonly group: string; readonly resource: string };
export type KindName = { readonly group: string; readonly kind: string };

const qualified = (name: string, group: string): string => (group === '' ? name : `${name}.${group}`);

export const notFound = ({ group, resource }: ResourceName, name: string): ApiError =>
  new ApiError({
    code: 404,
    reason: 'NotFound',
    message: `${qualified(resource, group)} "${name}" not found`,
    details: { name, group, kind: resource },
  });

export const alreadyExists = ({ group, resource }: ResourceName, name: string): ApiError =>
  new ApiError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${qualified(resource, group)} "${name}" already exists`,
    details: { name, group, kind: resource },
  });

export const conflict = ({ group, resource }: ResourceName, name: string, why: string): ApiError =>
  new ApiError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualified(resource, group)} "${name}": ${why}`,
    details: { name, group, kind: resource },
  });

export const modified = (resource: ResourceName, name: string): ApiError =>
  conflict(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );

export const badRequest = (message: string): ApiError =>
  new ApiError({ code: 400, reason: 'BadRequest', message });

export const forbiddenAccess = ({ group, resource }: ResourceName, name: string, why: string): ApiError =>
  new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: `${qualified(resource, group)} "${name}" is forbidden: ${why}`,
    details: { name, group, kind: resource },
  });

/** 422 with one cause per field error: `Kind "n" is invalid: [a: …, b: …]`; of very many only the first. */
export function invalidObject(
  { group, kind }: KindName,
  name: string,
  errors: readonly FieldError[],
): ApiError {
  const shown = firstErrors(errors);
  // A real server may find one fault twice: its message says it once, its causes list it twice.
  const texts = [...new Set(shown.map((each) => `${each.field}: ${each.message}`))];
  const left = errors.length - shown.length;
  if (left > 0) texts.push(`and ${left} more`);
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return new ApiError({
    code: 422,
    reason: 'Invalid',
    message: `${qualified(kind, group)} "${name}" is invalid: ${list}`,
    details: {
      name,
      group,
      kind,
      causes: shown.map(({ reason, message, field }) => ({ reason, message, field })),
    },
  });
}

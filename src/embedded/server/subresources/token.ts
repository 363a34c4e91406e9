import { isObject, listAt, numberAt, objectAt, without, type JsonObject } from '#base/json.ts';
import { formatTime, later, seconds, type Instant } from '#base/time.ts';
import { invalid, type FieldError } from '#kube/field-error.ts';
import type { ApiResponse } from '#kube/http.ts';
import {
  metaOf,
  nameOf as objectName,
  namespaceOf as objectNamespace,
  type KubeObject,
} from '#kube/object.ts';
import { leaf } from '#embedded/server/managed-fields/field-set.ts';
import { trackUpdate } from '#embedded/server/managed-fields/managed-fields.ts';
import { claimsOf } from '#embedded/server/rbac/account-claims.ts';
import { ApiError, invalidObject } from '#kube/status.ts';
import { builtinType, typeNameOf } from '#schema/types/builtin-types.ts';
import { zeroOfType } from '#schema/types/presence.ts';
import { shapeOfType } from '#schema/types/shape-of-type.ts';
import { json } from '#embedded/server/request/answer.ts';
import { ownAudiences } from '#embedded/server/authorization/authenticate.ts';
import { keyOf, nameOf, namespaceOf, type Call, type ServerContext } from '#embedded/server/request/call.ts';
import { missing } from '#embedded/server/verbs/get.ts';
import { canonical, decodeBody } from '#embedded/server/write/decode.ts';
import { expectedKind } from '#embedded/server/write/expected.ts';
import { bodyType } from '#embedded/server/write/media-type.ts';
import { readBody } from '#embedded/server/write/read-body.ts';
import { writeOptions } from '#embedded/server/write/write-options.ts';
import { boundObjects } from './token-bound.ts';

const kindName = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const usualSeconds = 3600;
const fewestSeconds = 600;
const mostSeconds = 2 ** 32;

/** POST to `serviceaccounts/NAME/token`: a signed token for the account. */
export async function issueToken(context: ServerContext, call: Call): Promise<ApiResponse> {
  const { signer } = context.access;
  if (signer === undefined) throw noSigner();
  const options = writeOptions(call, 'CreateOptions');
  const given = await requestOf(context, call);
  checkPlace(call, given);
  const stored = context.store.table(call.resource.storage).get(keyOf(call));
  if (stored === undefined) throw missing(call);
  const now = context.clock.now();
  const lifetimeSeconds = numberAt(given, 'spec', 'expirationSeconds') ?? usualSeconds;
  const errors = lifetimeErrors(lifetimeSeconds);
  if (errors.length > 0) throw invalidObject(kindName, '', errors);
  const bound = boundObjects(context, call, objectAt(given, 'spec', 'boundObjectRef'));
  const wanted = listAt(given, 'spec', 'audiences').filter((each) => typeof each === 'string');
  const audiences = wanted.length === 0 ? ownAudiences : wanted;
  const id = context.random.uuid();
  const token = signer.sign(claimsOf({ account: stored.object, audiences, bound, now, lifetimeSeconds, id }));
  const tracked = owned(given, options.manager, now);
  return json(201, {
    ...tracked,
    metadata: { ...placeOf(call, now), ...metaOf(tracked), ...placeOf(call, now) },
    spec: { ...objectAt(tracked, 'spec'), audiences },
    status: { token, expirationTimestamp: formatTime(later(now, seconds(lifetimeSeconds))) },
  });
}

const typeName = typeNameOf(kindName.group, 'v1', kindName.kind) ?? '';

/** The request in the server's form; how long a token shall last is known from here on. */
async function requestOf(context: ServerContext, call: Call): Promise<KubeObject> {
  const expected = expectedKind(kindName.group, 'v1', kindName.kind);
  const type = bodyType(call.request.headers['content-type'], false);
  const { object } = decodeBody(context, await readBody(call.request), type, expected);
  const shaped = canonical(expected, without(object, 'status'));
  const spec = objectAt(shaped, 'spec') ?? {};
  const expirationSeconds = numberAt(spec, 'expirationSeconds') ?? usualSeconds;
  return canonical(expected, { ...shaped, spec: { ...spec, expirationSeconds } });
}

const placeOf = (call: Call, now: Instant): JsonObject => ({
  name: nameOf(call),
  namespace: namespaceOf(call),
  creationTimestamp: formatTime(now),
});

function owned(request: KubeObject, manager: string, now: Instant): KubeObject {
  const type = builtinType(typeName);
  const zero = type === undefined ? undefined : zeroOfType(type);
  return trackUpdate({
    shape: shapeOfType(typeName),
    before: undefined,
    after: request,
    manager,
    apiVersion: `${kindName.group}/v1`,
    subresource: 'token',
    now,
    zero: isObject(zero) ? zero : undefined,
    ignore: { 'f:status': leaf },
  });
}

function checkPlace(call: Call, object: KubeObject): void {
  const places = [
    ['metadata.name', objectName(object), nameOf(call), 'name'],
    ['metadata.namespace', objectNamespace(object), namespaceOf(call), 'namespace'],
  ] as const;
  for (const [field, given, wanted, what] of places) {
    if (given === '' || given === wanted) continue;
    const why = `must match the service account ${what} if specified`;
    throw invalidObject(kindName, nameOf(call), [invalid(field, given, why)]);
  }
}

function lifetimeErrors(lifetimeSeconds: number): readonly FieldError[] {
  const field = 'spec.expirationSeconds';
  if (lifetimeSeconds < fewestSeconds)
    return [invalid(field, lifetimeSeconds, 'may not specify a duration less than 10 minutes')];
  if (lifetimeSeconds > mostSeconds)
    return [invalid(field, lifetimeSeconds, 'may not specify a duration larger than 2^32 seconds')];
  return [];
}

const noSigner = (): ApiError =>
  new ApiError({
    code: 501,
    reason: 'NotImplemented',
    message: 'this server was started without a key for service-account tokens',
  });

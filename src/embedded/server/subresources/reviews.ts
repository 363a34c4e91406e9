import { textAt, type JsonObject } from '#base/json.ts';
import { formatTime } from '#base/time.ts';
import type { ApiResponse } from '#kube/http.ts';
import { namespaceOf as objectNamespace, withMeta } from '#kube/object.ts';
import { badRequest, invalidObject } from '#kube/status.ts';
import { json } from '#embedded/server/request/answer.ts';
import { namespaceOf, type Call, type ServerContext } from '#embedded/server/request/call.ts';
import { accepted, onlyMediaTypes } from '#embedded/server/request/negotiate.ts';
import { canonical, decodeBody } from '#embedded/server/write/decode.ts';
import { expectedOf } from '#embedded/server/write/expected.ts';
import { bodyType } from '#embedded/server/write/media-type.ts';
import { owned } from '#embedded/server/write/ownership.ts';
import { readBody } from '#embedded/server/write/read-body.ts';
import { wrongNamespace } from '#embedded/server/write/update-object.ts';
import { writeOptions } from '#embedded/server/write/write-options.ts';
import { accessStatus, isAccessReview, rulesStatus } from './reviews-access.ts';
import { accessReviewErrors } from './reviews-checks.ts';
import { tokenStatus, userInfo } from './reviews-token.ts';

/** POST of an access or authentication review: answered, never stored. */
export async function review(context: ServerContext, call: Call): Promise<ApiResponse> {
  if (!accepted(call.request.headers['accept']).some((format) => format.type === 'json'))
    throw onlyMediaTypes();
  const options = writeOptions(call, 'CreateOptions');
  const { resource, request } = call;
  const expected = expectedOf(resource);
  const type = bodyType(request.headers['content-type'], false);
  const { object } = decodeBody(context, await readBody(request), type, expected);
  const shaped = canonical(expected, placed(call, object));
  const errors = isAccessReview(resource.kind) ? accessReviewErrors(resource.kind, shaped) : [];
  if (errors.length > 0) throw invalidObject({ group: resource.group, kind: '' }, '', errors);
  const tracked = owned(context, { resource, manager: options.manager, subresource: '' }, shaped, undefined);
  return json(201, { ...tracked, ...answerOf(context, call, tracked) });
}

/** A review of a namespace may leave out which one the URL names. */
function placed(call: Call, object: JsonObject): JsonObject {
  if (!call.resource.namespaced) return object;
  const namespace = namespaceOf(call);
  const given = objectNamespace(object);
  if (given !== '' && given !== namespace) throw wrongNamespace();
  return withMeta(object, { namespace });
}

function answerOf(context: ServerContext, { resource, user }: Call, object: JsonObject): JsonObject {
  const { access, clock } = context;
  switch (resource.kind) {
    case 'SelfSubjectReview':
      return {
        metadata: { creationTimestamp: formatTime(clock.now()) },
        status: { userInfo: userInfo(user) },
      };
    case 'SelfSubjectRulesReview': {
      const namespace = textAt(object, 'spec', 'namespace') ?? '';
      if (namespace === '') throw badRequest('no namespace on request');
      return { status: rulesStatus(access.authorizer.rulesFor(user, namespace)) };
    }
    case 'TokenReview':
      return { status: tokenStatus(access, object) };
    default:
      return { spec: object['spec'] ?? {}, status: accessStatus(access.authorizer, user, object) };
  }
}

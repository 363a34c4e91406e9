import { objectAt, type JsonObject } from '#base/json.ts';
import { formatTime } from '#base/time.ts';
import type { FieldError } from '#kube/field-error.ts';
import type { ApiResponse } from '#kube/http.ts';
import { invalidObject } from '#kube/status.ts';
import { json } from '#apiserver/answer.ts';
import type { Call, ServerContext, User } from '#apiserver/call.ts';
import { accepted, onlyMediaTypes } from '#apiserver/negotiate.ts';
import { canonical, decodeBody } from '#apiserver/write/decode.ts';
import { expectedOf } from '#apiserver/write/expected.ts';
import { bodyType } from '#apiserver/write/media-type.ts';
import { owned } from '#apiserver/write/ownership.ts';
import { readBody } from '#apiserver/write/read-body.ts';
import { writeOptions } from '#apiserver/write/write-options.ts';

/** POST of an access or authentication review: answered, never stored. Everything is allowed. */
export async function review(context: ServerContext, call: Call): Promise<ApiResponse> {
  if (!accepted(call.request.headers['accept']).some((format) => format.type === 'json'))
    throw onlyMediaTypes();
  const options = writeOptions(call, 'CreateOptions');
  const { resource, request } = call;
  const expected = expectedOf(resource);
  const type = bodyType(request.headers['content-type'], false);
  const { object } = decodeBody(context, await readBody(request), type, expected);
  const shaped = canonical(expected, object);
  const errors = attributeErrors(resource.kind, shaped);
  if (errors.length > 0) throw invalidObject({ group: resource.group, kind: '' }, '', errors);
  const tracked = owned(context, { resource, manager: options.manager, subresource: '' }, shaped, undefined);
  return json(201, { ...tracked, ...answerOf(context, resource.kind, call.user, tracked) });
}

function attributeErrors(kind: string, object: JsonObject): readonly FieldError[] {
  if (!kind.endsWith('SubjectAccessReview')) return [];
  const count = ['resourceAttributes', 'nonResourceAttributes'].filter(
    (each) => objectAt(object, 'spec', each) !== undefined,
  ).length;
  if (count === 1) return [];
  const message =
    'Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [{ reason: 'FieldValueInvalid', field: 'spec.resourceAttributes', message }];
}

const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };

function answerOf(context: ServerContext, kind: string, user: User, object: JsonObject): JsonObject {
  switch (kind) {
    case 'SelfSubjectReview':
      return {
        metadata: { creationTimestamp: formatTime(context.clock.now()) },
        status: { userInfo: userInfo(user) },
      };
    case 'SelfSubjectRulesReview':
      return {
        status: {
          resourceRules: [everything],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
          incomplete: false,
        },
      };
    case 'TokenReview':
      return { status: { user: {}, error: 'the server reviews no tokens' } };
    default:
      return { spec: objectAt(object, 'spec') ?? {}, status: { allowed: true } };
  }
}

const userInfo = (user: User): JsonObject => ({
  username: user.name,
  ...(user.uid === '' ? {} : { uid: user.uid }),
  groups: user.groups,
});

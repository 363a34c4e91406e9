import { listAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { invalid, type FieldError } from '#kube/field-error.ts';

/** The field errors of an access review's spec. */
export function accessReviewErrors(kind: string, review: JsonObject): readonly FieldError[] {
  const spec = objectAt(review, 'spec') ?? {};
  return [
    ...attributeErrors(spec),
    ...(kind === 'SelfSubjectAccessReview' ? [] : subjectErrors(spec)),
    ...(kind === 'LocalSubjectAccessReview' ? placeErrors(review, spec) : []),
  ];
}

const fault = (field: string, message: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message,
});

function attributeErrors(spec: JsonObject): readonly FieldError[] {
  const resource = objectAt(spec, 'resourceAttributes');
  const path = objectAt(spec, 'nonResourceAttributes');
  if (resource === undefined && path === undefined) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    return [fault('spec.resourceAttributes', `Invalid value: "null": ${why}`)];
  }
  if (resource === undefined || path === undefined) return [];
  const why = 'cannot be specified in combination with resourceAttributes';
  return [fault('spec.nonResourceAttributes', `Invalid value: ${pathText(path)}: ${why}`)];
}

const subjectErrors = (spec: JsonObject): readonly FieldError[] =>
  (textAt(spec, 'user') ?? '') === '' && listAt(spec, 'groups').length === 0
    ? [invalid('spec.user', '', 'at least one of user or group must be specified')]
    : [];

function placeErrors(review: JsonObject, spec: JsonObject): readonly FieldError[] {
  const path = objectAt(spec, 'nonResourceAttributes');
  const resource = objectAt(spec, 'resourceAttributes');
  const namespace = textAt(resource, 'namespace') ?? '';
  return [
    ...(resource !== undefined && namespace !== textAt(review, 'metadata', 'namespace')
      ? [invalid('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace')]
      : []),
    ...(path === undefined
      ? []
      : [
          fault(
            'spec.nonResourceAttributes',
            `Invalid value: ${pathText(path)}: disallowed on this kind of request`,
          ),
        ]),
  ];
}

/** As Go prints the value. */
const pathText = (path: JsonObject): string =>
  `authorization.NonResourceAttributes{Path:${JSON.stringify(textAt(path, 'path') ?? '')}, Verb:${JSON.stringify(textAt(path, 'verb') ?? '')}}`;

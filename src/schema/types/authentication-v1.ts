import type { TypePackage } from './type-package.ts';

/** Every type of authentication.k8s.io/v1, one line per type and per field (see parse-lines.ts). */
export const authenticationV1: TypePackage = {
  name: 'io.k8s.api.authentication.v1',
  alias: 'authentication',
  group: 'authentication.k8s.io',
  version: 'v1',
  lines: `
BoundObjectReference
 kind 1 string?
 apiVersion 2 string?
 name 3 string?
 uid 4 string?<types.UID>
ExtraValue @list
SelfSubjectReview kind
 metadata 1 meta.ObjectMeta?
 status 2 SelfSubjectReviewStatus?
SelfSubjectReviewStatus
 userInfo 1 UserInfo?
TokenRequest kind
 metadata 1 meta.ObjectMeta?
 spec 2 TokenRequestSpec
 status 3 TokenRequestStatus?
TokenRequestSpec
 audiences 1 []string =atomic
 expirationSeconds 4 *int64+
 boundObjectRef 3 *BoundObjectReference+
TokenRequestStatus
 token 1 string
 expirationTimestamp 2 meta.Time
TokenReview kind
 metadata 1 meta.ObjectMeta?
 spec 2 TokenReviewSpec
 status 3 TokenReviewStatus?
TokenReviewSpec
 token 1 string?
 audiences 2 []string? =atomic
TokenReviewStatus
 authenticated 1 bool?
 user 2 UserInfo?
 audiences 4 []string? =atomic
 error 3 string?
UserInfo
 username 1 string?
 uid 2 string?
 groups 3 []string? =atomic
 extra 4 {}ExtraValue?
`,
};

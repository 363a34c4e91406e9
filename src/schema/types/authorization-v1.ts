import type { TypePackage } from './type-package.ts';

/** Every type of authorization.k8s.io/v1, one line per type and per field (see parse-lines.ts). */
export const authorizationV1: TypePackage = {
  name: 'io.k8s.api.authorization.v1',
  alias: 'authorization',
  group: 'authorization.k8s.io',
  version: 'v1',
  lines: `
ExtraValue @list
FieldSelectorAttributes
 rawSelector 1 string?
 requirements 2 []meta.FieldSelectorRequirement? =atomic
LabelSelectorAttributes
 rawSelector 1 string?
 requirements 2 []meta.LabelSelectorRequirement? =atomic
LocalSubjectAccessReview kind
 metadata 1 meta.ObjectMeta?
 spec 2 SubjectAccessReviewSpec
 status 3 SubjectAccessReviewStatus?
NonResourceAttributes
 path 1 string?
 verb 2 string?
NonResourceRule
 verbs 1 []string =atomic
 nonResourceURLs 2 []string? =atomic
ResourceAttributes
 namespace 1 string?
 verb 2 string?
 group 3 string?
 version 4 string?
 resource 5 string?
 subresource 6 string?
 name 7 string?
 fieldSelector 8 *FieldSelectorAttributes?
 labelSelector 9 *LabelSelectorAttributes?
ResourceRule
 verbs 1 []string =atomic
 apiGroups 2 []string? =atomic
 resources 3 []string? =atomic
 resourceNames 4 []string? =atomic
SelfSubjectAccessReview kind
 metadata 1 meta.ObjectMeta?
 spec 2 SelfSubjectAccessReviewSpec
 status 3 SubjectAccessReviewStatus?
SelfSubjectAccessReviewSpec
 resourceAttributes 1 *ResourceAttributes?
 nonResourceAttributes 2 *NonResourceAttributes?
SelfSubjectRulesReview kind
 metadata 1 meta.ObjectMeta?
 spec 2 SelfSubjectRulesReviewSpec
 status 3 SubjectRulesReviewStatus?
SelfSubjectRulesReviewSpec
 namespace 1 string?
SubjectAccessReview kind
 metadata 1 meta.ObjectMeta?
 spec 2 SubjectAccessReviewSpec
 status 3 SubjectAccessReviewStatus?
SubjectAccessReviewSpec
 resourceAttributes 1 *ResourceAttributes?
 nonResourceAttributes 2 *NonResourceAttributes?
 user 3 string?
 groups 4 []string? =atomic
 extra 5 {}ExtraValue?
 uid 6 string?
SubjectAccessReviewStatus
 allowed 1 bool
 denied 4 bool?
 reason 2 string?
 evaluationError 3 string?
SubjectRulesReviewStatus
 resourceRules 1 []ResourceRule =atomic
 nonResourceRules 2 []NonResourceRule =atomic
 incomplete 3 bool
 evaluationError 4 string?
`,
};

import type { TypePackage } from './type-package.ts';

/** Every type of admissionregistration.k8s.io/v1, one line per type and per field (see parse-lines.ts). */
export const admissionregistrationV1: TypePackage = {
  name: 'io.k8s.api.admissionregistration.v1',
  alias: 'admissionregistration',
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  lines: `
AuditAnnotation
 key 1 string
 valueExpression 2 string
ExpressionWarning
 fieldRef 2 string
 warning 3 string
MatchCondition
 name 1 string
 expression 2 string
MatchResources atomic
 namespaceSelector 1 *meta.LabelSelector?
 objectSelector 2 *meta.LabelSelector?
 resourceRules 3 []NamedRuleWithOperations? =atomic
 excludeResourceRules 4 []NamedRuleWithOperations? =atomic
 matchPolicy 7 *string?<MatchPolicyType>
MutatingWebhook
 name 1 string
 clientConfig 2 WebhookClientConfig
 rules 3 []RuleWithOperations? =atomic
 failurePolicy 4 *string?<FailurePolicyType>
 matchPolicy 9 *string?<MatchPolicyType>
 namespaceSelector 5 *meta.LabelSelector?
 objectSelector 11 *meta.LabelSelector?
 sideEffects 6 *string<SideEffectClass>
 timeoutSeconds 7 *int32?
 admissionReviewVersions 8 []string =atomic
 reinvocationPolicy 10 *string?<ReinvocationPolicyType>
 matchConditions 12 []MatchCondition? =map:name ~merge:name
MutatingWebhookConfiguration kind
 metadata 1 meta.ObjectMeta?
 webhooks 2 []MutatingWebhook? =map:name ~merge:name
MutatingWebhookConfigurationList kind
 metadata 1 meta.ListMeta?
 items 2 []MutatingWebhookConfiguration
NamedRuleWithOperations atomic
 resourceNames 1 []string? =atomic
 ruleWithOperations 2 &RuleWithOperations
ParamKind atomic
 apiVersion 1 string?
 kind 2 string?
ParamRef atomic
 name 1 string?
 namespace 2 string?
 selector 3 *meta.LabelSelector?
 parameterNotFoundAction 4 *string?<ParameterNotFoundActionType>
Rule
 apiGroups 1 []string? =atomic
 apiVersions 2 []string? =atomic
 resources 3 []string? =atomic
 scope 4 *string?<ScopeType>
RuleWithOperations
 operations 1 []string?<OperationType> =atomic
 rule 2 &Rule
ServiceReference
 namespace 1 string
 name 2 string
 path 3 *string?
 port 4 *int32?
TypeChecking
 expressionWarnings 1 []ExpressionWarning? =atomic
ValidatingAdmissionPolicy kind
 metadata 1 meta.ObjectMeta?
 spec 2 ValidatingAdmissionPolicySpec?
 status 3 ValidatingAdmissionPolicyStatus?
ValidatingAdmissionPolicyBinding kind
 metadata 1 meta.ObjectMeta?
 spec 2 ValidatingAdmissionPolicyBindingSpec?
ValidatingAdmissionPolicyBindingList kind
 metadata 1 meta.ListMeta?
 items 2 []ValidatingAdmissionPolicyBinding
ValidatingAdmissionPolicyBindingSpec
 policyName 1 string?
 paramRef 2 *ParamRef?
 matchResources 3 *MatchResources?
 validationActions 4 []string?<ValidationAction> =set
ValidatingAdmissionPolicyList kind
 metadata 1 meta.ListMeta?
 items 2 []ValidatingAdmissionPolicy
ValidatingAdmissionPolicySpec
 paramKind 1 *ParamKind?
 matchConstraints 2 *MatchResources?
 validations 3 []Validation? =atomic
 failurePolicy 4 *string?<FailurePolicyType>
 auditAnnotations 5 []AuditAnnotation? =atomic
 matchConditions 6 []MatchCondition? =map:name ~merge:name
 variables 7 []Variable? =map:name ~merge:name
ValidatingAdmissionPolicyStatus
 observedGeneration 1 int64?
 typeChecking 2 *TypeChecking?
 conditions 3 []meta.Condition? =map:type
ValidatingWebhook
 name 1 string
 clientConfig 2 WebhookClientConfig
 rules 3 []RuleWithOperations? =atomic
 failurePolicy 4 *string?<FailurePolicyType>
 matchPolicy 9 *string?<MatchPolicyType>
 namespaceSelector 5 *meta.LabelSelector?
 objectSelector 10 *meta.LabelSelector?
 sideEffects 6 *string<SideEffectClass>
 timeoutSeconds 7 *int32?
 admissionReviewVersions 8 []string =atomic
 matchConditions 11 []MatchCondition? =map:name ~merge:name
ValidatingWebhookConfiguration kind
 metadata 1 meta.ObjectMeta?
 webhooks 2 []ValidatingWebhook? =map:name ~merge:name
ValidatingWebhookConfigurationList kind
 metadata 1 meta.ListMeta?
 items 2 []ValidatingWebhookConfiguration
Validation
 expression 1 string
 message 2 string?
 reason 3 *string?<StatusReason>
 messageExpression 4 string?
Variable atomic
 name 1 string
 expression 2 string
WebhookClientConfig
 url 3 *string?
 service 1 *ServiceReference?
 caBundle 2 bytes?
`,
};

import { at, objectAt, textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import { lengthCell, textCell } from './cells.ts';
import { integerColumn, withNameAndAge, textColumn, type Column } from './column.ts';
import { selectorText } from './selector-text.ts';

export const webhookConfigurationColumns: readonly Column[] = withNameAndAge(
  integerColumn('Webhooks', 'How many webhooks are registered here.', lengthCell('webhooks')),
);

export const admissionPolicyColumns: readonly Column[] = withNameAndAge(
  integerColumn('Validations', 'How many rules the policy has.', lengthCell('spec', 'validations')),
  textColumn('ParamKind', 'The kind of its parameters.', paramKindText),
);

export const admissionPolicyBindingColumns: readonly Column[] = withNameAndAge(
  textColumn('PolicyName', 'The policy that is bound.', textCell('spec', 'policyName')),
  textColumn('ParamRef', 'The object with its parameters.', paramRefText),
);

function paramKindText(policy: KubeObject): string {
  const kind = objectAt(policy, 'spec', 'paramKind');
  return kind === undefined ? '<unset>' : `${textAt(kind, 'apiVersion') ?? ''}/${textAt(kind, 'kind') ?? ''}`;
}

function paramRefText(binding: KubeObject): string {
  const reference = objectAt(binding, 'spec', 'paramRef');
  const name = textAt(reference, 'name');
  if (name) return `${textAt(reference, 'namespace') || '*'}/${name}`;
  return selectorText(at(reference, 'selector')) || '<unset>';
}

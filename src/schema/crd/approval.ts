import { annotationsOf, type KubeObject } from '#kube/object.ts';
import { textAt } from '#base/json.ts';
import type { CrdCondition } from './conditions.ts';

export const approvalAnnotation = 'api-approved.kubernetes.io';

type Approval = {
  readonly state: 'missing' | 'bypassed' | 'approved' | 'invalid';
  readonly message: string;
};

/** API groups of the Kubernetes community require an approval annotation. */
export function isProtectedGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((suffix) => group === suffix || group.endsWith(`.${suffix}`));
}

export function approvalOf(crd: KubeObject): Approval {
  const annotation = annotationsOf(crd)[approvalAnnotation] ?? '';
  const rule = `protected groups must have approval annotation ${JSON.stringify(approvalAnnotation)}`;
  const see = 'see https://github.com/kubernetes/enhancements/pull/1111';
  if (annotation === '') return { state: 'missing', message: `${rule}, ${see}` };
  if (annotation.startsWith('unapproved')) {
    return { state: 'bypassed', message: `not approved: ${JSON.stringify(annotation)}` };
  }
  if (absoluteUrl.test(annotation)) return { state: 'approved', message: `approved in ${annotation}` };
  return {
    state: 'invalid',
    message: `${rule} with either a URL or a reason starting with "unapproved", ${see}`,
  };
}

/** The condition about the approval; undefined for groups that need none. */
export function approvalCondition(crd: KubeObject): CrdCondition | undefined {
  if (!isProtectedGroup(textAt(crd, 'spec', 'group') ?? '')) return undefined;
  const { state, message } = approvalOf(crd);
  const status = state === 'approved' ? 'True' : 'False';
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason: reasons[state], message };
}

const absoluteUrl = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/\s]+/;

const reasons: Readonly<Record<Approval['state'], string>> = {
  missing: 'MissingAnnotation',
  bypassed: 'UnapprovedAnnotation',
  approved: 'ApprovedAnnotation',
  invalid: 'InvalidAnnotation',
};

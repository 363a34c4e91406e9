import type { Refusal } from '#edge/kube/outcome.ts';

/** Why a Secret cannot be read. If the right is missing, the command that grants it. */
export const secretRefusal = ({ type, message }: Refusal, namespace: string): string =>
  type === 'forbidden'
    ? `${message}. Let the controllers read Secrets of this namespace: boathook access --secrets-in ${namespace} | kubectl apply -f -`
    : message;

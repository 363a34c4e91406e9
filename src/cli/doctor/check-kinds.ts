import type { Diagnosis } from './diagnosis.ts';

type KindState = { readonly state: 'Served' | 'Older' | 'Missing' };

/** Whether the cluster serves our kinds in our version. `remedy`: what to do when it does not. */
export function checkKinds(kinds: readonly KindState[], remedy: string | undefined): Diagnosis {
  if (remedy === undefined)
    return {
      check: 'kinds',
      state: 'ok',
      message: `The cluster serves all ${kinds.length} kinds of this version.`,
    };
  const missing = kinds.filter(({ state }) => state === 'Missing').length;
  const older = kinds.filter(({ state }) => state === 'Older').length;
  return {
    check: 'kinds',
    state: 'failed',
    message: `Of ${kinds.length} kinds ${missing} are missing and ${older} are of another version.`,
    remedy,
  };
}

/** Before an installation: kinds of these names exist already, perhaps of another operator. */
export const foreignKinds = (remedy: string): Diagnosis => ({
  check: 'kinds',
  state: 'warning',
  message:
    'The cluster has definitions of some of our kinds already, of another version or of another operator.',
  remedy,
});

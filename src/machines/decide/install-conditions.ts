import type { OutlineStep, StepName } from './install-outline.ts';
import { markCondition } from './node-marks.ts';

/** Checks before an installer changes anything: the version, and whether the machine is prepared. */
export const preflightCondition = 'EnsurePreflight';
/** The kubeconfig is fetched from the first master. */
export const kubeconfigCondition = 'EnsureKubeconfig';
/** Bootstrap installs Boathook's CRDs on the new cluster. */
export const platformCondition = 'EnsurePlatform';

const conditions: Readonly<Record<Exclude<StepName, 'mark' | 'upgrade'>, string>> = {
  identify: 'EnsureIdentity',
  check: preflightCondition,
  init: 'EnsureInit',
  invite: 'EnsureBootstrapToken',
  'join-master': 'EnsureJoinControlPlane',
  'join-worker': 'EnsureJoinNode',
  complete: 'EnsureCreateClusterMark',
  'plan-upgrade': 'EnsureUpgradePlan',
  drain: 'EnsureDrain',
  'upgrade-first': 'EnsureUpgradeControlPlaneNode',
  uncordon: 'EnsureUncordon',
  reset: 'EnsureReset',
  forget: 'EnsureRemoveNode',
};

/** The condition of an installer's step: by TKEStack's name where it has that step. */
export function installCondition({ name, about }: Pick<OutlineStep, 'name' | 'about'>): string {
  if (name === 'mark') return markCondition(about);
  if (name !== 'upgrade') return conditions[name];
  return about.roles.includes('master') ? conditions['upgrade-first'] : 'EnsureUpgrade';
}

import type { Kind } from './kind.ts';
import { gameDeployment } from './game/game-deployment.ts';
import { gameStatefulSet } from './game/game-stateful-set.ts';
import { hookRun } from './hook/hook-run.ts';
import { hookTemplate } from './hook/hook-template.ts';
import { cluster } from './platform/cluster.ts';
import { machine } from './platform/machine.ts';
import { crdRegistration } from './registration/crd-registration.ts';
import { simulationProfile } from './simulation-profile.ts';

/** Every kind that Boathook brings. CRDs, reference pages and the embedded server start from this list. */
export const kinds: readonly Kind[] = [
  hookTemplate,
  hookRun,
  gameDeployment,
  gameStatefulSet,
  crdRegistration,
  cluster,
  machine,
  simulationProfile,
];

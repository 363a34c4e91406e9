import type { Kind } from '#schema/kind/kind.ts';
import { gameDeployment } from '#releases/kinds/game-deployment.ts';
import { gameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import { hookRun } from '#hooks/kinds/hook-run.ts';
import { hookTemplate } from '#hooks/kinds/hook-template.ts';
import { cluster } from '#machines/kinds/cluster.ts';
import { machine } from '#machines/kinds/machine.ts';
import { crdRegistration } from '#registrations/kinds/crd-registration.ts';

/** The kinds that Boathook's controllers reconcile. */
export const productKinds: readonly Kind[] = [
  hookTemplate,
  hookRun,
  gameDeployment,
  gameStatefulSet,
  crdRegistration,
  cluster,
  machine,
];

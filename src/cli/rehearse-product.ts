import { hmacSha256Hex } from '#edge/hmac.ts';
import type { ControlName } from './install/control-names.ts';
import { kinds } from './kinds.ts';
import type { RehearsedProduct } from './rehearse/virtual-cluster.ts';
import { controlOn, loadControllers } from './start-controllers.ts';

/** The real kinds, and these controllers, for rehearsals. */
const productWith = (names: readonly ControlName[]): RehearsedProduct => ({
  kinds,
  async control({ outgoing, hookRuns }) {
    const loaded = new Map([...(await loadControllers(names)), ['hookrun', hookRuns] as const]);
    return controlOn({ names: new Set(names), outgoing, hmac: hmacSha256Hex, loaded });
  },
});

export const releasesProduct = productWith(['hookrun', 'hooktemplate', 'gamedeployment', 'gamestatefulset']);
export const registrationsProduct = productWith(['hookrun', 'hooktemplate', 'crdregistration']);

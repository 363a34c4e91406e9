import { hmacSha256Hex } from '#edge/hmac.ts';
import { kinds } from './kinds.ts';
import type { RehearsedProduct } from './rehearse/virtual-cluster.ts';
import { controlOn, loadControllers } from './start-controllers.ts';

const names = ['hookrun', 'hooktemplate', 'gamedeployment', 'gamestatefulset'] as const;

/** The real kinds and controllers, for rehearsals. */
export const rehearsedProduct: RehearsedProduct = {
  kinds,
  async control({ outgoing, hookRuns }) {
    const loaded = new Map([...(await loadControllers(names)), ['hookrun', hookRuns] as const]);
    return controlOn({ names: new Set(names), outgoing, hmac: hmacSha256Hex, loaded });
  },
};

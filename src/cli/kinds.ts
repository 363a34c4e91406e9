import type { Kind } from '#schema/kind/kind.ts';
import { simulationProfile } from '#embedded/nodes/profile/simulation-profile.ts';
import { productKinds } from './product-kinds.ts';

/** Every kind that Boathook brings. CRDs, reference pages and the embedded server start from this list. */
export const kinds: readonly Kind[] = [...productKinds, simulationProfile];

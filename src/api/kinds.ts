import type { Kind } from './kind.ts';
import { simulationProfile } from './simulation-profile.ts';

/** Every kind that Boathook brings. CRDs, reference pages and the embedded server start from this list. */
export const kinds: readonly Kind[] = [simulationProfile];

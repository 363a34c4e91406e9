import { numberAt, objectAt } from '#base/json.ts';
import { hookArguments } from '#machines/decide/tkestack-hooks.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';

/** Changes whenever a user changes what plans are made from: the spec, or the labels that hooks get as arguments. */
export const planInputsHash = (object: KubeObject | undefined): string =>
  JSON.stringify([
    nameOf(object ?? {}),
    numberAt(object, 'metadata', 'generation') ?? 0,
    hookArguments(objectAt(object, 'metadata')),
  ]);

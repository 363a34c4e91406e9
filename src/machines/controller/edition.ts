import { numberAt, objectAt } from '#base/json.ts';
import { hookArguments } from '#machines/decide/tkestack-hooks.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';

/** What people have written of an object that plans are made from: its spec, and the labels that hooks are given. */
export const editionOf = (object: KubeObject | undefined): string =>
  JSON.stringify([
    nameOf(object ?? {}),
    numberAt(object, 'metadata', 'generation') ?? 0,
    hookArguments(objectAt(object, 'metadata')),
  ]);

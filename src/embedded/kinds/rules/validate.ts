import type { FieldError } from '#kube/field-error.ts';
import { metaOf, type KubeObject } from '#kube/object.ts';
import type { KindRules } from './kind-rules.ts';
import { validateObjectMetaUpdate } from './metadata-update.ts';
import { validateObjectMeta, type MetaRules } from '#kube/metadata/metadata.ts';

export type ScopedRules = { readonly rules: KindRules; readonly namespaced: boolean };

const none: readonly FieldError[] = [];

/** Every complaint about a new object, in the server's order. */
export function complaintsOnCreate(
  { rules, namespaced }: ScopedRules,
  object: KubeObject,
): readonly FieldError[] {
  const meta = validateObjectMeta(metaOf(object), ownRules({ rules, namespaced }));
  return join(meta, rules.validateCreate?.(object) ?? none);
}

/**
 * Every complaint about an update through the main endpoint. The server checks metadata once for all kinds and
 * most kinds check it again, so a complaint can stand there more than once; its message shows it once.
 */
export function complaintsOnUpdate(
  scoped: ScopedRules,
  object: KubeObject,
  old: KubeObject,
): readonly FieldError[] {
  const meta = metaComplaints(scoped, object, old, scoped.rules.metaOnUpdate);
  return join(meta, scoped.rules.validateUpdate?.(object, old) ?? none);
}

/** Every complaint about an update through /status. */
export function complaintsOnStatusUpdate(
  scoped: ScopedRules,
  object: KubeObject,
  old: KubeObject,
): readonly FieldError[] {
  const meta = metaComplaints(scoped, object, old, 'update');
  return join(meta, scoped.rules.validateStatusUpdate?.(object, old) ?? none);
}

function metaComplaints(
  { rules, namespaced }: ScopedRules,
  object: KubeObject,
  old: KubeObject,
  again: KindRules['metaOnUpdate'],
): readonly FieldError[] {
  const meta = metaOf(object);
  const common = validateObjectMeta(meta, { nameRule: 'path-segment', namespaced, strictFinalizers: false });
  const update = validateObjectMetaUpdate(meta, metaOf(old));
  const strict =
    again === 'create-and-update' ? validateObjectMeta(meta, ownRules({ rules, namespaced })) : none;
  const first = join(common, update);
  return again === 'none' ? first : join(first, join(update, strict));
}

const ownRules = ({ rules, namespaced }: ScopedRules): MetaRules => ({
  nameRule: rules.nameRule,
  namespaced,
  strictFinalizers: rules.strictFinalizers,
});

const join = (left: readonly FieldError[], right: readonly FieldError[]): readonly FieldError[] =>
  left.length === 0 ? right : right.length === 0 ? left : [...left, ...right];

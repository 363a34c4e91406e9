import { nameOf, type KubeObject } from '#kube/object.ts';
import { bootstrapBindings, bootstrapRoles } from '#embedded/server/rbac/bootstrap-roles.ts';
import { reconciledBinding, reconciledRole } from '#embedded/server/rbac/reconcile.ts';
import type { ServerContext } from '#embedded/server/request/call.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import { createObject } from '#embedded/server/write/create-object.ts';
import { updateObject } from '#embedded/server/write/update-object.ts';
import { rbacGroup } from './authorizer.ts';

type Reconcile = (stored: KubeObject, wanted: KubeObject) => KubeObject;

const manager = 'kube-apiserver';

/** Creates the default roles and bindings, and adds missing rules and subjects to existing ones. */
export async function ensurePolicy(context: ServerContext): Promise<void> {
  await context.store.transact((transaction) => {
    for (const wanted of bootstrapRoles) ensure(context, transaction, wanted, reconciledRole);
    for (const wanted of bootstrapBindings) ensure(context, transaction, wanted, reconciledBinding);
  });
}

function ensure(
  context: ServerContext,
  transaction: Transaction,
  wanted: KubeObject,
  reconcile: Reconcile,
): void {
  const plural = wanted['kind'] === 'ClusterRole' ? 'clusterroles' : 'clusterrolebindings';
  const resource = context.registry.find(rbacGroup, 'v1', plural);
  if (resource === undefined) throw new Error(`${plural} are always served`);
  const stored = transaction.get(resource.storage, `/${nameOf(wanted)}`);
  if (stored === undefined) {
    createObject(context, transaction, { resource, namespace: '', object: wanted, manager });
    return;
  }
  if (reconcile(stored.object, wanted) === stored.object) return;
  const next = (live: KubeObject): KubeObject => reconcile(live, wanted);
  updateObject(context, transaction, {
    resource,
    stored,
    next,
    manager,
    subresource: '',
    needsRevision: false,
  });
}

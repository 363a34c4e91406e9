import type { KubeObject } from '#kube/object.ts';
import { nameOf } from '#kube/object.ts';
import { isAggregated, staleAggregates } from '#embedded/server/rbac/aggregate.ts';
import type { ServerContext } from '#embedded/server/request/call.ts';
import type { Transaction } from '#embedded/server/store/store.ts';
import { updateObject } from '#embedded/server/write/update-object.ts';
import { clusterRoles, rbacGroup } from './authorizer.ts';

/** Keeps the rules of aggregated ClusterRoles equal to those of the selected roles. */
export class Aggregation {
  readonly #context: ServerContext;
  readonly #report: (error: unknown) => void;
  #isDue = false;
  #running: Promise<void> | undefined;

  constructor(context: ServerContext, report: (error: unknown) => void) {
    this.#context = context;
    this.#report = report;
    context.store.subscribe((changes) => {
      if (changes.some(({ resource }) => resource === clusterRoles)) this.#notice();
    });
    this.#notice();
  }

  /** Resolves when nothing is left to do. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #notice(): void {
    this.#isDue = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isDue) this.#notice();
    });
  }

  async #run(): Promise<void> {
    try {
      while (this.#isDue) {
        this.#isDue = false;
        if (this.#stale().length > 0)
          await this.#context.store.transact((transaction) => this.#write(transaction));
      }
    } catch (error) {
      this.#report(error);
    }
  }

  #stale(): readonly KubeObject[] {
    const stored = [...this.#context.store.table(clusterRoles).range(undefined)];
    const roles = stored.map((each) => each.object);
    return roles.some(isAggregated) ? staleAggregates(roles) : [];
  }

  #write(transaction: Transaction): void {
    const { registry } = this.#context;
    const resource = registry.find(rbacGroup, 'v1', 'clusterroles');
    if (resource === undefined) throw new Error('clusterroles are always served');
    for (const role of this.#stale()) {
      const stored = transaction.get(clusterRoles, `/${nameOf(role)}`);
      if (stored === undefined) continue;
      updateObject(this.#context, transaction, {
        resource,
        stored,
        next: (live) => ({ ...live, rules: role['rules'] ?? [] }),
        manager: 'clusterrole-aggregation-controller',
        subresource: '',
        needsRevision: false,
      });
    }
  }
}

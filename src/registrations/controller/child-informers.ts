import type { ControlDeps } from '#loop/control-deps.ts';
import { childKeyOf, childKinds, childSelector } from '#registrations/decide/children.ts';
import type { ChildKey } from '#registrations/kinds/reply.ts';
import type { InstanceKind } from '#registrations/decide/inspect-crd.ts';
import type { Registration } from '#registrations/model/registration.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { sourceOf, type KeySource } from '#loop/controller.ts';
import type { Packed } from '#loop/decoder.ts';
import { createInformer, type Informer } from '#loop/informer.ts';
import { ownerIndexes } from '#loop/owned/owned.ts';
import type { Report } from '#loop/report.ts';
import { namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { controllerOf } from '#kube/workload/owner.ts';
import { instanceKey } from './instance-key.ts';
import type { FormerChildren } from './former-children.ts';
import { ChildPacker, withOwnFields } from './packed-child.ts';
import { WrittenChildren } from './written-children.ts';

export type ChildInformersDeps = Pick<ControlDeps, 'clock' | 'random'> & {
  readonly client: Pick<KubeClient, 'pages' | 'list' | 'watch'>;
  readonly report: Report;
  readonly registration: Registration;
  readonly kind: InstanceKind;
  readonly formerChildren: FormerChildren;
};

/** The children of all instances of one registration. Selects by label, so that no other objects are cached. */
export class ChildInformers {
  readonly informers: readonly Informer<Packed<KubeObject>>[];
  /** In the order of the informers. */
  readonly #keys: readonly ChildKey[];
  readonly #written: WrittenChildren;
  readonly #formerChildren: FormerChildren;
  readonly #kind: InstanceKind;
  readonly #packer = new ChildPacker();

  constructor({ client, clock, random, report, registration, kind, formerChildren }: ChildInformersDeps) {
    this.#kind = kind;
    this.#written = new WrittenChildren(clock);
    this.#formerChildren = formerChildren;
    const { form } = registration;
    // The kind may not exist: not every cluster has Knative.
    const kinds = childKinds.filter(({ key }) => key !== 'ksvc' || form.type === 'ksvc');
    this.#keys = kinds.map(({ key }) => key);
    const labelSelector = childSelector(registration.name);
    this.informers = kinds.map(({ group, version, plural }) => {
      const resource = { group, version, plural, namespaced: true };
      const indexes = { controller: ownerIndexes.controller };
      return createInformer({
        client,
        clock,
        random,
        report,
        resource,
        labelSelector,
        indexes,
        decode: this.#packer.decoder,
      });
    });
  }

  /** Maps each change of a child to the key of its instance. */
  sources(): readonly KeySource[] {
    return this.informers.flatMap((informer) => [
      sourceOf(informer, (delta) => {
        if (delta.type === 'deleted') this.#written.forget(delta.object);
        const key = instanceKey(delta.object, this.#kind);
        const before = delta.type === 'updated' ? instanceKey(delta.old, this.#kind) : undefined;
        return [key, before === key ? undefined : before].filter((each) => each !== undefined);
      }),
      this.#listsOf(informer),
    ]);
  }

  /** A list has no change for a child that was made and deleted before it. */
  #listsOf(informer: Informer<Packed<KubeObject>>): KeySource {
    return {
      synced: informer.synced,
      subscribe: (add) =>
        informer.onList(() => {
          for (const child of this.#written.passed()) {
            const key = instanceKey(child, this.#kind);
            if (key !== undefined) add(key);
          }
        }),
    };
  }

  /** The children that an instance controls. */
  of(instance: KubeObject): readonly KubeObject[] {
    const uid = uidOf(instance);
    const shown = this.informers.flatMap((informer) => informer.byIndex('controller', uid));
    const ours = this.#written.over(uid, shown).map((child) => this.#packer.unpack(child));
    return [...ours, ...this.#formerChildren.of(uid)];
  }

  /** Forgets children that were deleted, also while an informer still shows them. */
  forget(children: readonly KubeObject[]): void {
    this.#formerChildren.forget(children);
    for (const child of children) if (this.#isShown(child)) this.#written.noteRemoved(uidOf(child));
  }

  #isShown(child: KubeObject): boolean {
    const owner = controllerOf(child)?.uid ?? '';
    return this.informers.some((informer) =>
      informer.byIndex('controller', owner).some((each) => uidOf(each) === uidOf(child)),
    );
  }

  /** Remembers the response to a write until the informer shows it. */
  recordWrite(child: KubeObject): KubeObject {
    this.#written.note(this.#packer.decoder.of(child), () => this.#positionFor(child));
    return withOwnFields(child);
  }

  #positionFor(child: KubeObject): string {
    const at = this.#keys.findIndex((key) => key === childKeyOf(child));
    return this.informers[at]?.position(namespaceOf(child)) ?? '';
  }
}

import type { KubeObject } from '#kube/object.ts';
import { namespaceOf } from '#kube/object.ts';
import type { InstanceSnapshot } from '#registrations/decide/cycle.ts';
import { gateRunName } from '#registrations/decide/gate.ts';
import { referenceKey } from '#registrations/decide/references.ts';
import type { ObjectReference, Registration } from '#registrations/model/registration.ts';

type Eventual<Value> = Value | Promise<Value>;

/** Where the objects come from that decide about an instance: informers in the controller, requests in a command. */
export type InstanceReader = {
  /** The live children that the instance controls. */
  children(instance: KubeObject): Eventual<readonly KubeObject[]>;
  /** The referenced objects, in their order; undefined for those that do not exist. */
  references(wanted: readonly ObjectReference[]): Promise<readonly (KubeObject | undefined)[]>;
  hookTemplate(namespace: string, name: string): Eventual<KubeObject | undefined>;
  hookRun(namespace: string, name: string): Eventual<KubeObject | undefined>;
};

export type SnapshotInput = Pick<
  InstanceSnapshot,
  'registration' | 'kind' | 'environment' | 'instance' | 'now' | 'chance' | 'memory'
> & {
  /** The references that are known to be needed. */
  readonly references: readonly ObjectReference[];
};

/** What is decided from for one instance, before anything is done. Reads each object once and writes nothing. */
export async function instanceSnapshot(
  reader: InstanceReader,
  { references, ...given }: SnapshotInput,
): Promise<InstanceSnapshot> {
  return {
    ...given,
    references: await readReferences(reader, references),
    live: await reader.children(given.instance),
    answers: {},
    ...(await gateOf(reader, given.registration, given.instance)),
  };
}

/** Referenced objects by `referenceKey`. */
export async function readReferences(
  reader: Pick<InstanceReader, 'references'>,
  wanted: readonly ObjectReference[],
): Promise<InstanceSnapshot['references']> {
  if (wanted.length === 0) return new Map();
  const objects = await reader.references(wanted);
  return new Map(wanted.map((each, i) => [referenceKey(each), objects[i]]));
}

async function gateOf(
  reader: InstanceReader,
  registration: Registration,
  instance: KubeObject,
): Promise<Pick<InstanceSnapshot, 'gate'>> {
  if (registration.gate === undefined) return {};
  const namespace = namespaceOf(instance);
  const template = await reader.hookTemplate(namespace, registration.gate.templateName);
  const run = await reader.hookRun(namespace, gateRunName(registration, instance, template));
  return { gate: { template, run } };
}

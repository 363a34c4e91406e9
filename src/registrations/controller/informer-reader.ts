import type { InstanceDeps } from './instance-deps.ts';
import type { InstanceReader } from './instance-snapshot.ts';

/** Reads from informers. Referenced objects are watched for as long as the instance refers to them. */
export const informerReader = (
  { children, references, gate }: Pick<InstanceDeps, 'children' | 'references' | 'gate'>,
  key: string,
  signal: AbortSignal,
): InstanceReader => ({
  children: (instance) => children.of(instance),
  references: (wanted) => references.refer(key, wanted, signal),
  hookTemplate: (namespace, name) => gate?.templates.get(namespace, name),
  hookRun: (namespace, name) => gate?.runs.get(namespace, name),
});

import { objectAt, type JsonObject } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { HookRunSpec, HookRunStatus } from './kinds/hook-run.ts';
import type { HookTemplate } from './kinds/hook-template.ts';
import type { Metric } from './kinds/metric.ts';
import { providerWires, type ProviderWires } from './kinds/providers.ts';
import type { Provider, ProviderIn } from './model.ts';
import type { ProviderWire } from '#hooks/providers/wire/provider-wire.ts';

/**
 * The spec of a HookRun. A stored run has passed the schema that the type is derived from; fields of a newer version
 * may be in it.
 */
export const specOf = (run: KubeObject): HookRunSpec => objectAt(run, 'spec') ?? {};

export const statusOf = (run: KubeObject): HookRunStatus => objectAt(run, 'status') ?? {};

/** A stored HookTemplate, which has passed the schema that the type is derived from. */
export const templateOf = (object: KubeObject): HookTemplate => object as unknown as HookTemplate;

/** A value of one of our kinds as JSON: it is JSON, but its type has optional members. */
export const jsonOf = (value: object): JsonObject => value as JsonObject;

export type ReadProvider<Known = Provider> =
  | { readonly type: 'provider'; readonly provider: Known; readonly wire: ProviderWire }
  | { readonly type: 'refused'; readonly message: string };

/** The provider of a metric, or why there is not exactly one that this version supports. */
export const readProvider = (metric: Pick<Metric, 'provider'>): ReadProvider =>
  readProviderIn(providerWires, metric.provider);

/** The same for another list of providers. */
export function readProviderIn<Wires extends ProviderWires>(
  wires: Wires,
  fields: object | undefined = {},
): ReadProvider<ProviderIn<Wires>> {
  const known = Object.keys(wires);
  const given = Object.entries(fields as Record<string, unknown>).filter(([, value]) => value !== undefined);
  const names = given.map(([name]) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    return refused(
      `this version does not support the provider ${unknown.join(', ')}: update the controller, or name one of ${known.join(', ')}`,
    );
  const [first, second] = given;
  if (first === undefined) return refused(`no provider: name one of ${known.join(', ')}`);
  if (second !== undefined)
    return refused(`more than one provider (${names.join(', ')}): make each a metric of its own`);
  const [type, spec] = first;
  const wire = wires[type] as ProviderWire;
  return { type: 'provider', provider: { type, spec } as ProviderIn<Wires>, wire };
}

const refused = (message: string): { readonly type: 'refused'; readonly message: string } => ({
  type: 'refused',
  message,
});

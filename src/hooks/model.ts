import type { providerWires, ProviderWires } from './kinds/providers.ts';
import type { SpecOf } from '#hooks/providers/wire/provider-wire.ts';

/** One provider of a list, with the fields that a metric gives it. */
export type ProviderIn<Wires extends ProviderWires> = {
  readonly [Name in keyof Wires & string]: { readonly type: Name; readonly spec: SpecOf<Wires[Name]> };
}[keyof Wires & string];

/** The provider of a metric. */
export type Provider = ProviderIn<typeof providerWires>;

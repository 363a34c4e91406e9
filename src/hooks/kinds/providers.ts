import type { TObject, TOptional } from 'typebox';
import { Type } from '#schema/kind/type.ts';
import { jobWire } from '#hooks/providers/job/wire/job-wire.ts';
import { kubernetesWire } from '#hooks/providers/kubernetes/wire/kubernetes-wire.ts';
import { machineWire } from '#hooks/providers/machine/wire/machine-wire.ts';
import { prometheusWire } from '#hooks/providers/prometheus/wire/prometheus-wire.ts';
import { webWire } from '#hooks/providers/web/wire/web-wire.ts';
import type { ProviderWire } from '#hooks/providers/wire/provider-wire.ts';

/** Every provider, by its name in `provider`. The schema, the linter, the placeholders and the calls derive from it. */
export const providerWires = {
  web: webWire,
  prometheus: prometheusWire,
  kubernetes: kubernetesWire,
  job: jobWire,
  machine: machineWire,
} as const;

export type ProviderWires = Readonly<Record<string, ProviderWire>>;
export type ProviderName = keyof typeof providerWires;

type Fields<Wires extends ProviderWires> = { [Name in keyof Wires]: TOptional<Wires[Name]['schema']> };

const description = 'The provider to call: exactly one.';

/** The schema of `provider` in a HookRun. The controller checks that there is exactly one, and reports it. */
export function providerSchema<Wires extends ProviderWires>(wires: Wires): TObject<Fields<Wires>> {
  const fields = Object.entries(wires).map(([name, { schema }]) => [name, Type.Optional(schema)] as const);
  return Type.Object(Object.fromEntries(fields) as Fields<Wires>, { description });
}

/** The schema of `provider` in a HookTemplate, where the server checks more. */
export function strictProviderSchema<Wires extends ProviderWires>(wires: Wires): TObject<Fields<Wires>> {
  const names = Object.keys(wires);
  const given = `[${names.map((name) => `has(self.${name})`).join(', ')}].filter(given, given).size()`;
  const fields = Object.entries(wires).map(
    ([name, { schema, templateSchema = schema }]) => [name, Type.Optional(templateSchema)] as const,
  );
  return Type.Object(Object.fromEntries(fields) as Fields<Wires>, {
    description,
    'x-kubernetes-validations': [
      { rule: `${given} == 1`, message: `must have exactly one of ${names.join(', ')}` },
    ],
  });
}

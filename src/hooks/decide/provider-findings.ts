import type { Metric } from '#hooks/kinds/metric.ts';
import { providerWires, type ProviderWires } from '#hooks/kinds/providers.ts';
import type { Finding } from '#hooks/providers/wire/finding.ts';
import { readProviderIn } from '#hooks/read.ts';

/** What the provider of a metric finds in its own fields. */
export function providerFindings(
  metric: Pick<Metric, 'provider'>,
  wires: ProviderWires = providerWires,
): readonly Finding[] {
  const read = readProviderIn(wires, metric.provider);
  if (read.type === 'refused') return [];
  const { type, spec } = read.provider;
  const prefix = `provider.${type}.`;
  return read.wire.lint(spec).map((finding) => ({ ...finding, path: `${prefix}${finding.path}` }));
}

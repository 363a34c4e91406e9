import type { Metric } from '#hooks/kinds/metric.ts';
import { askConditions } from './conditions.ts';
import type { FinalPhase, ProviderReading } from './reading.ts';

/** The last line that the script printed on one machine. */
type MachineResult = { readonly node: string; readonly line: string };

/** From the worst to the best. */
const order: readonly FinalPhase[] = ['Error', 'Failed', 'Inconclusive', 'Successful'];

/** Evaluates the conditions on the result of every machine; the worst phase counts. */
export function judgeMachines(
  metric: Metric,
  results: readonly MachineResult[],
): Omit<ProviderReading & { readonly type: 'verdict' }, 'evidence'> & {
  readonly evidence: { readonly expression?: string; readonly because?: string[] };
} {
  const answers = results.map(({ node, line }) => ({ node, ...askConditions(metric, line) }));
  const phase = order.find((each) => answers.some((answer) => answer.phase === each)) ?? 'Successful';
  const deciding = answers.filter((answer) => answer.phase === phase);
  const { expression, because } = deciding[0] ?? {};
  const value = results.map(({ node, line }) => `${node}: ${line}`).join('\n');
  const evidence = {
    ...(expression !== undefined && { expression }),
    ...(because !== undefined && because.length > 0 && { because: [...because] }),
  };
  if (phase === 'Successful') return { type: 'verdict', phase, value, evidence };
  const why = deciding[0]?.message ?? 'the result is not good';
  const message = `${deciding.map(({ node }) => node).join(', ')}: ${why}`;
  return { type: 'verdict', phase, value, message, evidence };
}

import { at, type Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import type { DeclaredCluster } from './model.ts';
import type { PlacedDocument } from './documents.ts';
import { pointer, type SpecProblem } from './problem.ts';

const modes = ['Auto', 'Manual'];
const place = ['features', 'upgrade'] as const;

/** `features.upgrade`, as far as it differs from what is usual. */
export function upgradeOf(
  spec: Json | undefined,
): Pick<DeclaredCluster, 'drainsForUpgrade' | 'upgradesWorkers'> {
  return {
    ...(drainOf(spec) === false && { drainsForUpgrade: false }),
    ...(at(spec, ...place, 'mode') === 'Manual' && { upgradesWorkers: false }),
  };
}

export function checkUpgrade(
  spec: Json | undefined,
  { file, prefix }: Pick<PlacedDocument, 'file' | 'prefix'>,
): readonly SpecProblem[] {
  const under = (...keys: readonly string[]) => ({
    file,
    pointer: prefix + pointer('spec', ...place, ...keys),
  });
  const mode = at(spec, ...place, 'mode') ?? '';
  const problems: SpecProblem[] = [];
  if (mode !== '' && !modes.some((each) => each === mode))
    problems.push({ origin: under('mode'), message: `unknown mode ${printJson(mode)}`, valid: modes });
  if (typeof (drainOf(spec) ?? true) !== 'boolean')
    problems.push({
      origin: under('strategy', 'drainNodeBeforeUpgrade'),
      message: 'must be true or false, without quotes',
    });
  return problems;
}

const drainOf = (spec: Json | undefined): Json | undefined =>
  at(spec, ...place, 'strategy', 'drainNodeBeforeUpgrade');

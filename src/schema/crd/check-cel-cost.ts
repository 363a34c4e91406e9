import { forbidden, type FieldError } from '#kube/field-error.ts';

/** What one rule may be estimated to cost, and all rules of a schema together. */
const ruleLimit = 10_000_000;
const schemaLimit = 100_000_000;
const mostExpensive = 4;

/** The costs of a schema's rules so far. */
export type CelCosts = {
  total: number;
  expensive: readonly { readonly path: string; readonly cost: number }[];
};

export const newCosts = (): CelCosts => ({ total: 0, expensive: [] });

/** Counts an expression in; the error when it is too expensive by itself. */
export function countCost(
  costs: CelCosts,
  { path, cost, what }: { path: string; cost: number; what: string },
): readonly FieldError[] {
  costs.total += cost;
  if (cost >= schemaLimit / 100) {
    costs.expensive = [...costs.expensive, { path, cost }]
      .toSorted((left, right) => right.cost - left.cost)
      .slice(0, mostExpensive);
  }
  return cost > ruleLimit ? [forbidden(path, tooMuch(what, cost / ruleLimit))] : [];
}

/** The errors when all rules together are too expensive. */
export function totalCostErrors({ total, expensive }: CelCosts, path: string): readonly FieldError[] {
  if (total <= schemaLimit) return [];
  const share = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  return [
    ...expensive.map((each) => forbidden(each.path, share)),
    forbidden(path, tooMuch(what, total / schemaLimit)),
  ];
}

const tooMuch = (what: string, factor: number): string =>
  `${what} exceeds budget by factor of ${factorText(factor)} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;

function factorText(factor: number): string {
  if (factor > 100) return 'more than 100x';
  return `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
}

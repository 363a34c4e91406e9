import type { MetricDescription } from '#base/metrics.ts';

/** Labels that Prometheus adds to what it scrapes. */
const ofTarget: ReadonlySet<string> = new Set(['job', 'namespace', 'instance', 'pod']);

const selector = /\b((?:boathook|process|nodejs)_\w+)(?:\{([^}]*)\})?/g;
const grouping = /\b(?:by|without|on|ignoring) ?\(([^)]*)\)/g;
const matcher = /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g;

/** What an expression names that no metric has, as sentences. */
export function unknownNames(
  expr: string,
  table: readonly MetricDescription[],
  ofProcess: ReadonlySet<string> = new Set(),
): readonly string[] {
  const selectors = [...expr.matchAll(selector)].map(([, name = '', matchers = '']) => ({
    name,
    matchers,
    metric: table.find((each) => namesOf(each).includes(name)),
  }));
  const known = new Set([
    ...ofTarget,
    ...selectors.flatMap(({ metric }) => Object.keys(metric?.labels ?? {})),
    ...selectors.flatMap(({ name }) => (name.endsWith('_bucket') ? ['le'] : [])),
  ]);
  return [
    ...selectors
      .filter(({ name, metric }) => metric === undefined && !ofProcess.has(name))
      .map(({ name }) => `there is no metric ${name}`),
    ...selectors.flatMap(({ name, matchers, metric }) =>
      [...matchers.matchAll(matcher)].flatMap(([, label = '', , value = '']) =>
        matcherProblems(metric, { name, label, value }),
      ),
    ),
    ...groupedBy(expr)
      .filter((label) => !known.has(label))
      .map((label) => `no metric of the expression has the label ${label}`),
  ];
}

const groupedBy = (expr: string): readonly string[] =>
  [...expr.matchAll(grouping)]
    .flatMap(([, labels = '']) => labels.split(','))
    .map((label) => label.trim())
    .filter((label) => label !== '');

/** The series of a metric. */
const namesOf = ({ type, name }: MetricDescription): readonly string[] =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];

type Matcher = { readonly name: string; readonly label: string; readonly value: string };

function matcherProblems(
  metric: MetricDescription | undefined,
  { name, label, value }: Matcher,
): readonly string[] {
  if (ofTarget.has(label)) return [];
  const values = metric?.labels[label];
  if (values === undefined) return [`${name} has no label ${label}`];
  // The values of a label are described in words; a regular expression of digits is not checked.
  const words = value.split('|').filter((word) => /^[A-Za-z]+$/.test(word));
  return words
    .filter((word) => !new RegExp(`\\b${word}\\b`).test(values))
    .map((word) => `the label ${label} of ${name} is never ${word}`);
}

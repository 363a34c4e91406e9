import type { MetricChart } from '#web/wire/hook-pages.ts';

type Threshold = MetricChart['thresholds'][number];

const number = String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`;
/** A comparison of something with `result` in it and a number, such as `asInt(result) < 30` or `0.99 <= result[0]`. */
const withRight = new RegExp(
  String.raw`([\w.[\]()]*\bresult\b[\w.[\]()]*)\s*(<=|>=|<|>|==|!=)\s*(${number})(?![\w.])`,
  'g',
);
const withLeft = new RegExp(
  String.raw`(?<![\w.])(${number})\s*(<=|>=|<|>|==|!=)\s*([\w.[\]()]*\bresult\b[\w.[\]()]*)`,
  'g',
);
const mirrored: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };

/** The numbers that the conditions of a metric compare its result with. */
export function thresholdsOf(
  successCondition: string | undefined,
  failureCondition: string | undefined,
): readonly Threshold[] {
  const found = [
    ...inCondition(successCondition ?? '', 'passes if'),
    ...inCondition(failureCondition ?? '', 'fails if'),
  ];
  const distinct = new Map(found.map((each) => [`${each.value} ${each.label}`, each]));
  return [...distinct.values()].slice(0, 8);
}

function inCondition(condition: string, lead: string): readonly Threshold[] {
  // Conditions in templates may be long: a chart needs few lines.
  const text = condition.slice(0, 2000);
  const right = [...text.matchAll(withRight)].map(([, , sign = '', value = '']) =>
    threshold(lead, sign, value),
  );
  const left = [...text.matchAll(withLeft)].map(([, value = '', sign = '']) =>
    threshold(lead, mirrored[sign] ?? sign, value),
  );
  return [...right, ...left].filter(({ value }) => Number.isFinite(value));
}

const threshold = (lead: string, sign: string, value: string): Threshold => ({
  value: Number(value),
  label: `${lead} ${sign} ${value}`,
});

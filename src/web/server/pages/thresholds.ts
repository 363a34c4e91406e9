import type { MetricChart } from '#web/wire/hook-pages.ts';

type Threshold = MetricChart['thresholds'][number];

const sign = /<=|>=|==|!=|<|>/g;
const number = String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const numberAfter = new RegExp(String.raw`^(${number})(?![\w.])`);
const numberBefore = new RegExp(String.raw`(?<![\w.])(${number})$`);
const mirrored: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };

/** Conditions may be long, and hostile: only so much beside each comparison is read. */
const longest = 2000;
const beside = 60;
const most = 8;

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
  return [...distinct.values()].slice(0, most);
}

/** Comparisons of something with `result` in it and a number, such as `asInt(result) < 30` or `0.99 <= result[0]`. */
function inCondition(condition: string, lead: string): readonly Threshold[] {
  const text = condition.slice(0, longest);
  return [...text.matchAll(sign)].flatMap(({ 0: comparison, index }) => {
    const left = text.slice(Math.max(0, index - beside), index).trimEnd();
    const right = text.slice(index + comparison.length, index + comparison.length + beside).trimStart();
    const after = numberAfter.exec(right)?.[1];
    if (after !== undefined && isAboutResult(lastTerm(left))) return thresholdAt(lead, comparison, after);
    const before = numberBefore.exec(left)?.[1];
    return before !== undefined && isAboutResult(firstTerm(right))
      ? thresholdAt(lead, mirrored[comparison] ?? comparison, before)
      : [];
  });
}

const isAboutResult = (term: string): boolean => /\bresult\b/.test(term);
const lastTerm = (text: string): string => text.split(/[^\w.[\]()]/).at(-1) ?? '';
const firstTerm = (text: string): string => text.split(/[^\w.[\]()]/)[0] ?? '';

function thresholdAt(lead: string, comparison: string, text: string): readonly Threshold[] {
  const value = Number(text);
  return Number.isFinite(value) ? [{ value, label: `${lead} ${comparison} ${text}` }] : [];
}

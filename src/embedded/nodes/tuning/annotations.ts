import { isTuningKey, tuningTable, type Tuning, type TuningKey } from './keys.ts';

/** The prefix of all annotations that tune a pod. */
export const tuningPrefix = 'sim.boathook.dev/';

/** Texts by key, such as `{ 'crash-after': '5s', 'pull.sidecar': 'error' }`. */
export type TuningTexts = Readonly<Record<string, string>>;

export type TuningProblem = { readonly key: string; readonly message: string };

/**
 * The settings of one container. A bare key applies to all ordinary containers, `KEY.CONTAINER` to that one;
 * the latter wins. Invalid values are left out.
 */
export function tuningOf(texts: TuningTexts, container: string, isOrdinary: boolean): Partial<Tuning> {
  const found: { [key in TuningKey]?: unknown } = {};
  const read = (key: string, text: string): void => {
    if (!isTuningKey(key)) return;
    const value = tuningTable[key].parse(text);
    if (value !== undefined) found[key] = value;
  };
  for (const [key, text] of Object.entries(texts)) if (isOrdinary && !key.includes('.')) read(key, text);
  const suffix = `.${container}`;
  for (const [key, text] of Object.entries(texts))
    if (key.endsWith(suffix)) read(key.slice(0, -suffix.length), text);
  return found as Partial<Tuning>;
}

/** The tuning texts among a pod's annotations. */
export function tuningTexts(annotations: Readonly<Record<string, string>>): TuningTexts {
  let found: { [key: string]: string } | undefined;
  for (const key in annotations) {
    if (!key.startsWith(tuningPrefix)) continue;
    found ??= {};
    found[key.slice(tuningPrefix.length)] = annotations[key] ?? '';
  }
  return found ?? noTexts;
}

const noTexts: TuningTexts = {};

/** The invalid texts, with messages for users. */
export function tuningProblems(texts: TuningTexts, containers: readonly string[]): readonly TuningProblem[] {
  return Object.entries(texts).flatMap(([whole, text]) => {
    const [key = '', container] = whole.split('.', 2);
    if (!isTuningKey(key)) return [{ key: whole, message: `there is no ${tuningPrefix}${key}` }];
    if (container !== undefined && !containers.includes(container))
      return [{ key: whole, message: `the pod has no container ${JSON.stringify(container)}` }];
    const row = tuningTable[key];
    if (row.parse(text) !== undefined) return [];
    return [{ key: whole, message: `${JSON.stringify(text)} is not ${row.form}` }];
  });
}

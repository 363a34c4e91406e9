import { breakGlassAnnotation } from '#releases/model/well-known.ts';

/** The break-glass annotation: the pod or the workload is deleted without its hook. */
export type BreakGlass =
  | { readonly type: 'whole' }
  | ({ readonly type: 'broken' } & BreakGlassBy)
  /** It does not name a person and a reason. */
  | { readonly type: 'unreadable' };

export type BreakGlassBy = { readonly person: string; readonly why: string };

export function breakGlassOf(annotations: Readonly<Record<string, string>>): BreakGlass {
  const text = annotations[breakGlassAnnotation];
  if (text === undefined) return { type: 'whole' };
  const [, person, why] = /^\s*([^:]*\S)\s*:\s*(\S.*)$/s.exec(text) ?? [];
  return person === undefined || why === undefined
    ? { type: 'unreadable' }
    : { type: 'broken', person, why: why.trim() };
}

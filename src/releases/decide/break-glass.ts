import { breakGlassAnnotation } from './words.ts';

/** The annotation by which a person lets a pod or a workload go without its hook. */
export type Glass =
  | { readonly type: 'whole' }
  | ({ readonly type: 'broken' } & BrokenGlass)
  /** It names no person and reason. */
  | { readonly type: 'unreadable' };

export type BrokenGlass = { readonly person: string; readonly why: string };

export function brokenGlass(annotations: Readonly<Record<string, string>>): Glass {
  const text = annotations[breakGlassAnnotation];
  if (text === undefined) return { type: 'whole' };
  const [, person, why] = /^\s*([^:]*\S)\s*:\s*(\S.*)$/s.exec(text) ?? [];
  return person === undefined || why === undefined
    ? { type: 'unreadable' }
    : { type: 'broken', person, why: why.trim() };
}

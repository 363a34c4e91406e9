import type { Action, Binding, Facts, SourceChild } from './model.ts';
import { baseName } from './paths.ts';
import type { PlanNote } from './plan.ts';
import type { Problem } from './problem.ts';

export type ScriptSource = { readonly name: string; readonly path: string; readonly digest: string };

type SourceAction = Extract<Action, { type: 'source' }>;

/** The scripts of a binding in the order in which they run. */
export function scriptsOf(
  action: SourceAction,
  { sources }: Pick<Facts, 'sources'>,
): readonly ScriptSource[] {
  const path = chosen(action, { sources });
  const fact = sources.get(path);
  if (fact?.type === 'file') return [{ name: baseName(path), path, digest: fact.digest }];
  if (fact?.type !== 'directory') return [];
  return fact.children.flatMap(({ name, fact: child }) =>
    child.type === 'file' && whyLeftOut({ name, fact: child }) === undefined
      ? [{ name, path: `${path}/${name}`, digest: child.digest }]
      : [],
  );
}

/** Sources that are missing, of a wrong kind, or folders without a script. */
export const checkScripts = (
  bindings: readonly Binding[],
  facts: Pick<Facts, 'sources'>,
): readonly Problem[] =>
  bindings.flatMap(({ action, origin }): readonly Problem[] => {
    if (action.type !== 'source') return [];
    const path = chosen(action, facts);
    const fact = facts.sources.get(path);
    if (fact === undefined || fact.type === 'missing')
      return [{ origin, message: `the script ${action.candidates.join(', nor ')} does not exist` }];
    if (fact.type === 'refused')
      return [{ origin, message: `${path} is ${fact.what}: a script or a folder of scripts is needed` }];
    if (fact.type === 'file' && fact.size === 0) return [{ origin, message: `the script ${path} is empty` }];
    if (scriptsOf(action, facts).length > 0) return [];
    return [{ origin, message: `the folder ${path} has no script to run${reasons(fact)}` }];
  });

/** What stands in a folder of scripts and does not run (A8): never silently. */
export const leftOutNotes = (
  bindings: readonly Binding[],
  facts: Pick<Facts, 'sources'>,
): readonly PlanNote[] =>
  bindings.flatMap(({ action, origin }): readonly PlanNote[] => {
    if (action.type !== 'source') return [];
    const path = chosen(action, facts);
    const fact = facts.sources.get(path);
    if (fact?.type !== 'directory') return [];
    return fact.children.flatMap((child) => {
      const why = whyLeftOut(child);
      return why === undefined
        ? []
        : [{ type: 'notice', message: `${path}/${child.name} is left out: ${why}`, origin }];
    });
  });

const chosen = ({ candidates }: SourceAction, { sources }: Pick<Facts, 'sources'>): string =>
  candidates.find((path) => (sources.get(path)?.type ?? 'missing') !== 'missing') ?? candidates[0] ?? '';

function whyLeftOut({ name, fact }: SourceChild): string | undefined {
  if (fact.type === 'directory') return 'a folder inside the folder';
  if (fact.type === 'missing') return 'a link that leads nowhere';
  if (fact.type === 'refused') return fact.what;
  if (fact.size === 0) return 'it is empty';
  if (!fact.interpreter && !/\.(?:sh|bash)$/.test(name))
    return 'no script: neither an interpreter line nor a name in .sh or .bash';
  return (fact.mode & 0o111) === 0 ? 'it is not executable (chmod +x)' : undefined;
}

const reasons = (fact: { readonly type: string; readonly children?: readonly SourceChild[] }): string => {
  const all = (fact.children ?? []).map((child) => `${child.name}: ${whyLeftOut(child) ?? ''}`);
  return all.length === 0 ? '' : ` (${all.join('; ')})`;
};

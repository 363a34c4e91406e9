import type { HookAction, Binding, Facts, FolderFact, SourceChild } from './model.ts';
import { baseName, folderOf } from './paths.ts';
import type { Material, PlanNote } from './plan.ts';
import type { SpecProblem } from './problem.ts';

export type ScriptSource = {
  readonly name: string;
  readonly path: string;
  readonly digest: string;
  /** The whole folder of the script, when there is more in it than the script. */
  readonly materials: readonly Material[];
};

type SourceAction = Extract<HookAction, { type: 'source' }>;
type Sources = Pick<Facts, 'sources' | 'folders'>;

/** The scripts of a binding in the order in which they run. */
export function scriptsOf(action: SourceAction, facts: Sources): readonly ScriptSource[] {
  const path = chosen(action, facts);
  const fact = facts.sources.get(path);
  const scripts = (
    fact?.type === 'file'
      ? [{ name: baseName(path), path, digest: fact.digest }]
      : fact?.type === 'directory'
        ? runnable(path, fact.children)
        : []
  ) satisfies readonly Omit<ScriptSource, 'materials'>[];
  const materials = materialsOf(facts.folders?.get(folderFor(action, facts)), scripts);
  return scripts.map((script) => ({ ...script, materials }));
}

/** The folder that is sent with the scripts of a binding: their own. */
function folderFor(action: SourceAction, facts: Sources): string {
  const path = chosen(action, facts);
  return facts.sources.get(path)?.type === 'directory' ? path : folderOf(path);
}

/** The folders to look at before a plan is made; scripts on the operator's machine run where they are. */
export const scriptFolders = (bindings: readonly Binding[], facts: Sources): readonly string[] =>
  bindings.flatMap(({ action, scope }) =>
    action.type === 'source' && scope.type !== 'local' ? [folderFor(action, facts)] : [],
  );

function materialsOf(
  folder: FolderFact | undefined,
  scripts: readonly { readonly name: string }[],
): readonly Material[] {
  if (folder?.type !== 'folder' || folder.files.length < 2) return [];
  const names = new Set(scripts.map(({ name }) => name));
  // A script may lack the execute bit; the copy has it.
  return folder.files.map(({ path, name, digest, size, mode }) => ({
    src: path,
    name,
    digest,
    size,
    mode: (names.has(name) ? mode | 0o700 : mode) & 0o777,
  }));
}

const runnable = (
  path: string,
  children: readonly SourceChild[],
): readonly { readonly name: string; readonly path: string; readonly digest: string }[] =>
  children.flatMap(({ name, fact }) =>
    fact.type === 'file' && whyNotRun({ name, fact }) === undefined
      ? [{ name, path: `${path}/${name}`, digest: fact.digest }]
      : [],
  );

/** Sources that are missing, of a wrong kind, or folders without a script, or that cannot go along. */
export const checkScripts = (bindings: readonly Binding[], facts: Sources): readonly SpecProblem[] =>
  bindings.flatMap(({ action, origin }): readonly SpecProblem[] => {
    if (action.type !== 'source') return [];
    const path = chosen(action, facts);
    const fact = facts.sources.get(path);
    if (fact === undefined || fact.type === 'missing')
      return [{ origin, message: `the script ${action.candidates.join(', nor ')} does not exist` }];
    if (fact.type === 'refused')
      return [{ origin, message: `${path} is ${fact.what}: a script or a folder of scripts is needed` }];
    if (fact.type === 'file' && fact.size === 0) return [{ origin, message: `the script ${path} is empty` }];
    const folder = folderFor(action, facts);
    const whole = facts.folders?.get(folder);
    if (whole?.type === 'refused') return [{ origin, message: tooMuch(folder, whole.what) }];
    if (scriptsOf(action, facts).length > 0) return [];
    return [{ origin, message: `the folder ${path} has no script to run${reasons(fact)}` }];
  });

const tooMuch = (folder: string, what: string): string =>
  `${folder} ${what}. The whole folder of a script is sent to the machines: put the script, and what it needs, into a folder of its own`;

/** What stands in a folder of scripts and does not run, and what does not even go along: never silently. */
export const leftOutNotes = (bindings: readonly Binding[], facts: Sources): readonly PlanNote[] =>
  bindings.flatMap(({ action, origin }): readonly PlanNote[] => {
    if (action.type !== 'source') return [];
    const path = chosen(action, facts);
    const fact = facts.sources.get(path);
    const folder = facts.folders?.get(folderFor(action, facts));
    const notice = (message: string): PlanNote => ({ type: 'notice', message, origin });
    const staying = folder?.type === 'folder' ? folder.leftOut : [];
    const idle = (fact?.type === 'directory' ? fact.children : []).flatMap((child) => {
      const why = whyNotRun(child);
      const isNamed = staying.some(({ name }) => name === child.name);
      if (why === undefined || isNamed) return [];
      const also = folder?.type === 'folder' && folder.files.some(({ name }) => isWithin(name, child.name));
      return [notice(`${path}/${child.name} is not run${also ? ' but sent along' : ''}: ${why}`)];
    });
    const links = (folder?.type === 'folder' ? folder.links : []).map(({ name, to }) =>
      notice(`${folderFor(action, facts)}/${name} is a link to ${to}; its content is sent`),
    );
    return [
      ...idle,
      ...staying.map(({ name, why }) => notice(`${folderFor(action, facts)}/${name} is not sent: ${why}`)),
      ...links,
    ];
  });

const isWithin = (name: string, folder: string): boolean => name === folder || name.startsWith(`${folder}/`);

const chosen = ({ candidates }: SourceAction, { sources }: Sources): string =>
  candidates.find((path) => (sources.get(path)?.type ?? 'missing') !== 'missing') ?? candidates[0] ?? '';

function whyNotRun({ name, fact }: SourceChild): string | undefined {
  if (fact.type === 'directory') return 'a folder inside the folder';
  if (fact.type === 'missing') return 'a broken link';
  if (fact.type === 'refused') return fact.what;
  if (name.startsWith('.')) return 'it is hidden';
  if (fact.size === 0) return 'it is empty';
  return fact.interpreter || /\.(?:sh|bash)$/.test(name)
    ? undefined
    : 'not a script: it has no interpreter line, and its name does not end in .sh or .bash';
}

const reasons = (fact: { readonly type: string; readonly children?: readonly SourceChild[] }): string => {
  const all = (fact.children ?? []).map((child) => `${child.name}: ${whyNotRun(child) ?? ''}`);
  return all.length === 0 ? '' : ` (${all.join('; ')})`;
};

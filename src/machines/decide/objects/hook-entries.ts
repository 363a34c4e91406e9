import { at, isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { HookArg } from '#hooks/kinds/metric.ts';
import type { Binding, Origin } from '#machines/decide/model.ts';
import { tkestackPolicy } from '#machines/decide/presets.ts';
import { pointer, type SpecProblem } from '#machines/decide/problem.ts';
import { tkestackTypes } from '#machines/decide/tkestack-hooks.ts';

/** A HookTemplate that stands where a script could. */
export type TemplateRef = {
  readonly templateName: string;
  readonly namespace: string;
  readonly args: readonly HookArg[];
};

export type HookEntries = {
  /** `features.hooks` with its commands alone. */
  readonly commands: JsonObject;
  /** By hook type, without the prefix. */
  readonly templates: ReadonlyMap<string, TemplateRef>;
  readonly problems: readonly SpecProblem[];
};

/** The name under which the hook between two batches is known. */
export const betweenBatches = 'BetweenBatches';

/** Tells commands from questions. */
export function hookEntries(cluster: Json): HookEntries {
  const hooks = objectAt(cluster, 'spec', 'features', 'hooks') ?? {};
  const templates = new Map<string, TemplateRef>();
  const problems: SpecProblem[] = [];
  const commands = Object.entries(hooks).filter(([key, value]) => {
    if (!isObject(value)) return true;
    const name = key.startsWith('Hook') ? key.slice('Hook'.length) : key;
    const origin = { file: '', pointer: pointer('spec', 'features', 'hooks', key) };
    const read = templateRef(value, origin);
    if ('message' in read) problems.push(read);
    else if (templates.has(name)) problems.push({ origin, message: `the hook type ${name} is given twice` });
    else templates.set(name, read);
    return false;
  });
  const between = objectAt(cluster, 'spec', 'features', 'upgrade', 'betweenBatches');
  if (between !== undefined) {
    const origin = { file: '', pointer: '/spec/features/upgrade/betweenBatches' };
    const read = templateRef(between, origin);
    if ('message' in read) problems.push(read);
    else templates.set(betweenBatches, read);
  }
  return { commands: Object.fromEntries(commands), templates, problems };
}

const known = ['templateName', 'namespace', 'args'];

function templateRef(value: JsonObject, origin: Origin): TemplateRef | SpecProblem {
  const templateName = textAt(value, 'templateName') ?? '';
  if (templateName === '') return { origin, message: 'templateName is required: a HookTemplate' };
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) return { origin, message: `${unknown} is not known here`, valid: known };
  const args = listAt(value, 'args').flatMap((arg): readonly HookArg[] => {
    const [name, text] = [textAt(arg, 'name'), textAt(arg, 'value')];
    const isBare = at(arg, 'value') === undefined;
    if (name === undefined || (text === undefined && !isBare)) return [];
    return [{ name, ...(text !== undefined && { value: text }) }];
  });
  if (args.length < listAt(value, 'args').length)
    return { origin, message: 'every arg needs a name, and a value that is a text' };
  return { templateName, namespace: textAt(value, 'namespace') ?? 'default', args };
}

const gatePrefix = '/@hook-template/';

/** The hook type that a step stands for when it asks a HookTemplate instead of running a script. */
export const gateOf = (program: { readonly type: string; readonly path?: string }): string | undefined =>
  program.type === 'delivered' && program.path?.startsWith(gatePrefix) === true
    ? program.path.slice(gatePrefix.length)
    : undefined;

/** Where a question has its place among the hooks: a binding whose script is never delivered, nor run. */
export function gateBindings(templates: HookEntries['templates']): readonly Binding[] {
  const policy = tkestackPolicy(undefined);
  return [...templates.keys()].map((name): Binding => {
    const type = tkestackTypes[name] ?? between;
    return {
      name,
      ...type,
      action: { type: 'delivered', path: `${gatePrefix}${name}`, argv: [] },
      policies: Object.fromEntries(type.operations.map((operation) => [operation, policy])),
      depth: type.scope.type === 'once' ? 0 : 2,
      dialect: 'tkestack',
      condition: `Ensure${name}Hook`,
      origin: { file: '', pointer: pointer('spec', 'features', 'hooks', name) },
      declared: name,
    };
  });
}

const between = tkestackTypes['PostClusterUpgrade'] ?? {
  operations: ['cluster.upgrade'],
  point: 'post',
  scope: { type: 'once', role: 'master' },
};

import { at, isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { HookArg } from '#hooks/kinds/metric.ts';
import type { Binding, Origin } from '#machines/decide/model.ts';
import { tkestackPolicy } from '#machines/decide/presets.ts';
import { pointer, type SpecProblem } from '#machines/decide/problem.ts';
import { hookTypeOf, tkestackTypes } from '#machines/decide/tkestack-hooks.ts';

/** A HookTemplate in place of a script. */
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

/** The name of the hook between two batches. */
export const betweenBatches = 'BetweenBatches';

/** Separates commands from HookTemplates. */
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
    return { origin, message: 'every arg needs a name, and a value that is a string' };
  return { templateName, namespace: textAt(value, 'namespace') ?? 'default', args };
}

const gatePrefix = '/@hook-template/';

/** The hook type of a step that stands for a HookTemplate. */
export const gateOf = (program: { readonly type: string; readonly path?: string }): string | undefined =>
  program.type === 'delivered' && program.path?.startsWith(gatePrefix) === true
    ? program.path.slice(gatePrefix.length)
    : undefined;

/** Bindings that mark the places of gates among the hooks; their scripts do not exist and never run. */
export function gateBindings(templates: HookEntries['templates']): readonly Binding[] {
  const policy = tkestackPolicy(undefined);
  return [...templates.keys()].map((name): Binding => {
    const type = hookTypeOf(name) ?? between;
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

const between = tkestackTypes.PostClusterUpgrade;

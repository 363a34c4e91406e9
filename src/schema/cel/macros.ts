import { accumulator, type Expr, type Fold } from './expr.ts';

/** A call that may be a macro: its arguments are expressions, not values. */
export type MacroCall = {
  readonly at: number;
  readonly name: string;
  readonly target: Expr;
  readonly args: readonly Expr[];
};

/** The loop or binding that a member macro stands for; undefined when it is an ordinary call. */
export function expandMember(call: MacroCall): Expr | undefined {
  const { name, args } = call;
  const [variable, first, second] = args;
  if (variable?.op !== 'ident' || first === undefined) return undefined;
  const site = { ...call, variable: variable.name };
  if (name === 'map' && args.length === 3) return mapping(site, first, second);
  if (args.length !== 2) return undefined;
  return memberMacros[name]?.(site, first);
}

/** Whether a member call with that many arguments is a macro, and so wants a name first. */
export const isMemberMacro = (name: string, args: number): boolean =>
  (Object.hasOwn(memberMacros, name) && args === 2) || (name === 'map' && args === 3);

type Site = MacroCall & { readonly variable: string };

const memberMacros: Readonly<Record<string, (site: Site, body: Expr) => Expr | undefined>> = {
  all: (site, body) => quantifier(site, body, 'all'),
  exists: (site, body) => quantifier(site, body, 'exists'),
  exists_one: existsOne,
  map: (site, body) => mapping(site, undefined, body),
  filter: filtering,
  optMap: (site, body) => binding(site, body, false),
  optFlatMap: (site, body) => binding(site, body, true),
};

const literal = (at: number, value: boolean | bigint): Expr => ({ op: 'literal', at, value });
const accuAt = (at: number): Expr => ({ op: 'ident', at, name: accumulator });
const call = (at: number, name: string, ...args: readonly Expr[]): Expr => ({
  op: 'call',
  at,
  name,
  target: undefined,
  args,
});

const base = ({ at, variable, target }: Site): Pick<Fold, 'op' | 'at' | 'variable' | 'range'> => ({
  op: 'fold',
  at,
  variable,
  range: target,
});

function quantifier(site: Site, body: Expr, macro: 'all' | 'exists'): Fold {
  const { at } = site;
  const all = macro === 'all';
  const going = all ? accuAt(at) : call(at, '!_', accuAt(at));
  return {
    ...base(site),
    macro,
    init: literal(at, all),
    condition: call(at, '@not_strictly_false', going),
    step: call(at, all ? '_&&_' : '_||_', accuAt(at), body),
    result: accuAt(at),
    predicate: body,
    transform: undefined,
  };
}

function existsOne(site: Site, body: Expr): Fold {
  const { at } = site;
  const more = call(at, '_+_', accuAt(at), literal(at, 1n));
  return {
    ...base(site),
    macro: 'exists_one',
    init: literal(at, 0n),
    condition: literal(at, true),
    step: call(at, '_?_:_', body, more, accuAt(at)),
    result: call(at, '_==_', accuAt(at), literal(at, 1n)),
    predicate: body,
    transform: undefined,
  };
}

function mapping(site: Site, predicate: Expr | undefined, transform: Expr | undefined): Fold | undefined {
  if (transform === undefined) return undefined;
  const { at } = site;
  const appended = call(at, '_+_', accuAt(at), { op: 'list', at, items: [transform] });
  return {
    ...base(site),
    macro: 'map',
    init: { op: 'list', at, items: [] },
    condition: literal(at, true),
    step: predicate === undefined ? appended : call(at, '_?_:_', predicate, appended, accuAt(at)),
    result: accuAt(at),
    predicate,
    transform,
  };
}

function filtering(site: Site, body: Expr): Fold {
  const { at } = site;
  const item: Expr = { op: 'ident', at, name: site.variable };
  const appended = call(at, '_+_', accuAt(at), { op: 'list', at, items: [item] });
  return {
    ...base(site),
    macro: 'filter',
    init: { op: 'list', at, items: [] },
    condition: literal(at, true),
    step: call(at, '_?_:_', body, appended, accuAt(at)),
    result: accuAt(at),
    predicate: body,
    transform: undefined,
  };
}

const binding = ({ at, variable, target }: Site, body: Expr, flat: boolean): Expr => ({
  op: 'bind',
  at,
  flat,
  variable,
  target,
  body,
});

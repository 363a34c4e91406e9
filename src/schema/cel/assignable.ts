import { isDynOrError, sameType, dynType, type CelType } from './type.ts';

/** What the type parameters met so far stand for. */
export type Bindings = Map<string, CelType>;

/** Whether each left type can stand where the right one does. What that binds stays bound, unless it fails. */
export function assignAll(bindings: Bindings, left: readonly CelType[], right: readonly CelType[]): boolean {
  if (left.length !== right.length) return false;
  const trial: Trial = { bindings, bound: [] };
  if (left.every((each, i) => unify(trial, each, right[i] ?? each))) return true;
  for (const name of trial.bound) bindings.delete(name);
  return false;
}

type Trial = { readonly bindings: Bindings; readonly bound: string[] };

/** A type with its parameters filled in; `rest` is what parameters without a meaning become. */
export function substitute(bindings: Bindings, type: CelType, rest?: CelType): CelType {
  if (type.kind === 'param') {
    const bound = bindings.get(type.name);
    return bound === undefined ? (rest ?? type) : substitute(bindings, bound, rest);
  }
  if (type.params.length === 0) return type;
  return { ...type, params: type.params.map((each) => substitute(bindings, each, rest)) };
}

function resolve(bindings: Bindings, type: CelType): CelType {
  let found = type;
  while (found.kind === 'param') {
    const next = bindings.get(found.name);
    if (next === undefined) return found;
    found = next;
  }
  return found;
}

function unify(trial: Trial, left: CelType, right: CelType): boolean {
  const { bindings } = trial;
  const a = resolve(bindings, left);
  const b = resolve(bindings, right);
  if (a === b) return true;
  if (b.kind === 'param') return bind(trial, b.name, a);
  if (a.kind === 'param') return bind(trial, a.name, b);
  if (isDynOrError(a) || isDynOrError(b)) return true;
  if (a.kind === 'null') return takesNull(b);
  if (b.kind === 'null') return takesNull(a);
  if (a.kind !== b.kind || a.name !== b.name || a.fields !== b.fields) return false;
  return (
    a.params.length === b.params.length &&
    a.params.every((each, i) => unify(trial, each, b.params[i] ?? dynType))
  );
}

function bind({ bindings, bound }: Trial, name: string, type: CelType): boolean {
  if (mentions(bindings, type, name)) return false;
  bindings.set(name, type);
  bound.push(name);
  return true;
}

function mentions(bindings: Bindings, type: CelType, name: string): boolean {
  const found = resolve(bindings, type);
  if (found.kind === 'param') return found.name === name;
  return found.params.some((each) => mentions(bindings, each, name));
}

const nullable: ReadonlySet<string> = new Set(['null', 'object', 'opaque', 'timestamp', 'duration']);
const takesNull = (type: CelType): boolean => nullable.has(type.kind);

/** Of two assignable types, the more general one. */
export function mostGeneral(left: CelType, right: CelType): CelType {
  if (left.kind === 'dyn' || right.kind === 'dyn') return dynType;
  if (left.kind === 'null') return right;
  if (left.kind === right.kind && !sameType(left, right) && left.params.some((each) => each.kind === 'param'))
    return right;
  return left;
}

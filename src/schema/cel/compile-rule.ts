import { checkExpression } from './check.ts';
import type { Decl } from './decl.ts';
import { estimateCost } from './estimate.ts';
import { formatIssues } from './issue.ts';
import { parseExpression } from './parse.ts';
import type { CelProgram } from './frame.ts';
import { planExpression } from './plan.ts';
import { boolType, optionalType, stringType, type CelType } from './type.ts';

/** An expression about a value `self` of a schema, or why it is none. */
export type CompiledExpression =
  | {
      readonly type: 'good';
      /** Takes self and oldSelf, in this order. */
      readonly program: CelProgram;
      readonly usesOldSelf: boolean;
      /** The most that it can cost on values that the schema allows. */
      readonly maxCost: number;
    }
  | { readonly type: 'bad'; readonly detail: string };

type Purpose = {
  readonly wanted: CelType;
  readonly failure: string;
  readonly wrongType: string;
};

const rulePurpose: Purpose = {
  wanted: boolType,
  failure: 'compilation failed: ',
  wrongType: 'cel expression must evaluate to a bool',
};
const messagePurpose: Purpose = {
  wanted: stringType,
  failure: 'messageExpression compilation failed: ',
  wrongType: 'messageExpression must evaluate to a string',
};

/** A rule; `optionalOldSelf` makes oldSelf an optional that is there on creation too. */
export const compileRule = (source: string, decl: Decl, optionalOldSelf: boolean): CompiledExpression =>
  remembered(source, decl, { purpose: rulePurpose, optionalOldSelf });

/** The `messageExpression` of a rule. */
export const compileMessage = (source: string, decl: Decl, optionalOldSelf: boolean): CompiledExpression =>
  remembered(source, decl, { purpose: messagePurpose, optionalOldSelf });

type Options = { readonly purpose: Purpose; readonly optionalOldSelf: boolean };

const known = new WeakMap<Decl, Map<string, CompiledExpression>>();

function remembered(source: string, decl: Decl, options: Options): CompiledExpression {
  const ofDecl = known.get(decl) ?? new Map<string, CompiledExpression>();
  known.set(decl, ofDecl);
  const key = `${options.purpose.wanted.name}${options.optionalOldSelf ? '?' : ''} ${source}`;
  const before = ofDecl.get(key);
  if (before !== undefined) return before;
  const made = compileSafely(source, decl, options);
  ofDecl.set(key, made);
  return made;
}

/** Whatever is too deep for this machine's stack is too deep. */
function compileSafely(source: string, decl: Decl, options: Options): CompiledExpression {
  try {
    return compile(source, decl, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const issue = { at: 0, message: 'expression recursion limit exceeded: 250' };
    return { type: 'bad', detail: `${options.purpose.failure}${formatIssues(source, [issue])}` };
  }
}

function compile(source: string, decl: Decl, { purpose, optionalOldSelf }: Options): CompiledExpression {
  const parsed = parseExpression(source);
  if (parsed.type === 'bad')
    return { type: 'bad', detail: `${purpose.failure}${formatIssues(source, parsed.issues)}` };
  const oldSelf = optionalOldSelf ? optionalType(decl.type) : decl.type;
  const checked = checkExpression(
    parsed.expr,
    new Map([
      ['self', decl.type],
      ['oldSelf', oldSelf],
    ]),
  );
  if (!('expr' in checked))
    return { type: 'bad', detail: `${purpose.failure}${formatIssues(source, checked)}` };
  if (checked.type.kind !== purpose.wanted.kind) return { type: 'bad', detail: purpose.wrongType };
  return {
    type: 'good',
    program: planExpression(checked, ['self', 'oldSelf']),
    usesOldSelf: checked.used.has('oldSelf'),
    maxCost: estimateCost(checked, decl),
  };
}

import { check } from './check.ts';
import { compile, type ConditionProgram } from './compile.ts';
import { explain } from './explain.ts';
import type { Node } from './node.ts';
import { parse } from './parse.ts';
import { positionOf, problemOf, type Fault, type ConditionProblem } from './problem.ts';
import type { ResultType } from '#hooks/providers/wire/provider-wire.ts';
import { typeOfResult, type ResultValue } from './result.ts';
import { startRun, type Evaluation } from './run.ts';
import type { Type } from './type.ts';
import { nounOf, type ExprValue } from './value.ts';

export type ConditionOutcome =
  { readonly type: 'bool'; readonly value: boolean } | { readonly type: 'error'; readonly message: string };

/** A condition that is known to be well formed and well typed. */
export type CompiledCondition = {
  readonly text: string;
  readonly resultType: ResultType;
  readonly evaluate: (result: ResultValue) => ConditionOutcome;
  /** The sub-values that decided it, few and short, the last line being the whole. */
  readonly explain: (result: ResultValue) => readonly string[];
  readonly tree: Tree;
};

/** What an analysis of the condition reads. */
export type Tree = {
  readonly root: Node;
  readonly types: ReadonlyMap<Node, Type>;
  readonly program: ConditionProgram;
};

export type Compiled =
  | { readonly ok: true; readonly condition: CompiledCondition }
  | { readonly ok: false; readonly problem: ConditionProblem };

/** Reads and checks a condition in the language of expr 1.8.9, whose names are `result`, `asInt` and `asFloat`. */
export function compileCondition(text: string, resultType: ResultType): Compiled {
  const parsed = parse(text);
  if (parsed.type === 'bad') return refused(text, parsed.fault);
  const root = parsed.node;
  const checked = check(text, root, typeOfResult[resultType]);
  if (checked.fault !== undefined) return refused(text, checked.fault);
  const program = compile(root);
  if (program.failure !== undefined)
    return refused(text, { at: program.failure.at, reason: program.failure.why });
  const tree: Tree = { root, types: checked.types, program };
  return { ok: true, condition: conditionOf(text, resultType, tree) };
}

const refused = (text: string, fault: Fault): Compiled => ({ ok: false, problem: problemOf(text, fault) });

function conditionOf(text: string, resultType: ResultType, tree: Tree): CompiledCondition {
  const { root } = tree.program;
  return {
    text,
    resultType,
    tree,
    evaluate: (result) => {
      const run = startRun(result);
      return outcomeOf(text, run, root(run));
    },
    explain: (result) => explain(text, tree.root, tree.program, result),
  };
}

const yes: ConditionOutcome = { type: 'bool', value: true };
const no: ConditionOutcome = { type: 'bool', value: false };

function outcomeOf(text: string, run: Evaluation, value: ExprValue): ConditionOutcome {
  if (run.failure !== undefined) return failed(text, run.failure.at, run.failure.why);
  if (typeof value === 'boolean') return value ? yes : no;
  return failed(text, 0, `a condition must yield true or false, and this one yielded ${nounOf(value)}`);
}

function failed(text: string, at: number, why: string): ConditionOutcome {
  const { line, column } = positionOf(text, at);
  return { type: 'error', message: `${why} (${line}:${column})` };
}

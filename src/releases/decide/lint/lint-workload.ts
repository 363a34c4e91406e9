import { isObject, textAt, type Json } from '#base/json.ts';
import type { Millis } from '#base/time.ts';
import { gameDeployment } from '#releases/kinds/game-deployment.ts';
import { gameStatefulSet } from '#releases/kinds/game-stateful-set.ts';
import { objectSchema } from '#schema/kind/crd.ts';
import { decoderOf } from '#schema/kind/read-object.ts';
import { compileSchema } from '#schema/structural/compile-schema.ts';
import { canaryDuration, durationRule } from './canary-duration.ts';
import { hookRules } from './hook-rules.ts';
import { lintSubject } from './lint-subject.ts';
import { templatesFor } from './lint-templates.ts';
import { manifestRules } from './manifest-rules.ts';
import type { ReleaseFinding } from './release-finding.ts';
import { refusedValues, unknownFields } from './schema-findings.ts';
import { shapelessSteps } from './shapeless-steps.ts';
import { stepRules } from './step-rules.ts';
import { strategyRules } from './strategy-rules.ts';

export type LintedWorkload = {
  readonly findings: readonly ReleaseFinding[];
  /** The least time that its steps take; undefined without steps, and when it does not match its schema. */
  readonly stepsTake?: Millis;
};

const kinds = {
  GameDeployment: { schema: objectSchema(gameDeployment), decode: decoderOf(gameDeployment, compileSchema) },
  GameStatefulSet: {
    schema: objectSchema(gameStatefulSet),
    decode: decoderOf(gameStatefulSet, compileSchema),
  },
} as const;

export const lintedKinds: readonly string[] = Object.keys(kinds);

/** Checks a workload. `documents`: all objects of the files, for their HookTemplates. */
export function lintWorkload(document: Json, documents: readonly Json[]): LintedWorkload {
  const kind = textAt(document, 'kind') === 'GameStatefulSet' ? 'GameStatefulSet' : 'GameDeployment';
  const { schema, decode } = kinds[kind];
  if (!isObject(document)) return { findings: [] };
  const unknown = unknownFields(schema, document);
  const decoded = decode(document);
  if (decoded.type === 'refused') {
    const refused = refusedValues(schema, document, decoded.errors);
    const others = shapelessSteps(document).filter(({ path }) => !refused.some((each) => each.path === path));
    return { findings: [...unknown, ...refused, ...others] };
  }
  const namespace = textAt(document, 'metadata', 'namespace') ?? '';
  const subject = lintSubject(decoded.object, document, templatesFor(documents, namespace));
  const found = [...unknown, ...rules.flatMap((rule) => rule(subject))];
  return subject.steps.length === 0
    ? { findings: found }
    : { findings: found, stepsTake: canaryDuration(subject) };
}

const rules = [manifestRules, strategyRules, stepRules, hookRules, durationRule] as const;

import { hashText } from '#base/hash.ts';
import { seededRandom } from '#base/random.ts';
import { millis, seconds, type Millis } from '#base/time.ts';
import type { ScriptedRun, StartedScript } from '#embedded/machines/machine/machine-parts.ts';
import { localNode, type MachinePlan } from '#machines/decide/plan.ts';
import type { MachineRules, MachineTrouble, ScriptedFailure } from './machine-rules.ts';
import { stepsNamed } from './named-steps.ts';
import { usualSpan } from './usual-spans.ts';

export type StartedBehaviour = {
  readonly run: ScriptedRun;
  /** The machine fails so long after the start of the script. */
  readonly trouble?: { readonly type: 'down' | 'crash'; readonly after: Millis };
};

/** How long a script takes on which a machine fails, unless `--step` says it. */
const troubleSpan = seconds(10);

/**
 * How scripts behave on the machines of a rehearsal. Everything random depends on the seed, the machine and the script,
 * never on the order in which things happen.
 */
export class ScriptBehaviour {
  readonly #plan: MachinePlan;
  readonly #rules: MachineRules;
  readonly #seed: number;
  readonly #named = new Map<string, ReadonlySet<string>>();
  readonly #counts = new Map<string, number>();

  constructor(plan: MachinePlan, rules: MachineRules, seed: number) {
    this.#plan = plan;
    this.#rules = rules;
    this.#seed = seed;
  }

  /** A script that starts on a machine. */
  start(node: string, { step }: StartedScript): StartedBehaviour {
    const attempt = this.#count(`script ${node} ${step}`);
    const given = this.#rules.spans.findLast((rule) => this.#isNamed(rule.step, step))?.span;
    const slowness = this.#slowness(node);
    const span = given === undefined ? undefined : millis(given * slowness);
    const type = attempt === 0 ? this.#troubleAt(node, step) : undefined;
    if (type !== undefined) {
      const whole = span ?? millis(troubleSpan * slowness);
      return { run: { span: whole }, trouble: { type, after: millis(whole / 2) } };
    }
    const chance = this.#share(`fail ${node} ${step} ${attempt}`);
    const isFailing = this.#rules.failures.some(
      (rule) => isOn(rule, node) && this.#isNamed(rule.step, step) && doesFail(rule, attempt, chance),
    );
    return {
      run: {
        ...(span !== undefined && { span }),
        ...(isFailing && { exit: 1 }),
        ...(slowness !== 1 && { slowness }),
      },
    };
  }

  /** How long a program takes that is not run, as part of a script on a machine that is not slow. */
  programSpan(node: string, command: string): Millis {
    const key = `program ${node} ${command}`;
    const spread = 0.75 + 0.75 * this.#share(`${key} ${this.#count(key)}`);
    return millis(Math.ceil(1000 * usualSpan(command) * spread));
  }

  isDownAtFirst(node: string): boolean {
    return this.#rules.troubles.some(
      (rule) => rule.type === 'down' && rule.step === undefined && isOn(rule, node),
    );
  }

  #troubleAt(node: string, step: string): 'down' | 'crash' | undefined {
    const isHere = (rule: MachineTrouble): boolean =>
      'step' in rule && rule.step !== undefined && isOn(rule, node) && this.#isNamed(rule.step, step);
    const found = this.#rules.troubles.find(isHere);
    return found === undefined || found.type === 'slow' ? undefined : found.type;
  }

  #isNamed(text: string, step: string): boolean {
    const steps = this.#named.get(text) ?? stepsNamed(this.#plan, text);
    this.#named.set(text, steps);
    return steps.has(step);
  }

  /** How often this was counted before. */
  #count(key: string): number {
    const before = this.#counts.get(key) ?? 0;
    this.#counts.set(key, before + 1);
    return before;
  }

  #slowness(node: string): number {
    return this.#rules.troubles.reduce(
      (all, each) => (each.type === 'slow' && isOn(each, node) ? all * each.factor : all),
      1,
    );
  }

  /** A number in [0, 1) that depends on nothing but the seed and the key. */
  #share(key: string): number {
    return seededRandom(Number.parseInt(hashText(`${this.#seed} ${key}`).slice(8), 16)).next();
  }
}

const isOn = (rule: { readonly node: string }, node: string): boolean =>
  rule.node === node || (rule.node === '*' && node !== localNode);

function doesFail({ how }: ScriptedFailure, attempt: number, chance: number): boolean {
  switch (how.type) {
    case 'always':
      return true;
    case 'times':
      return attempt < how.times;
    case 'share':
      return chance < how.share;
  }
}

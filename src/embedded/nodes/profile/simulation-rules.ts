import { listAt, textAt } from '#base/json.ts';
import { instant, millis, parseTime, type Instant } from '#base/time.ts';
import { decoderOf } from '#schema/kind/read-object.ts';
import { simulationProfile, type SimulationProfile } from './simulation-profile.ts';
import type { Resource } from '#kube/resource.ts';
import { labelSelectorOf, matchesLabels } from '#kube/label-selector.ts';
import { annotationsOf, labelsOf, nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import { compileSchema } from '#schema/structural/compile-schema.ts';
import { patternOf } from '#schema/structural/pattern.ts';
import { createInformer, type Informer } from '#loop/informer.ts';
import { reportNothing, type Report } from '#loop/report.ts';
import { noRules } from '#embedded/nodes/pod/pod-sync.ts';
import { tuningPrefix, type TuningTexts } from '#embedded/nodes/tuning/annotations.ts';
import { hashNumber } from '#embedded/nodes/tuning/draw.ts';
import type { NodesLoopDeps } from '#embedded/nodes/api/deps.ts';

export const simulationProfiles: Resource = {
  group: simulationProfile.group,
  version: simulationProfile.version,
  plural: simulationProfile.plural,
  namespaced: false,
};

export type SimulationRulesDeps = Omit<NodesLoopDeps, 'tasks'> & { readonly seed: number };

/** The rules of all SimulationProfiles of a cluster, kept up to date. */
export type SimulationRules = {
  readonly rules: (pod: KubeObject, now: Instant) => TuningTexts;
  /** Called when the rules may have changed: a profile changed, or one expired. */
  onChange(listener: () => void): void;
};

/** Follows the profiles until `stop` aborts; they are known when this resolves. The kind must be served. */
export async function startSimulationRules(
  deps: SimulationRulesDeps,
  stop: AbortSignal,
): Promise<SimulationRules> {
  const rules = createSimulationRules(deps);
  void rules.run(stop);
  await rules.synced;
  return rules;
}

function createSimulationRules(deps: SimulationRulesDeps): SimulationRules & Following {
  const { clock, report = reportNothing, seed } = deps;
  const informer = createInformer({ ...deps, resource: simulationProfiles, dropManagedFields: true });
  let listener = (): void => undefined;
  let known: readonly CompiledRule[] | undefined;
  let cancel = (): void => undefined;
  const current = (): readonly CompiledRule[] => (known ??= compileAll(informer, report));
  const expire = (): void => {
    cancel();
    const now = clock.now();
    const next = Math.min(...current().map(({ ends }) => (ends > now ? ends : Infinity)));
    if (!Number.isFinite(next)) return;
    cancel = clock.after(millis(next - now), () => {
      listener();
      expire();
    });
  };
  informer.subscribe(() => {
    known = undefined;
    expire();
    listener();
  });
  return {
    synced: informer.synced,
    async run(signal) {
      await informer.run(signal);
      cancel();
    },
    rules: (pod, now) => textsFor(current(), pod, now, seed),
    onChange: (heard) => void (listener = heard),
  };
}

/** One rule, compiled for matching many pods. */
export type CompiledRule = {
  readonly id: string;
  readonly ends: Instant;
  readonly probability: number;
  readonly fits: (pod: KubeObject) => boolean;
  /** Undefined: all ordinary containers. */
  readonly containers: ((name: string, image: string) => boolean) | undefined;
  readonly texts: readonly (readonly [key: string, text: string])[];
};

/** The rules of a profile in their order; invalid ones are reported and left out. */
export function compileProfile(object: KubeObject, report: Report): readonly CompiledRule[] {
  const decoded = decode(object);
  const profile = nameOf(object);
  if (decoded.type === 'refused') {
    report('a SimulationProfile cannot be read', { profile, why: decoded.errors[0]?.field ?? '' }, 'error');
    return [];
  }
  const { spec } = decoded.object;
  return spec.rules.flatMap((rule) => {
    try {
      return [compileRule(profile, rule, earlier(spec.expiresAt, rule.expiresAt))];
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      report('a rule of a SimulationProfile cannot be used', { profile, rule: rule.name, why }, 'error');
      return [];
    }
  });
}

/** The settings of a pod from rules, with the keys of its annotations; later rules override earlier ones. */
export function textsFor(
  rules: readonly CompiledRule[],
  pod: KubeObject,
  now: Instant,
  seed: number,
): TuningTexts {
  let found: Map<string, string> | undefined;
  for (const rule of rules) {
    if (now >= rule.ends || !rule.fits(pod) || !isDrawn(rule, pod, seed)) continue;
    found ??= new Map();
    write(found, rule, pod);
  }
  return found === undefined || found.size === 0 ? noRules : Object.fromEntries(found);
}

type Following = { readonly synced: Promise<void>; run(signal: AbortSignal): Promise<void> };

type Rule = SimulationProfile['spec']['rules'][number];

const decode = decoderOf(simulationProfile, compileSchema);
const never = instant(Infinity);

const compileAll = (informer: Informer, report: Report): readonly CompiledRule[] =>
  informer
    .list()
    .toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1))
    .flatMap((object) => compileProfile(object, report));

function compileRule(profile: string, rule: Rule, ends: Instant): CompiledRule {
  return {
    id: `${profile}/${rule.name}`,
    ends,
    probability: rule.probability ?? 1,
    fits: podsOf(rule.match ?? {}),
    containers: containersOf(rule.match ?? {}),
    texts: Object.entries(rule.set).map(([key, value]) => [key, String(value)]),
  };
}

type Match = NonNullable<Rule['match']>;

function podsOf({
  namespaces,
  nodes,
  ownerKinds,
  matchLabels,
  matchExpressions,
}: Match): CompiledRule['fits'] {
  const isIn = setTest(namespaces);
  const isOn = setTest(nodes);
  const isOwner = setTest(ownerKinds);
  const selector = labelSelectorOf({
    ...(matchLabels && { matchLabels }),
    ...(matchExpressions && {
      matchExpressions: matchExpressions.map(({ key, operator, values = [] }) => ({ key, operator, values })),
    }),
  });
  return (pod) =>
    isIn(namespaceOf(pod)) &&
    isOn(textAt(pod, 'spec', 'nodeName') ?? '') &&
    (ownerKinds === undefined ||
      listAt(pod, 'metadata', 'ownerReferences').some((owner) => isOwner(textAt(owner, 'kind') ?? ''))) &&
    matchesLabels(selector, labelsOf(pod));
}

function containersOf({ image, containers }: Match): CompiledRule['containers'] {
  if (image === undefined && containers === undefined) return undefined;
  const isNamed = setTest(containers);
  if (image === undefined) return isNamed;
  const pattern = patternOf(image);
  if (pattern.type === 'bad') throw new Error(`match.image: ${pattern.why}`);
  return (name, found) => isNamed(name) && pattern.matches(found) === 'yes';
}

function setTest(words: readonly string[] | undefined): (word: string) => boolean {
  if (words === undefined) return () => true;
  const set = new Set(words);
  return (word) => set.has(word);
}

const earlier = (...times: readonly (string | undefined)[]): Instant =>
  instant(Math.min(...times.map((time) => parseTime(time ?? '') ?? never)));

/** The same seed and pod give the same number, independent of all other pods. */
const isDrawn = ({ id, probability }: CompiledRule, pod: KubeObject, seed: number): boolean =>
  probability >= 1 || hashNumber(`${seed}/${uidOf(pod)}/${id}`) < probability * 0x1_0000_0000;

/**
 * Settings of single containers win over settings of all, so a rule for all containers removes what
 * earlier rules set for single ones, and a rule for single ones has no effect where the pod sets a value for all.
 */
function write(found: Map<string, string>, { containers, texts }: CompiledRule, pod: KubeObject): void {
  const own = annotationsOf(pod);
  const names = containers === undefined ? undefined : chosen(pod, containers);
  for (const [key, text] of texts) {
    if (names !== undefined) {
      if (own[`${tuningPrefix}${key}`] !== undefined) continue;
      for (const name of names) found.set(`${key}.${name}`, text);
      continue;
    }
    for (const before of found.keys()) if (before.startsWith(`${key}.`)) found.delete(before);
    found.set(key, text);
  }
}

const chosen = (pod: KubeObject, fits: NonNullable<CompiledRule['containers']>): readonly string[] =>
  ['initContainers', 'containers', 'ephemeralContainers']
    .flatMap((list) => listAt(pod, 'spec', list))
    .filter((each) => fits(textAt(each, 'name') ?? '', textAt(each, 'image') ?? ''))
    .map((each) => textAt(each, 'name') ?? '');

import { millis, type Instant, type Millis } from '#base/time.ts';
import { tuningOf, type TuningTexts } from './annotations.ts';
import { draw } from './draw.ts';
import type { Tuning } from './keys.ts';
import { alwaysOk, scaledOutcome, type ProbeOutcome } from './probe-outcome.ts';
import type { Profile, SpanRange } from './profiles.ts';

/** Settings of the simulation, the same for all nodes. */
export type Settings = {
  readonly profile: Profile;
  /** 0.01 makes everything a hundred times faster. */
  readonly timeScale: number;
  readonly seed: number;
  /** Between two heartbeats of a node; undefined: ten seconds, scaled. */
  readonly heartbeat?: Millis | undefined;
};

/** How a run of a container ends by itself. */
export type ScriptedExit = { readonly after: Millis; readonly exitCode: number; readonly reason: string };

/** What one run of one container does, in spans that are already scaled. */
export type ContainerScript = {
  readonly pull: 'ok' | 'error' | 'invalid';
  readonly pullTime: Millis;
  readonly pullPause: Millis;
  readonly startTime: Millis;
  readonly ending: ScriptedExit | undefined;
  readonly crashAt: Instant | undefined;
  readonly exit: { readonly code: number; readonly reason: string };
  readonly startup: ProbeOutcome;
  readonly readiness: ProbeOutcome;
  readonly liveness: ProbeOutcome;
  readonly postStart: Millis | undefined;
  readonly preStop: Millis | undefined;
  readonly term: Millis;
  readonly termExitCode: number;
  readonly logLines: readonly string[];
};

/** The container run that a script is for. */
export type ContainerRole = {
  readonly pod: string;
  readonly container: string;
  readonly kind: 'init' | 'sidecar' | 'ordinary' | 'ephemeral';
  readonly ofJob: boolean;
  readonly restartCount: number;
};

export function scriptOf(settings: Settings, texts: TuningTexts, role: ContainerRole): ContainerScript {
  const tuning = tuningOf(texts, role.container, role.kind === 'ordinary');
  const { profile, timeScale, seed } = settings;
  const scaled = (span: Millis): Millis => millis(span * timeScale);
  const drawn = (range: SpanRange, what: string): Millis =>
    draw(range, `${seed}/${role.pod}/${role.container}/${role.restartCount}/${what}`);
  const optional = (span: Millis | undefined): Millis | undefined =>
    span === undefined ? undefined : scaled(span);
  const crash = tuning['exit-code'] ?? 1;
  return {
    pull: tuning.pull ?? 'ok',
    pullTime: scaled(tuning['pull-delay'] ?? drawn(profile.pull, 'pull')),
    pullPause: scaled(profile.pullPause.least),
    startTime: scaled(tuning['start-delay'] ?? drawn(profile.start, 'start')),
    ending: endingOf(settings, tuning, role, drawn),
    crashAt: tuning['crash-at'],
    exit: { code: crash, reason: tuning['exit-reason'] ?? reasonOf(crash) },
    startup: scaledOutcome(tuning['startup-probe'] ?? alwaysOk, timeScale),
    readiness: readinessOf(tuning, timeScale),
    liveness: scaledOutcome(tuning['liveness-probe'] ?? alwaysOk, timeScale),
    postStart: optional(tuning['poststart-duration']),
    preStop: optional(tuning['prestop-duration']),
    term: scaled(tuning['term-duration'] ?? drawn(profile.term, 'term')),
    termExitCode: tuning['term-exit-code'] ?? 0,
    logLines: tuning['log-line']?.split('\n') ?? [],
  };
}

export const reasonOf = (exitCode: number): string => (exitCode === 0 ? 'Completed' : 'Error');

function readinessOf(tuning: Partial<Tuning>, timeScale: number): ProbeOutcome {
  const delay = tuning['ready-delay'];
  const output = tuning.probe ?? (delay === undefined || delay === 0 ? alwaysOk : undefined);
  return scaledOutcome(output ?? { type: 'fail-first', span: delay ?? millis(0) }, timeScale);
}

/** Init containers and containers of Jobs exit by themselves; all others run until they are stopped. */
function endingOf(
  { profile, timeScale }: Settings,
  tuning: Partial<Tuning>,
  role: ContainerRole,
  drawn: (range: SpanRange, what: string) => Millis,
): ScriptedExit | undefined {
  const isCrashing = role.restartCount < (tuning['crash-count'] ?? Infinity);
  const crash = isCrashing ? tuning['crash-after'] : undefined;
  if (crash !== undefined) return ending(crash, tuning['exit-code'] ?? 1, tuning['exit-reason'], timeScale);
  // After its simulated crashes a run that has to end exits with 0.
  const code = tuning['crash-after'] === undefined && isCrashing ? (tuning['exit-code'] ?? 0) : 0;
  const usual = usualRun(profile, role);
  const span = tuning['run-duration'] ?? (usual === undefined ? undefined : drawn(usual, 'run'));
  return span === undefined
    ? undefined
    : ending(span, code, code === 0 ? undefined : tuning['exit-reason'], timeScale);
}

function usualRun(profile: Profile, { kind, ofJob }: ContainerRole): SpanRange | undefined {
  if (kind === 'init') return profile.init;
  return kind === 'ordinary' && ofJob ? profile.job : undefined;
}

const ending = (
  after: Millis,
  exitCode: number,
  reason: string | undefined,
  timeScale: number,
): ScriptedExit => ({
  after: millis(after * timeScale),
  exitCode,
  reason: reason ?? reasonOf(exitCode),
});

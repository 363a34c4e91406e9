import type { ReactElement } from 'react';
import type { ReleaseView } from '#releases/decide/view/release-view.ts';
import type { StepView } from '#releases/decide/view/step-track.ts';
import { pathOf } from '#web/page/model/route.ts';
import { meaningOf } from '#web/page/model/status-words.ts';
import { Icon, toneIcon } from '#web/page/parts/icon.tsx';
import { PageLink } from '#web/page/parts/page-link.tsx';
import { Panel } from '#web/page/parts/panel.tsx';
import { StatusMark } from '#web/page/parts/status.tsx';
import { Countdown } from '#web/page/parts/time.tsx';

/** The canary steps as a track: what is done, where the release is, what is to come. */
export function StepPanel({ view }: { readonly view: ReleaseView }): ReactElement {
  const { steps, replicas, namespace } = view;
  const step = view.step === undefined ? '' : `step ${view.step.current} of ${view.step.count}`;
  return (
    <Panel title="Steps" aside={<span className="hint">{step}</span>}>
      {steps.length === 0 ? (
        <p className="hint">
          No canary steps: all {replicas.desired} pods are updated in one go ({view.strategy}).
        </p>
      ) : (
        <ol className="track">
          {steps.map((each) => (
            <Step
              key={each.number}
              step={each}
              namespace={namespace}
              desired={replicas.desired}
              isComplete={view.phase === 'Complete'}
            />
          ))}
        </ol>
      )}
    </Panel>
  );
}

type StepGiven = {
  readonly step: StepView;
  readonly namespace: string;
  readonly desired: number;
  readonly isComplete: boolean;
};

function Step({ step, namespace, desired, isComplete }: StepGiven): ReactElement {
  const state = isComplete && step.state === 'current' ? 'done' : step.state;
  const { tone } = meaningOf(state);
  const isCurrent = state === 'current' || state === 'failed';
  return (
    <li
      className={`step step-${state.replace(' ', '-')} tone-${tone}`}
      aria-current={isCurrent ? 'step' : undefined}
    >
      <span className="step-mark">
        {state === 'to come' ? <span aria-hidden="true">{step.number}</span> : <Icon name={toneIcon(tone)} />}
      </span>
      <span className="step-body">
        <strong>
          <StepTitle step={step} namespace={namespace} />
        </strong>
        <span className="step-state" title={meaningOf(state).meaning}>
          {state}
        </span>
        <StepHint step={step} state={state} desired={desired} />
        {step.hookRun === undefined ? null : (
          <PageLink to={pathOf({ type: 'hookrun', namespace, name: step.hookRun.name })}>
            <StatusMark word={step.hookRun.phase} />
            <span className="unseen"> hook run {step.hookRun.name}</span>
          </PageLink>
        )}
      </span>
    </li>
  );
}

type HintGiven = { readonly step: StepView; readonly state: StepView['state']; readonly desired: number };

/** How far a partition goes, and when a pause ends. */
function StepHint({ step, state, desired }: HintGiven): ReactElement | null {
  if (step.target !== undefined)
    return (
      <span className="hint">
        {step.target} of {desired} pods new
      </span>
    );
  if (step.type !== 'pause' || state !== 'current') return null;
  return step.endsAt === undefined ? (
    <span className="hint">until a user promotes it</span>
  ) : (
    <span className="hint">
      continues in <Countdown of={step.endsAt} />
    </span>
  );
}

const hookTitle = /^hook (.+)$/;

/** The title; of a hook step with a link to its HookTemplate. */
function StepTitle({ step, namespace }: Pick<StepGiven, 'step' | 'namespace'>): ReactElement {
  const { title, type } = step;
  const template = type === 'hook' ? hookTitle.exec(title)?.[1] : undefined;
  if (template === undefined) return <>{title.charAt(0).toUpperCase() + title.slice(1)}</>;
  return (
    <>
      Hook <PageLink to={pathOf({ type: 'template', namespace, name: template })}>{template}</PageLink>
    </>
  );
}

import type { ReactElement } from 'react';
import type { PodRow } from '#releases/decide/view/pod-row.ts';
import type { ReleaseView } from '#releases/decide/view/release-view.ts';
import type { RevisionBranch } from '#releases/decide/view/revision-branch.ts';
import { colourOf, letterOf } from '#web/page/model/revision-colours.ts';
import { Panel } from '#web/page/parts/panel.tsx';
import { StatusMark } from '#web/page/parts/status.tsx';
import { Ago } from '#web/page/parts/time.tsx';

const roleMeaning = {
  update: 'the template as it is now',
  stable: 'the last revision that went through all steps',
  aborted: 'taken back by an abort',
} as const;

/** The pods by revision. Each revision has a colour and a letter. */
export function PodPanel({ view }: { readonly view: ReleaseView }): ReactElement {
  const { revisions, replicas } = view;
  return (
    <Panel
      title="Pods"
      aside={
        <span className="hint">
          {replicas.ready} of {replicas.desired} ready
        </span>
      }
    >
      <PodBar revisions={revisions} />
      {revisions.map((revision) => (
        <Revision key={revision.name} revision={revision} workload={view.name} />
      ))}
    </Panel>
  );
}

/** One cell per pod in the colour of its revision: how far the release is, at a glance. */
function PodBar({ revisions }: { readonly revisions: readonly RevisionBranch[] }): ReactElement | null {
  const cells = revisions.toReversed().flatMap((each) => each.pods.map((pod) => ({ pod, each })));
  if (cells.length === 0 || cells.length > 400) return null;
  const text = revisions.map(({ number, replicas }) => `revision ${number}: ${replicas.total}`).join(', ');
  return (
    <div className="pod-bar" role="img" aria-label={`Pods by revision: ${text}`}>
      {cells.map(({ pod, each }) => (
        <span
          key={pod.name}
          className={`pod-cell revision-${colourOf(each)} ${pod.isInService ? '' : 'is-out'}`}
        />
      ))}
    </div>
  );
}

type RevisionGiven = { readonly revision: RevisionBranch; readonly workload: string };

function Revision({ revision, workload }: RevisionGiven): ReactElement {
  const { name, number, roles, images, pods, replicas } = revision;
  return (
    <div className={`revision revision-${colourOf(revision)}`}>
      <h3>
        <span className="letter" aria-hidden="true">
          {letterOf(revision)}
        </span>
        Revision {number === 0 ? name : number}
        {roles.map((role) => (
          <abbr key={role} className="role" title={roleMeaning[role]}>
            {role}
          </abbr>
        ))}
        <span className="hint">
          {replicas.inService} of {replicas.total} in service
        </span>
      </h3>
      <p className="hint text">{images.map(({ container, image }) => `${container}: ${image}`).join(', ')}</p>
      {pods.length === 0 ? <p className="hint">No pods.</p> : null}
      <ul className="pods" aria-label={`Pods of revision ${number}`}>
        {pods.map((pod) => (
          <Pod key={pod.name} pod={pod} workload={workload} />
        ))}
      </ul>
    </div>
  );
}

function Pod({ pod, workload }: { readonly pod: PodRow; readonly workload: string }): ReactElement {
  const prefix = pod.name.startsWith(`${workload}-`) ? `${workload}-` : '';
  const { name, status, isInService, gate, restarts, node, leaving, containers } = pod;
  return (
    <li className={`pod ${isInService ? '' : 'is-out'}`}>
      <span className="pod-name text">
        <span className="pod-prefix">{prefix}</span>
        {name.slice(prefix.length)}
      </span>
      <StatusMark
        word={status === 'Running' && isInService ? 'Ready' : status}
        meaning={`${containers.ready} of ${containers.total} containers are ready${node === '' ? '' : `, on node ${node}`}`}
      />
      <span className="hint">
        {gate === 'shut' ? 'readiness gate shut · ' : ''}
        {leaving === undefined ? '' : `to be deleted (${leaving}) · `}
        {restarts === 0 ? '' : `${restarts} ${restarts === 1 ? 'restart' : 'restarts'} · `}
        <Ago of={pod.created} />
      </span>
    </li>
  );
}

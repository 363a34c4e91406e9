import type { ReactElement } from 'react';
import type { TemplatePage } from '#web/wire/hook-pages.ts';
import { pathOfText } from '#web/page/model/route.ts';
import { CodeText } from '#web/page/parts/code-text.tsx';
import { ObjectHead } from '#web/page/parts/object-head.tsx';
import { PageLink } from '#web/page/parts/page-link.tsx';
import { Panel } from '#web/page/parts/panel.tsx';
import { StatusMark } from '#web/page/parts/status.tsx';
import { Ago } from '#web/page/parts/time.tsx';
import { TrialPanel } from './trial-panel.tsx';

type TemplateViewGiven = { readonly page: TemplatePage; readonly topic: string };

/** The page of a HookTemplate: try it, read it, see what it has been used for. */
export function TemplateView({ page, topic }: TemplateViewGiven): ReactElement {
  const { namespace, name, isValid, message, text, runs } = page;
  return (
    <div className="template">
      <ObjectHead
        kind="HookTemplate"
        namespace={namespace}
        name={name}
        phase={isValid ? 'Ready' : 'NotReady'}
        message={message}
      />
      <div className="columns">
        <div className="column-main">
          <TrialPanel page={page} topic={topic} />
          <Panel title="Object">
            <CodeText text={text} label={`HookTemplate ${name} as YAML`} />
          </Panel>
        </div>
        <div className="column-side">
          <Panel title="Last runs">
            {runs.length === 0 ? <p className="hint">None.</p> : null}
            <ul className="plain">
              {runs.map((run) => (
                <li key={run.topic}>
                  <StatusMark word={run.phase} /> <PageLink to={pathOfText(run.topic)}>{run.name}</PageLink>{' '}
                  <span className="hint">
                    <Ago of={run.created} />
                  </span>
                </li>
              ))}
            </ul>
          </Panel>
        </div>
      </div>
    </div>
  );
}

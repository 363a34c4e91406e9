import { useState, type FormEvent, type ReactElement } from 'react';
import type { TemplatePage } from '#web/wire/hook-pages.ts';
import type { HookTrialBody, HookTrialReply } from '#web/wire/hook-test.ts';
import { tryHook } from '#web/page/browser/requests.ts';
import { MetricPanel } from '#web/page/parts/metric-panel.tsx';
import { Panel } from '#web/page/parts/panel.tsx';
import { Status } from '#web/page/parts/status.tsx';

type TrialGiven = { readonly page: TemplatePage; readonly topic: string };
type Way = 'template' | 'url' | 'reply';

const ways: readonly { readonly way: Way; readonly label: string }[] = [
  { way: 'template', label: 'Call the server of the template' },
  { way: 'url', label: 'Call another server' },
  { way: 'reply', label: 'Use a recorded reply: nothing is called' },
];

/** Executes the metrics of the template once, without a HookRun and without an effect on any release. */
export function TrialPanel({ page, topic }: TrialGiven): ReactElement {
  const [args, setArgs] = useState<ReadonlyMap<string, string>>(
    new Map(page.args.map(({ name, value }) => [name, value])),
  );
  const [way, setWay] = useState<Way>('template');
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [reply, setReply] = useState<HookTrialReply>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const given = way === 'template' ? {} : { [way]: text };
    const body: HookTrialBody = {
      topic,
      args: [...args].map(([name, value]) => ({ name, value })),
      ...given,
    };
    const answer = await tryHook(body);
    setReply(answer.type === 'answer' ? answer.value : { type: 'refused', message: answer.message });
    setBusy(false);
  };
  return (
    <Panel title="Try it">
      <form className="trial" onSubmit={(event) => void submit(event)}>
        {page.args.map(({ name }) => (
          <div key={name}>
            <label htmlFor={`arg-${name}`}>Argument {name}</label>
            <input
              id={`arg-${name}`}
              type="text"
              value={args.get(name) ?? ''}
              onChange={(event) => setArgs(new Map(args).set(name, event.target.value))}
            />
          </div>
        ))}
        <fieldset>
          <legend>What is called</legend>
          {ways.map((each) => (
            <label key={each.way} className="check">
              <input type="radio" name="way" checked={way === each.way} onChange={() => setWay(each.way)} />
              {each.label}
            </label>
          ))}
        </fieldset>
        {way === 'url' ? (
          <>
            <label htmlFor="trial-url">URL of the server</label>
            <input
              id="trial-url"
              type="url"
              required
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </>
        ) : null}
        {way === 'reply' ? (
          <>
            <label htmlFor="trial-reply">Recorded reply</label>
            <textarea
              id="trial-reply"
              rows={5}
              required
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </>
        ) : null}
        <button type="submit" className="primary" disabled={isBusy}>
          {isBusy ? 'Trying …' : 'Try it'}
        </button>
      </form>
      <div role="status" aria-live="polite">
        {reply === undefined ? null : <TrialResult reply={reply} />}
      </div>
    </Panel>
  );
}

function TrialResult({ reply }: { readonly reply: HookTrialReply }): ReactElement {
  if (reply.type === 'refused') return <p className="refusal text">{reply.message}</p>;
  return (
    <>
      <h3>
        Verdict <Status word={reply.phase} />
      </h3>
      {reply.message === '' ? null : <p className="text">{reply.message}</p>}
      {reply.charts.map((chart) => (
        <MetricPanel key={chart.metric} chart={chart} heading="h4" />
      ))}
    </>
  );
}

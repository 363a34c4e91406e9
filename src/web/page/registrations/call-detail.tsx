import type { ReactElement } from 'react';
import type { CallPage } from '#web/wire/registration-page.ts';
import { prettyJson } from '#web/page/model/pretty-json.ts';
import { CodeText } from '#web/page/parts/code-text.tsx';
import { Time } from '#web/page/parts/time.tsx';

/** A call of a hook: the request and the reply as text, without secrets. */
export function CallDetail({ page }: { readonly page: CallPage }): ReactElement {
  if (page.type === 'none')
    return (
      <p className="text" role="status">
        {page.message}
      </p>
    );
  const { time, phase, url, latencyMillis, status, request, reply } = page;
  return (
    <div className="call-detail">
      <p className="hint">
        <Time of={time} /> · {phase} · {latencyMillis} ms · {status === 0 ? 'no reply' : `status ${status}`}
      </p>
      <h3>Request: POST {url}</h3>
      <CodeText text={prettyJson(request)} label="Request" />
      <h3>{status === 0 ? 'Why there is no reply' : 'Reply'}</h3>
      <CodeText text={reply === '' ? '(empty)' : prettyJson(reply)} label="Reply" />
    </div>
  );
}

import { useLayoutEffect, useRef, type ReactElement } from 'react';
import type { OutputRow } from '#web/wire/cluster-page.ts';
import { useDetail } from '#web/page/browser/tab.ts';
import { sizeText } from '#web/page/model/size-text.ts';
import { CodeText } from '#web/page/parts/code-text.tsx';
import { Status } from '#web/page/parts/status.tsx';

type OutputTextGiven = { readonly topic: string; readonly row: OutputRow; readonly name: string };

/** The end of one output, as text, and how to read all of it. */
export function OutputText({ topic, row, name }: OutputTextGiven): ReactElement {
  const state = useDetail(topic);
  switch (state.type) {
    case 'output':
      return (
        <>
          <p className="hint">
            <Status word={state.isRunning ? 'running' : 'ended'} />{' '}
            {state.omitted === 0
              ? null
              : `The first ${sizeText(state.omitted)} are not shown here. All of it:`}
          </p>
          {state.omitted === 0 ? null : <CodeText text={commandOf(row, name)} label="Command" />}
          <ScrolledText text={state.text} label={`Output of ${row.step} on ${row.node}`} />
        </>
      );
    case 'refused':
      return (
        <p className="text" role="status">
          This output cannot be shown: {state.message}
        </p>
      );
    case 'loading':
    case 'overview':
    case 'object':
    case 'gone':
      return <p className="hint">Loading …</p>;
  }
}

/** Stays at the end while text is added, unless the user has scrolled up. */
function ScrolledText({ text, label }: { readonly text: string; readonly label: string }): ReactElement {
  const frame = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const { current } = frame;
    if (current !== null && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [text]);
  return (
    <pre
      ref={frame}
      className="output text"
      tabIndex={0}
      role="region"
      aria-label={label}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
      }}
    >
      {text === '' ? 'Nothing was written.' : text}
    </pre>
  );
}

const commandOf = ({ node, step }: OutputRow, name: string): string =>
  ['boathook', 'cluster', 'logs', name, '--node', node, '--step', step].map(shellWord).join(' ');

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

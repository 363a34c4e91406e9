import { readFileSync } from 'node:fs';
import { operate, type OperatorWork } from './operator.ts';

/** An operator in a process of its own, to be killed: `node operator-main.ts WORK.json`. Events go to the output. */
const cancel = new AbortController();
process.on('SIGINT', () => cancel.abort(new Error('interrupted')));
const work = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as OperatorWork;
const end = await operate(work, {
  signal: cancel.signal,
  emit: (event) => void process.stdout.write(`${JSON.stringify(event)}\n`),
});
const said = end.type === 'ended' ? { type: end.type, state: end.verdict.state } : { type: end.type };
process.stdout.write(`${JSON.stringify({ end: said, rss: process.resourceUsage().maxRSS })}\n`);

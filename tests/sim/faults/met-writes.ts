import type { MetWrite } from '../plan-happenings.ts';
import { isSideline, isWrite, type ClientFault } from './around-client.ts';

type Act = () => Promise<void>;
type Waiting = {
  readonly namespace: string;
  readonly how: MetWrite['how'];
  writes: number;
  readonly act: Act;
};

/** Users who act directly before or after a write of a controller. */
export type MetWrites = ClientFault & {
  /** Somebody waits for a write in a namespace. */
  wait(namespace: string, met: MetWrite, act: Act): void;
  /** Who still waits does not act. */
  end(): void;
  readonly count: { 'met writes': number };
};

export function metWrites(): MetWrites {
  let waiting: readonly Waiting[] = [];
  const count = { 'met writes': 0 };
  const dueAt = (namespace: string): readonly Waiting[] => {
    const here = waiting.filter((each) => each.namespace === namespace);
    for (const each of here) each.writes -= 1;
    const due = here.filter(({ writes }) => writes === 0);
    if (due.length > 0) waiting = waiting.filter((each) => !due.includes(each));
    return due;
  };
  const actAll = async (due: readonly Waiting[], now: MetWrite['how']): Promise<void> => {
    for (const { how, act } of due) if (how === now) await act();
  };
  const meet = async <Result>(due: readonly Waiting[], go: () => Promise<Result>): Promise<Result> => {
    count['met writes'] += due.length;
    await actAll(due, 'before');
    const result = await go();
    await actAll(due, 'after');
    return result;
  };
  return {
    count,
    wait(namespace, { writes, how }, act) {
      waiting = [...waiting, { namespace, how, writes, act }];
    },
    end() {
      waiting = [];
    },
    call(call, go) {
      if (waiting.length === 0 || !isWrite(call) || isSideline(call)) return go();
      const due = dueAt(call.namespace);
      return due.length === 0 ? go() : meet(due, go);
    },
  };
}

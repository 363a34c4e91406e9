import { Connection, mustBe, type Address } from '../apiserver/connection.ts';

const patienceMillis = 300_000;

/** Watches a path from now on. `done` is called with every event's text; the wait ends when it says so. */
export type Following = { readonly finished: Promise<void>; close(): void };

export async function followLines(
  address: Address,
  path: string,
  done: (line: string) => boolean,
): Promise<Following> {
  const connection = await Connection.open(address);
  const { text } = mustBe(await connection.send({ method: 'GET', path: `${path}?limit=1`, keep: true }), 200);
  const from = /"resourceVersion":"(\d+)"/.exec(text)?.[1] ?? '0';
  const ended = Promise.withResolvers<undefined>();
  const impatient = setTimeout(
    () => ended.reject(new Error(`${path} did not come to rest in ${patienceMillis / 1000} s`)),
    patienceMillis,
  );
  let rest = '';
  const onPiece = (piece: Buffer): void => {
    const lines = (rest + piece.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (done(line)) ended.resolve(undefined);
  };
  connection.send({ method: 'GET', path: `${path}?watch=1&resourceVersion=${from}`, onPiece }).then(
    ({ status, text: said }) => ended.reject(new Error(`a watch ended with ${status}: ${said}`)),
    (error: unknown) => ended.reject(error),
  );
  // Whoever waits hears of it; nobody may be waiting yet.
  ended.promise.catch(() => undefined);
  const close = (): void => {
    clearTimeout(impatient);
    connection.close();
  };
  return { finished: ended.promise.finally(close), close };
}

import { createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A hook service in a process of its own. `/DELAY/RUN` answers after so many milliseconds, `/hang/RUN` never does;
 * `/calls` tells when each run called, in milliseconds since 1970. It shares the machine with what is measured, so
 * it reads of a request no more than its first line: requests come one at a time on a connection and have no body.
 */
const calls = new Map<string, number[]>();
const answerOf = (body: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const answer = answerOf(JSON.stringify({ name: 'bryan', male: 'yes', age: 25 }));

const take = (socket: Socket, text: string): void => {
  const arrived = performance.timeOrigin + performance.now();
  const [, delay = '', run = ''] = text.slice(0, text.indexOf(' HTTP/')).split('/');
  if (delay === 'calls') {
    socket.write(answerOf(JSON.stringify(Object.fromEntries(calls))));
    return;
  }
  const known = calls.get(run);
  if (known === undefined) calls.set(run, [arrived]);
  else known.push(arrived);
  if (delay === 'hang') return;
  if (delay === '0') socket.write(answer, 'latin1');
  else setTimeout(() => socket.write(answer, 'latin1'), Number(delay));
};

const server = createServer({ noDelay: true }, (socket) => {
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (piece: string) => {
    text += piece;
    if (!text.endsWith('\r\n\r\n')) return;
    take(socket, text);
    text = '';
  });
  // Whoever gives up a call closes its connection.
  socket.on('error', () => socket.destroy());
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit(0));

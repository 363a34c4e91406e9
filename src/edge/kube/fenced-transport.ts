import type { Transport } from './transport.ts';

/** The same way to the server for somebody who may write only as long as they lead. */
export const fencedTransport =
  (transport: Transport, leads: () => boolean): Transport =>
  (request) =>
    transport(request.method === 'GET' ? request : { ...request, mayLeave: leads });

import type { Transport } from './transport.ts';

/** The same transport for a client that may write only while it is the leader. */
export const fencedTransport =
  (transport: Transport, leads: () => boolean): Transport =>
  (request) =>
    transport(request.method === 'GET' ? request : { ...request, mayLeave: leads });

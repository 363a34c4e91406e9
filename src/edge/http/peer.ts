import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Peer } from '#kube/http.ts';

const nobody: Peer = { certificate: undefined };

/** Reading a certificate is slow and the same for every request of a connection. */
const known = new WeakMap<Socket, Peer>();

/** Who TLS proved to be on the other side: the common name is the user, the organisations are its groups. */
export function peerOf(socket: Socket): Peer {
  const found = known.get(socket);
  if (found !== undefined) return found;
  const peer = socket instanceof TLSSocket && socket.authorized ? certifiedPeer(socket) : nobody;
  known.set(socket, peer);
  return peer;
}

type Subject = { readonly CN?: string | string[]; readonly O?: string | string[] };

function certifiedPeer(socket: TLSSocket): Peer {
  // Node gives a list when a name is repeated, and no subject when there is no certificate.
  const subject = socket.getPeerCertificate().subject as Subject | undefined;
  const user = [subject?.CN ?? []].flat().at(-1);
  if (user === undefined || user === '') return nobody;
  return { certificate: { user, groups: [subject?.O ?? []].flat() } };
}

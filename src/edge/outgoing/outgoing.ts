import type { Millis } from '#base/time.ts';

export type OutgoingTls = {
  readonly insecure?: boolean;
  /** PEM texts. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** The name that the server's certificate must have; that of the address unless given. */
  readonly serverName?: string;
};

/** A call to an external service: hook services, Prometheus. */
export type OutgoingRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From the call to the last byte received: waiting for a turn, connecting and redirects included. */
  readonly timeout: Millis;
  readonly tls?: OutgoingTls;
  /** Of the body, decompressed. A longer one is not read to its end: `too-large`. */
  readonly maxBytes: number;
  /** `refuse`: a redirect is returned as the response. Redirects are followed unless given. */
  readonly redirects?: 'refuse';
  /** Whoever gets it twice does the same as if once. GET and HEAD always are. */
  readonly isRepeatable?: boolean;
  /** Headers that are not the same when it is sent again. */
  readonly headersOfRepeat?: () => Readonly<Record<string, string>>;
};

export type OutgoingFailure =
  'policy' | 'url' | 'dns' | 'connect' | 'tls' | 'timeout' | 'redirects' | 'too-large' | 'broken';

export type OutgoingAnswer =
  | {
      readonly type: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly latency: Millis;
    }
  /** `message` names the address without secrets, the cause and, where there is one, the remedy. */
  | {
      readonly type: 'failed';
      readonly why: OutgoingFailure;
      readonly message: string;
      readonly latency: Millis;
    };

/** Calls out, within the policy it was made with. Rejects only when the signal aborts. */
export type Outgoing = (request: OutgoingRequest, signal: AbortSignal) => Promise<OutgoingAnswer>;

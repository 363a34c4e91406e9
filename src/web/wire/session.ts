/** `GET /api/session`: who is signed in, and to what. */
export type SessionInfo =
  | { readonly isSignedIn: false; readonly signIn: 'link' | 'token' | 'proxy' }
  | {
      readonly isSignedIn: true;
      readonly user: string;
      readonly groups: readonly string[];
      readonly server: string;
      readonly namespace: string;
      /** An embedded cluster of `boathook up`. */
      readonly isEmbedded: boolean;
      readonly version: string;
      /** Sent with every request that changes something, in the header `x-boathook-csrf`. */
      readonly csrf: string;
      /** RFC 3339: when the session ends. */
      readonly endsAt: string;
      /** RFC 3339: the clock of the server. */
      readonly now: string;
    };

/** `POST /api/session`: the one-time token of a link, or a Kubernetes token. */
export type SignIn = { readonly link: string } | { readonly token: string };

/** `POST /api/acts`. */
export type ActRequestBody = {
  readonly topic: string;
  readonly verb: 'promote' | 'pause' | 'resume' | 'abort' | 'retry' | 'undo' | 'set-image' | 'load-example';
  /** The identity of the page that the user saw. */
  readonly identity: string;
  readonly reason?: string;
  readonly toStep?: number | 'full';
  readonly skipHooks?: boolean;
  readonly toRevision?: number;
  readonly images?: readonly string[];
};

export type ActReply = {
  readonly result: 'Done' | 'Requested' | 'Nothing' | 'Refused' | 'Invalid' | 'Forbidden';
  readonly message: string;
};

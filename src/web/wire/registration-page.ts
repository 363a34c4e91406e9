import type { PageEvent } from './page-event.ts';

export type RegistrationInstance = {
  readonly namespace: string;
  readonly name: string;
  readonly isReady: boolean;
  readonly reason: string;
  readonly message: string;
  readonly children: readonly { readonly kind: string; readonly name: string }[];
};

/** The last call of the hook about an instance, without secrets; long texts are cut. */
export type CallPage =
  | {
      readonly type: 'call';
      /** RFC 3339. */
      readonly time: string;
      readonly phase: string;
      readonly url: string;
      readonly request: string;
      readonly latencyMillis: number;
      /** The HTTP status; 0 without a reply. */
      readonly status: number;
      readonly reply: string;
    }
  /** No call is kept; why. */
  | { readonly type: 'none'; readonly message: string };

export type RegistrationPage = {
  readonly name: string;
  readonly crd: string;
  readonly phase: string;
  readonly message: string;
  readonly hook: { readonly url: string; readonly isHealthy: boolean; readonly message: string };
  readonly instances: readonly RegistrationInstance[];
  readonly events: readonly PageEvent[];
};

import type { PageEvent } from './page-event.ts';

export type RegistrationInstance = {
  readonly namespace: string;
  readonly name: string;
  readonly isReady: boolean;
  readonly reason: string;
  readonly message: string;
  readonly children: readonly { readonly kind: string; readonly name: string }[];
};

export type RegistrationPage = {
  readonly name: string;
  readonly crd: string;
  readonly phase: string;
  readonly message: string;
  readonly hook: { readonly url: string; readonly isHealthy: boolean; readonly message: string };
  readonly instances: readonly RegistrationInstance[];
  readonly events: readonly PageEvent[];
};

/** The exports of `boathook/sdk`. */
export { defineReconcileHook } from './reconcile-hook.ts';
export type { ReconcileHook } from './reconcile-hook.ts';
export type {
  HookContext,
  HookDefinition,
  HookHandler,
  HookRequest,
  PayloadForm,
} from './hook-definition.ts';
export { HookError } from './hook-error.ts';
export { memoryReplayStore } from './replay-store.ts';
export type { ReplayStore } from './replay-store.ts';
export { signatureCheck } from './signature.ts';
export type { SignatureCheck, SignatureRules } from './signature.ts';
export type { HookServer, ListenAt } from './start-hook.ts';
export { tryHook } from './try-hook.ts';
export type { Trial, TrialResult } from './try-hook.ts';
export type {
  FullObject,
  ReconcileReply,
  ReconcileRequest,
  ReferenceObject,
  ReplyPatch,
  RequestObject,
} from '#registrations/kinds/hook-protocol.ts';

export type PodPhase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

export const isTerminal = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';

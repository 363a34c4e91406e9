import type { StageTransition, ContainerStage } from './container-context.ts';
import { endStages } from './stages-end.ts';
import { runStages } from './stages-run.ts';
import { startStages } from './stages-start.ts';

/** All transitions of a container. Of those from one stage an earlier row comes before a later one. */
export const stages: readonly StageTransition[] = [...startStages, ...runStages, ...endStages];

const byStep = Map.groupBy(stages, (stage) => stage.at);
const none: readonly StageTransition[] = [];

export const stagesAt = (step: ContainerStage): readonly StageTransition[] => byStep.get(step) ?? none;

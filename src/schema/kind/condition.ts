import { Type } from './type.ts';
import { listByKey, stringEnum } from './field.ts';

const Condition = Type.Object({
  type: Type.String({ description: 'What is said.', minLength: 1, maxLength: 316 }),
  status: stringEnum(['True', 'False', 'Unknown'], { description: 'Whether it holds.' }),
  reason: Type.Optional(Type.String({ description: 'Why, in one word for programs.', maxLength: 1024 })),
  message: Type.Optional(Type.String({ description: 'Why, in a sentence for people.', maxLength: 32_768 })),
  lastTransitionTime: Type.Optional(
    Type.String({ description: 'When status last changed.', format: 'date-time' }),
  ),
  observedGeneration: Type.Optional(
    Type.Integer({ description: 'The generation that it was judged by.', format: 'int64' }),
  ),
});

/** Conditions as `kubectl wait` reads them. */
export const conditionList = (description: string) =>
  Type.Optional(listByKey(Condition, ['type'], { description }));

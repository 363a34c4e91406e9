import type { Tasks } from '#base/tasks.ts';

/** Runs a task in the next microtask: the default. */
export const promisedTasks: Tasks = {
  soon: (task) => {
    void Promise.resolve().then(task);
  },
};

import type { Tasks } from '#base/tasks.ts';

/** Runs a task in the next microtask: where nobody handed in an order of tasks. */
export const promisedTasks: Tasks = {
  soon: (task) => {
    void Promise.resolve().then(task);
  },
};

import type { Tasks } from '#base/tasks.ts';

/** The event loop's own order: a task runs after the input and output that is ready now. */
export const systemTasks: Tasks = {
  soon: (task) => {
    setImmediate(task);
  },
};

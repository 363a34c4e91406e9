/** The order of tasks as it is handed in: `soon` runs a task after everything that is ready now. */
export type Tasks = {
  soon(task: () => void): void;
};

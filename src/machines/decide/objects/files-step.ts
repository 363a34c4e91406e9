/** The step that sends the files of `features.files`, in every operation. */
export const filesStep = 'files/copy';

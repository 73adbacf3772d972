import { access } from 'node:fs/promises';

/** True when a file exists. */
export const exists = (path: string | URL): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

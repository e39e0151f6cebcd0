import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects the garbage of the process at once. */
export const collectGarbage = runInNewContext('gc') as () => void; // V8 adds it with the flag

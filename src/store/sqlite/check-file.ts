import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';
import { promisify } from 'node:util';

/** Below the processes of a person who waits. */
const LOW_PRIORITY = 10;
const EXIT_DAMAGED = 3;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** Runs in another process, because SQLite reads a large file for seconds without a pause, and only a process can be stopped meanwhile. */
const PROGRAM = `
  const { DatabaseSync } = require('node:sqlite');
  let isSound;
  try {
    const [finding] = Object.values(new DatabaseSync(process.argv[1], { readOnly: true }).prepare('pragma quick_check(1)').get());
    isSound = finding === 'ok';
  } catch (error) {
    if (![${SQLITE_CORRUPT}, ${SQLITE_NOTADB}].includes(error.errcode & 0xff)) throw error;
    isSound = false;
  }
  process.exit(isSound ? 0 : ${EXIT_DAMAGED});
`;

/** Whether `file`, which this process uses, has no damage. Rejects if it could not be read, and when `signal` aborts. */
export async function isSound(file: string, { signal }: { readonly signal: AbortSignal }): Promise<boolean> {
  const checking = promisify(execFile)(process.execPath, ['-e', PROGRAM, file], { signal, killSignal: 'SIGKILL' });
  try {
    if (checking.child.pid !== undefined) setPriority(checking.child.pid, LOW_PRIORITY);
  } catch {
    // The system does not allow it, or the process has ended.
  }
  try {
    await checking;
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === EXIT_DAMAGED) return false;
    throw error;
  }
}

/**
 * A connection to the database ended, or could not be opened, or the database refuses writes or has no tables. The last statement or commit may have taken
 * effect although its answer is lost, so read the rows before you repeat it.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';

  constructor(cause: unknown) {
    super('the database is not available', { cause });
  }
}

/** The code that PostgreSQL gives for an error; undefined for other errors. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error && 'severity' in error && 'code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The connection ends after these errors: connection exceptions, shutdowns, and timeouts of the session. */
const ENDS_CONNECTION = /^(?:08|57P0[1-5]|25P0[34]|53300)/u;

/** Whether an error of the driver means that its connection cannot be used again. */
export function isLostConnection(error: unknown): boolean {
  const state = sqlStateOf(error);
  // Only the server reports a state. All other errors of the driver are about the connection.
  return state === undefined || ENDS_CONNECTION.test(state);
}

/** A full disk, no memory, a broken volume, a database that only reads, and tables whose schema was renamed or moved. */
const REFUSES_WORK = /^(?:53100|53200|58030|25006|42P01)/u;

/** Whether the database refused a statement for a reason that ends without Fanfare. */
export function refusesWork(error: unknown): boolean {
  return REFUSES_WORK.test(sqlStateOf(error) ?? '');
}

/** Whether the transaction only collided with another one, so that a repeat can succeed. */
export function isCollision(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === '40001' || state === '40P01';
}

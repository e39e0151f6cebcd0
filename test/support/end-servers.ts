/** Runs before the first test. Returns the function that runs after the last one, while the processes of the tests still exist. */
export default function setup(): () => Promise<void> {
  const run = String(process.pid);
  process.env['FANFARE_TEST_RUN'] = run;
  return async () => (await import('./postgres.ts')).endServers(run);
}

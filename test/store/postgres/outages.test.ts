import { afterAll, expect, test } from 'vitest';
import { connectAlone } from '#src/store/postgres/connect-alone.ts';
import { DatabaseUnavailable } from '#src/store/postgres/database-error.ts';
import { connectDatabase, storeIn } from '#src/store/postgres/open.ts';
import { runEngine } from '../../engine/delivery/running-engine.ts';
import { creating, firing, keysOf, setting } from '../../support/firings.ts';
import { createDatabase } from '../../support/postgres-database.ts';

const postgres = await createDatabase();
afterAll(() => postgres[Symbol.asyncDispose]());

test('a post is deleted although a connection ends while its removal reads the state', async () => {
  const schema = postgres.newSchema();
  const connected = await connectDatabase({ url: postgres.url, schema, applicationName: 'fanfare' });
  const observer = await connectAlone({ url: postgres.url, schema, applicationName: 'observer' });
  const failures: unknown[] = [];

  /** Ends the connection that runs a statement. The statement waits for a lock until then. */
  async function cutOff<T>(read: () => Promise<T>): Promise<T> {
    await observer.query('begin');
    await observer.query('lock table need');
    const reading = read();
    reading.catch((error: unknown) => failures.push(error));
    const ended = (): Promise<number | null> =>
      observer
        .query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fanfare' and wait_event_type = 'Lock'")
        .then(({ rowCount }) => rowCount);
    await expect.poll(ended, { interval: 3 }).toBe(1);
    await observer.query('rollback');
    return reading;
  }

  await using running = await runEngine({
    async store(clock) {
      const store = storeIn(connected, { clock });
      const { deliveries } = store;
      const needed = (id: string) => (failures.length === 0 ? cutOff(() => deliveries.needed(id)) : deliveries.needed(id));
      return { ...store, deliveries: { ...deliveries, needed } };
    },
  });
  const post = firing([creating(['x'], { id: 'post' })]);
  const removal = setting(['x'], { do: 'social.deletePost', reads: ['post'], with: { post: 'r1' } });
  const removing = firing([removal], { section: 'finally', occasion: '2', sees: [post.id] });
  const stateOf = async (fired: typeof post) => {
    await running.clock.advance(1_000);
    return (await running.find(keysOf(fired)[0])).state;
  };

  await running.commit([post]);
  await expect.poll(() => stateOf(post)).toBe('sent');
  await running.commit([removing]);
  await expect.poll(() => stateOf(removing)).toBe('sent');

  expect(failures).toEqual([expect.any(DatabaseUnavailable)]);
  expect(running.platform.attempts.map(({ do: verb }) => verb)).toEqual(['social.createPost', 'social.deletePost']);
  await observer.end();
});

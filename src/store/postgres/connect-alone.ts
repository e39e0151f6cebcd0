import type { Client } from 'pg';
import { connectionOptions, type PoolOptions } from './pool.ts';

/** Opens a connection outside the pool, for work that keeps it. */
export async function connectAlone(options: Omit<PoolOptions, 'maxConnections'>): Promise<Client> {
  const { default: pg } = await import('pg');
  const client = new pg.Client(await connectionOptions(options));
  // The next statement reports the loss of the connection.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

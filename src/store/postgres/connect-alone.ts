import type { Client } from 'pg';
import { connectionOptions, type PoolOptions } from './pool.ts';
import { setUpSession } from './session.ts';

/** Opens a connection outside the pool, for work that keeps it. */
export async function connectAlone(
  options: Omit<PoolOptions, 'maxConnections'>,
  limits?: { readonly connectMs: number; readonly queryMs?: number },
): Promise<Client> {
  const { default: pg } = await import('pg');
  const usual = await connectionOptions(options);
  const client = new pg.Client(limits ? { ...usual, connectionTimeoutMillis: limits.connectMs, query_timeout: limits.queryMs } : usual);
  // The next statement reports the loss of the connection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await setUpSession(client, options.schema);
    return client;
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}

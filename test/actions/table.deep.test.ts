import { expect, test } from 'vitest';
import { startPostgresStores } from '../support/postgres-stores.ts';
import { inStore } from './stored.ts';
import { expected, walkTable } from './walk-table.ts';

test('the table of actions holds in PostgreSQL', async () => {
  await using stores = await startPostgresStores();

  expect(await walkTable(async (clock) => inStore(await stores.open({ clock })))).toEqual(expected({ without: ['restore'] }));
});

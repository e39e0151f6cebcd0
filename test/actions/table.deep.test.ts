import { expect, test } from 'vitest';
import { openEmptyStore } from '../support/postgres-stores.ts';
import { inStore } from './stored.ts';
import { expected, walkTable } from './walk-table.ts';

test('the table of actions holds in PostgreSQL', async () => {
  expect(await walkTable(async (clock) => inStore(await openEmptyStore({ clock })))).toEqual(expected({ without: ['restore'] }));
});

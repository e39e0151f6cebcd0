import { afterAll } from 'vitest';
import { describeStore } from '../../contract/store.ts';
import { startPostgresStores } from '../../support/postgres-stores.ts';

const stores = await startPostgresStores();
afterAll(() => stores[Symbol.asyncDispose]());

describeStore('PostgreSQL', (clock) => stores.open({ clock }));

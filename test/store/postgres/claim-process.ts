import { openPostgresStore } from '#src/store/postgres/open.ts';

/** A process that claims the tokens of an account and never releases them: `node claim-process.ts <url> <schema> <account>`. */
const [url = '', schema = '', account = ''] = process.argv.slice(2);
const store = await openPostgresStore({ url, schema });
await store.sealedRows.claim(account, new AbortController().signal);
process.send?.('claimed');
setInterval(() => undefined, 60_000);

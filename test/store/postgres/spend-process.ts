import { openPostgresStore } from '#src/store/postgres/open.ts';

/** A process that adds to a sum until the budget is used up, and prints how often: `node spend-process.ts <url> <schema> <microUsd> <most>`. */
const [url = '', schema = '', microUsd, most] = process.argv.slice(2);
await using store = await openPostgresStore({ url, schema });
const spent = { account: 'x', month: '2026-11', microUsd: Number(microUsd), most: Number(most) };

let added = 0;
while ((await store.spentSums.add(spent)).added) added += 1;
console.log(added);

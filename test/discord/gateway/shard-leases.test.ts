import { memoryShardTable } from '#src/discord/gateway/shard-leases.ts';
import { shardLeasesContract } from '../../contract/shard-leases.ts';

shardLeasesContract('in memory', async () => {
  const table = memoryShardTable();
  return { open: () => table, [Symbol.asyncDispose]: async () => undefined };
});

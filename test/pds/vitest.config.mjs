import { fileURLToPath } from 'node:url';

export default {
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: { include: ['test/adapters/bluesky/*.proof.ts'], testTimeout: 60_000, hookTimeout: 120_000 },
};

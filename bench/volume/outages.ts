// 1,000 accounts that fail and work again, and a rule that polls the outages.
import { createOutageLog } from '#src/engine/outages.ts';
import { PlatformError } from '#src/errors.ts';
import { silentLog } from '#src/log.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { costOf, report } from './cost.ts';
import { openInstallation } from './installation.ts';

const ACCOUNTS = Array.from({ length: 1_000 }, (_, index) => `account-${index}`);
const ROUNDS = 20;
const RULE = `
id: outages
when: { every: 1m, watch: history.getOutages, where: "!item.reads" }
fuse: { firings: 10000, per: 1h }
then:
  - id: note
    do: discord.send
    with: { channel: moderators, content: "\${{ item.account }}: \${{ item.reason }}" }
finally:
  - { do: discord.delete, with: { message: "\${{ steps.note.id }}" } }
`;

using folder = temporaryFolder();
await using installation = await openInstallation({ folder: folder.path, nowMs: Date.parse('2026-11-20T18:00:00Z'), rule: RULE });
const { store, clock } = installation;
const runMinute = () => installation.runMinute();
const watch = createOutageLog({ store: store.outages, clock, log: silentLog });

async function useAll(use: () => Promise<void>): Promise<void> {
  for (const account of ACCOUNTS) await watch(account, use, 'read').catch(() => undefined);
}
const fail = () => Promise.reject(new PlatformError('the platform does not answer', { platform: 'twitch', fault: 'unavailable' }));

/** Runs the rule each minute until it fires, and returns the cost of these minutes. */
async function pollUntilFired(count: number) {
  let fired = 0;
  const cost = await costOf(async () => {
    for (let minute = 0; minute < 5 && fired === 0; minute++) fired += await runMinute();
  });
  if (fired !== count) throw new Error(`the rule fired ${fired} times, instead of ${count}`);
  return cost;
}

for (let minute = 0; minute < 3; minute++) await runMinute();
const begin = await costOf(() => useAll(fail));
const beginPoll = await pollUntilFired(ACCOUNTS.length);
for (let round = 0; round < 3; round++) await runMinute();
const unchangedPoll = await costOf(runMinute, ROUNDS);
const unchanged = await costOf(() => useAll(fail));
const known = await costOf(() => useAll(fail));
const end = await costOf(() => useAll(() => Promise.resolve()));
const endPoll = await pollUntilFired(ACCOUNTS.length);
report({ begin, beginPoll, unchanged, known, unchangedPoll, end, endPoll });

// A rule that polls 10,000 members of a Discord server, in a process of its choice.
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { costOf, report } from './cost.ts';
import { openInstallation } from './installation.ts';

const MEMBERS = 10_000;
const ROUNDS = 20;
const RULE = `
id: members
when: { every: 1m, watch: discord.getMembers, with: { role: Live, pages: all } }
then:
  - do: discord.send
    with: { channel: general, content: "\${{ item.displayName }} is live" }
`;

using folder = temporaryFolder();
await using installation = await openInstallation({
  folder: folder.path,
  nowMs: Date.parse('2026-11-20T18:00:00Z'),
  rule: RULE,
  // The adapter makes new records for each poll.
  poll: async () => ({ items: Array.from({ length: MEMBERS }, (_, index) => member(index)), approximate: false, partialErrors: [] }),
});
const first = await costOf(() => installation.runMinute());
for (let round = 0; round < 3; round++) await expectFirings(0);
const unchanged = await costOf(() => expectFirings(0), ROUNDS);
report({ first, unchanged });

async function expectFirings(count: number): Promise<void> {
  const fired = await installation.runMinute();
  if (fired !== count) throw new Error(`the rule fired ${fired} times, instead of ${count}`);
}

function member(index: number): object {
  const id = String(100_000_000_000_000_000n + BigInt(index));
  return {
    platform: 'discord',
    id,
    url: `https://discord.com/users/${id}`,
    handle: `member${index}`,
    displayName: `Member ${index}`,
    avatarUrl: `https://cdn.example/avatars/${id}.png`,
    roles: ['Live', 'Regular'],
    joinedAt: '2024-03-01T12:00:00.000Z',
  };
}

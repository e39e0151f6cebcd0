import { expect, test } from 'vitest';
import { openBot, type BotGround } from '../open-bot.ts';

/** What was logged of uses, without the time. */
function uses({ lines }: BotGround): readonly string[] {
  return lines.filter((line) => line.includes('outcome=')).map((line) => line.replace(/^\S+ info +/u, '').trim());
}

test('every use stands in the log in one line: who, where, what, what they typed, and what became of it', async () => {
  await using ground = await openBot({ settings: { roles: { look: ['Moderator'] } } });
  const [owner, , member] = ground.discord.people;
  const command = { channel: 'general', command: 'game streams' };

  await ground.discord.interact({ ...command, user: owner, options: { game: 'Just Chatting' } });
  await ground.discord.interact({ ...command, user: owner, options: { game: 'Nobody Plays This' } });
  await ground.discord.interact({ ...command, user: member, options: { game: 'Chess' }, forged: true });

  const by = (name: string): string => `by="${name} (\\d+)" in=discord`.replace('(\\d+)', '\\(\\d+\\)');
  expect(uses(ground)).toEqual([
    expect.stringMatching(new RegExp(`^/game streams game:"Just Chatting" ${by(owner)} outcome=done$`)),
    expect.stringMatching(new RegExp(`^/game streams game:"Nobody Plays This" ${by(owner)} outcome=failed$`)),
    expect.stringMatching(new RegExp(`^/game streams game:Chess ${by(member)} outcome=refused$`)),
  ]);
});

test('what somebody types cannot make a line of its own, nor a long one', async () => {
  await using ground = await openBot();
  const [owner] = ground.discord.people;
  const game = `x\n2026-11-20T18:00:00Z info /rules pause outcome=done ${'y'.repeat(130)}`;

  await ground.discord.interact({ channel: 'general', command: 'game streams', user: owner, options: { game } });

  const [line, ...others] = uses(ground);
  expect(others).toEqual([]);
  expect(line?.length).toBeLessThan(250);
  expect(line).toMatch(/^\/game streams game:"x 2026.*…" by=.*outcome=failed$/u);
});

test('what is asked in private stands in no log', async () => {
  await using ground = await openBot();
  const [owner] = ground.discord.people;

  await ground.discord.interact({ channel: 'general', command: 'ask', user: owner, options: { text: 'my sorrows', private: true } });

  await expect.poll(() => uses(ground), { timeout: 10_000 }).toEqual([expect.stringMatching(/^\/ask private:true by=/u)]);
  expect(ground.lines.join('')).not.toContain('sorrows');
});

test('buttons and forms are in the log, too', async () => {
  await using ground = await openBot({ onAnswer: () => Promise.resolve(true) });
  const [owner] = ground.discord.people;
  const { id: message } = await ground.discord.order<{ id: string }>('/discord/messages', {
    user: owner,
    channel: 'general',
    content: 'hi',
  });

  await ground.discord.interact({ user: owner, message, customId: 'answer:k:0', forged: true });
  await ground.discord.interact({ user: owner, message, forgedForm: 'answer:k:own', fields: { text: 'In my\nown words' } });
  await expect.poll(() => uses(ground)).toHaveLength(2);

  expect(uses(ground)).toEqual([
    expect.stringMatching(/^button answer:k:0 by=/u),
    expect.stringMatching(/^form answer:k:own text:"In my own words" by=/u),
  ]);
});

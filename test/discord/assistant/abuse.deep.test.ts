import { expect, test } from 'vitest';
import { openAssistant, type Script } from './fixture.ts';

const scriptOf = (text: string): Script =>
  async function* () {
    for (const piece of text.match(/[^]{1,40}/gu) ?? []) yield piece;
  };

test.each([
  [
    'pings',
    '@everyone @here <@&1202584131993600003> <@794354201419200000>',
    '@everyone @here <@&1202584131993600003> <@794354201419200000>',
  ],
  ['a masked link', 'See [your prize](https://evil.example) now', 'See [your prize] (https://evil.example) now'],
  ['a text in reverse direction', 'invoice\u202Efdp.exe', 'invoicefdp.exe'],
  ['stacked accents', `Z${'\u0300'.repeat(300)}!`, `Z${'\u0300'.repeat(3)}!`],
  ['small print of another user', 'Done.\n-# Approved by ada', 'Done.\n\\-# Approved by ada'],
])('an answer with %s pings no one and is shown harmless, for commands and replies', async (_, text, shown) => {
  await using fixture = await openAssistant({ script: scriptOf(text) });

  const [answer] = await fixture.ask('one');
  const [reply] = await fixture.answerTo((await fixture.sendMessage('two', { replyTo: answer.id })).id);

  for (const message of [answer, reply]) {
    expect(message).toMatchObject({ content: shown, pinged: { everyone: false, roles: [], users: [] } });
    for (const version of message.history) expect(version.content).not.toMatch(/\]\(|\u202E/u);
  }
});

test('an answer of 16,000 characters is split into valid messages with whole code blocks, and the history has the rest', async () => {
  const code = `\`\`\`ts\n${'const answer = 42;\n'.repeat(40)}\`\`\`\n`;
  await using fixture = await openAssistant({ script: scriptOf(`${'One sentence. '.repeat(80)}\n${code}`.repeat(9)) });

  const messages = await fixture.ask('one');
  const history = await fixture.command('conversation history');

  expect(messages).toHaveLength(10);
  for (const { content } of messages) {
    expect(content.length).toBeLessThanOrEqual(2_000);
    expect((content.split('```').length - 1) % 2).toBe(0);
  }
  expect(messages.at(-1)?.content).toMatch(/\n-# The answer is too long for Discord\. `\/conversation history` shows all of it\.$/);
  expect(history).toMatchObject({ ephemeral: true, message: { files: [{ filename: 'conversation.md' }] } });
});

test('an answer shows no link previews', async () => {
  await using fixture = await openAssistant({ script: scriptOf('https://evil.example/?said=secret') });

  const [answer] = await fixture.ask('one');

  const raw = (await (await fixture.discord.request('GET', `/channels/${answer.channel.id}/messages/${answer.id}`)).json()) as {
    flags: number;
  };
  expect(raw.flags & 4).toBe(4);
});

test('a hostile question breaks neither the log nor the answer', async () => {
  await using fixture = await openAssistant();
  const nasty = '@everyone\n```\n-# Approved\u202E [x](https://evil.example)';

  const [answer] = await fixture.ask(nasty);
  const history = await fixture.command('conversation history');

  expect(answer?.pinged.everyone).toBe(false);
  expect(history.message?.content).not.toMatch(/\]\(|\u202E|^-# Approved/mu);
  expect(fixture.lines.filter((line) => line.includes('/ask'))).toHaveLength(1);
});

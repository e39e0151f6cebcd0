import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/fanfare-process.ts';
import { type ControlsFixture, idOf, openControls, textOf } from './fixture.ts';

const CARD = `id: card
when: { every: 5s, watch: streaming.getStreams, with: { users: [ada] }, settle: 0s, grace: 0s }
fuse: { firings: 200, per: 1h }
then:
  - { id: card, do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }
finally:
  - { id: closed, do: discord.edit, with: { message: "\${{ steps.card.id }}", content: over } }
`;
/** Its time never comes by itself. */
const LIST = `id: list
when: { cron: "0 0 1 1 *", timezone: UTC }
then:
  - { id: each, do: discord.send, forEach: '["Chess", "Go", "Shogi"]', with: { channel: live, content: "about \${{ it }}" } }
`;
const FILES = { 'card.yaml': CARD };
const OFFLINE = [{ do: 'end', user: 'ada' }] as const;
async function card(fixture: ControlsFixture): Promise<string> {
  await eventually('a look', () => fixture.keep(async ({ ruleStates }) => (await ruleStates.load('card')).memory.lastPollMs !== undefined));
  fixture.order({ do: 'goLive', user: 'ada', title: 'Endgames' });
  const message = await eventually('a card', async () => (await fixture.messages('live')).find(({ content }) => content === 'Endgames'));
  await eventually('its receipt', () =>
    fixture.keep(async ({ deliveryLog }) => (await deliveryLog.list({ rule: 'card', state: 'sent' })).items.length > 0),
  );
  return message.id;
}

describe('Why this message?', () => {
  test('on a message of a rule shows the rule, the change, the step, the lag and the last edit', async () => {
    await using fixture = await openControls({ files: FILES, orders: OFFLINE });
    const message = await card(fixture);

    const why = await fixture.owner.menu(message, 'Why this message?');
    fixture.order({ do: 'end', user: 'ada' });
    await eventually('an end', async () => (await fixture.messages('live')).some(({ content }) => content === 'over'));
    const edited = await eventually('the receipt of the edit', async () => {
      const text = textOf(await fixture.german.menu(message, 'Warum diese Nachricht?'));
      return text.includes('Letzte Änderung') && text;
    });

    expect(why).toMatchObject({ outcome: 'message', ephemeral: true });
    expect(textOf(why)).toMatch(
      /"title":"card".*card: `discord\.send` through discord.*\*\*announced\*\*: Ada is live with \d+ viewers?/su,
    );
    expect(textOf(why)).toMatch(/\d (ms|sec) from the poll to the message.*the event began <t:\d+:f>.*seen <t:\d+:T>, sent <t:\d+:T>/su);
    expect(edited).toMatch(/Geschrieben.*gemeldet.*Änderungen.*1 gespeichert.*closed: `discord\.edit` über discord.*\*\*beendet\*\*/su);
  });

  test('shows buttons only to operators', async () => {
    await using fixture = await openControls({ files: FILES, orders: OFFLINE });
    const message = await card(fixture);

    const forMember = await fixture.member.menu(message, 'Why this message?');
    const forOwner = await fixture.owner.menu(message, 'Why this message?');
    const paused = await fixture.owner.click(idOf(forOwner), 'Pause');
    const shown = await fixture.owner.click(idOf(forOwner), 'Show the rule');

    expect(textOf(forMember)).toContain('announced');
    expect(forMember.message?.components).toEqual([]);
    expect(paused).toMatchObject({ outcome: 'message', ephemeral: true });
    expect(textOf(paused)).toContain('paused. Open cards are still updated');
    expect(textOf(shown)).toContain('⏸️ paused by');
    expect(textOf(await fixture.owner.menu(message, 'Why this message?'))).toContain('Resume');
  });

  test('on a message without a rule names its author', async () => {
    await using fixture = await openControls({ files: FILES, orders: OFFLINE });
    const spoken = await fixture.sendMessage('general', 'hello everybody');
    const answered = await fixture.owner.shared('automation list');
    const asked = await fixture.owner.command('ask', { text: 'Who are you?' });

    const ofPerson = await fixture.owner.menu(spoken.id, 'Why this message?');
    const ofCommand = await fixture.owner.menu(idOf(answered), 'Why this message?');
    const ofAnswer = await fixture.owner.menu(idOf(asked), 'Why this message?');

    expect(textOf(ofPerson)).toMatch(/<@\d+> wrote this, not a rule\./u);
    expect(ofPerson.message?.pinged.users).toEqual([]);
    expect(textOf(ofCommand)).toMatch(/This is the answer to a command of <@\d+>/u);
    expect(textOf(ofAnswer)).toContain('The assistant wrote this, not a rule.');
  });

  test('on each message of a step with forEach shows the step, and its buttons work', async () => {
    await using fixture = await openControls({ files: { 'list.yaml': LIST } });
    const question = idOf(await fixture.owner.command('automation run', { rule: 'list' }));
    await fixture.owner.click(question, 'Run it now');
    const messages = await eventually('all messages', async () => {
      const found = (await fixture.messages('live')).filter(({ content }) => content.startsWith('about'));
      return found.length === 3 && found;
    });
    await eventually('all receipts', async () => {
      const { items } = await fixture.keep(({ deliveryLog }) => deliveryLog.list({ rule: 'list', state: 'sent' }));
      return items.length === 3;
    });

    const stories = await Promise.all(messages.map(({ id }) => fixture.owner.menu(id, 'Why this message?')));
    const [card = ''] = stories.map(idOf);
    const why = await fixture.owner.click(card, 'Why?');
    const shown = await fixture.owner.click(card, 'Show the rule');
    const preview = await fixture.owner.click(idOf(shown), 'Preview');
    const paused = await fixture.owner.click(card, 'Pause');
    const resumed = await fixture.owner.click(idOf(paused), 'Resume');

    for (const story of stories) {
      expect(textOf(story)).toMatch(/"title":"list".*each: `discord\.send` through discord.*\*\*announced\*\*/su);
      expect(textOf(story)).not.toContain('Edits');
    }
    for (const answer of [why, shown, preview, paused, resumed]) expect(answer).toMatchObject({ outcome: 'message', ephemeral: true });
    expect(textOf(why)).toContain('**announced**');
    expect(textOf(preview)).toContain('about Go');
    expect(textOf(resumed)).toContain('Announcements from the pause are not sent');
  });
});

test('/automation why without a rule shows the decisions of all rules about an item, or that no rule watches it', async () => {
  await using fixture = await openControls({ files: FILES, orders: OFFLINE });
  await card(fixture);

  const known = textOf(await fixture.owner.command('automation why', { item: 'Ada' }));
  const unknown = textOf(await fixture.owner.command('automation why', { item: 'zelda' }));
  const german = textOf(await fixture.german.command('automation warum', { eintrag: 'zelda' }));
  const neither = textOf(await fixture.owner.command('automation why'));

  expect(known).toContain('**card**: `streaming.getStreams` · names Ada · an episode is open');
  expect(known).toMatch(/\*\*announced\*\*: Ada is live/u);
  expect(unknown).toContain('No rule watches zelda');
  expect(unknown).toContain(
    'These rules watch lists in which zelda was not found. If `where` or `take` left it out, only the last poll shows it:\\n**card**: `streaming.getStreams`',
  );
  expect(german).toContain('Keine Regel beobachtet zelda');
  expect(neither).toContain('Enter a rule, an item, or both.');
});

import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/fanfare-process.ts';
import { idOf, openControlStage, textOf, type ControlStage } from './stage.ts';

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
const TIMEOUT = { timeout: 90_000 };

async function card(stage: ControlStage): Promise<string> {
  await eventually('a look', () => stage.keep(async ({ ruleStates }) => (await ruleStates.load('card')).memory.lastPollMs !== undefined));
  stage.order({ do: 'goLive', user: 'ada', title: 'Endgames' });
  const message = await eventually('a card', async () => (await stage.messages('live')).find(({ content }) => content === 'Endgames'));
  return message.id;
}

describe('Why?', TIMEOUT, () => {
  test('on a message of a rule tells the rule, the change with its numbers, the step and the lag; of an edited one the last change, too', async () => {
    await using stage = await openControlStage({ files: FILES, orders: OFFLINE });
    const message = await card(stage);

    const why = await stage.owner.menu(message, 'Why?');
    stage.order({ do: 'end', user: 'ada' });
    await eventually('an end', async () => (await stage.messages('live')).some(({ content }) => content === 'over'));
    const edited = await eventually('the receipt of the edit', async () => {
      const text = textOf(await stage.german.menu(message, 'Warum?'));
      return text.includes('Zuletzt geändert') && text;
    });

    expect(why).toMatchObject({ outcome: 'message', ephemeral: true });
    expect(textOf(why)).toMatch(
      /"title":"card".*card: `discord\.send` through discord.*\*\*spoke\*\*: Ada entered at \\+#1 with \d+ viewers/su,
    );
    expect(textOf(why)).toMatch(
      /\d (ms|sec) from the look to the message.*what it tells of began <t:\d+:f>.*seen <t:\d+:T>, here <t:\d+:T>/su,
    );
    expect(edited).toMatch(/Geschrieben.*hat gesprochen.*Änderungen.*1 vermerkt.*closed: `discord\.edit` über discord.*\*\*beendet\*\*/su);
  });

  test('shows those who may operate buttons that pause the rule, and others none', async () => {
    await using stage = await openControlStage({ files: FILES, orders: OFFLINE });
    const message = await card(stage);

    const forMember = await stage.member.menu(message, 'Why?');
    const forOwner = await stage.owner.menu(message, 'Why?');
    const paused = await stage.owner.press(idOf(forOwner), 'Pause');
    const shown = await stage.owner.press(idOf(forOwner), 'Show the rule');

    expect(textOf(forMember)).toContain('spoke');
    expect(forMember.message?.components).toEqual([]);
    expect(paused).toMatchObject({ outcome: 'message', ephemeral: true });
    expect(textOf(paused)).toContain('says nothing more until it is resumed');
    expect(textOf(shown)).toContain('⏸️ paused by');
    expect(textOf(await stage.owner.menu(message, 'Why?'))).toContain('Resume');
  });

  test('on a message that no rule wrote says who did', async () => {
    await using stage = await openControlStage({ files: FILES, orders: OFFLINE });
    const spoken = await stage.say('general', 'hello everybody');
    const answered = await stage.owner.command('rules list', { public: true });
    const asked = await stage.owner.command('ask', { text: 'Who are you?' });

    const ofPerson = await stage.owner.menu(spoken.id, 'Why?');
    const ofCommand = await stage.owner.menu(idOf(answered), 'Why?');
    const ofAnswer = await stage.owner.menu(idOf(asked), 'Why?');

    expect(textOf(ofPerson)).toMatch(/No rule wrote this: <@\d+> did\./u);
    expect(ofPerson.message?.pinged.users).toEqual([]);
    expect(textOf(ofCommand)).toMatch(/it is the answer to a command of <@\d+>/u);
    expect(textOf(ofAnswer)).toContain('it is an answer of the assistant');
  });

  test('on each message of a step that is done for each of a list tells the step, and its buttons lead on', async () => {
    await using stage = await openControlStage({ files: { 'list.yaml': LIST } });
    const question = idOf(await stage.owner.command('rules run', { rule: 'list' }));
    await stage.owner.press(question, 'Run it now');
    const messages = await eventually('all messages', async () => {
      const found = (await stage.messages('live')).filter(({ content }) => content.startsWith('about'));
      return found.length === 3 && found;
    });
    await eventually('all receipts', async () => {
      const { items } = await stage.keep(({ deliveryLog }) => deliveryLog.list({ rule: 'list', state: 'sent' }));
      return items.length === 3;
    });

    const stories = await Promise.all(messages.map(({ id }) => stage.owner.menu(id, 'Why?')));
    const [card = ''] = stories.map(idOf);
    const why = await stage.owner.press(card, 'Why?');
    const shown = await stage.owner.press(card, 'Show the rule');
    const preview = await stage.owner.press(idOf(shown), 'Preview');
    const paused = await stage.owner.press(card, 'Pause');
    const resumed = await stage.owner.press(idOf(paused), 'Resume');

    for (const story of stories) {
      expect(textOf(story)).toMatch(/"title":"list".*each: `discord\.send` through discord.*\*\*spoke\*\*/su);
      expect(textOf(story)).not.toContain('Edits');
    }
    for (const answer of [why, shown, preview, paused, resumed]) expect(answer).toMatchObject({ outcome: 'message', ephemeral: true });
    expect(textOf(why)).toContain('**spoke**');
    expect(textOf(preview)).toContain('about Go');
    expect(textOf(resumed)).toContain('speaks again');
  });
});

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { ada, scopeOf } from '../../support/rule-language.ts';
import { rendered } from './fixture.ts';

const constants = { vars: { roles: { everyone: 'Live', Chess: 'everyone' }, all: 'everyone' }, each: {} };
const names = { watch: 'streaming.getStreams', steps: {}, constants };

function mentionOf(mention: unknown, title: string): unknown {
  const scope = scopeOf({ ...ada, title, tags: [title, 'Chess'] });
  const parameters = { channel: 'live', content: 'hello', mention } as JsonObject; // of JSON
  const answer = rendered(parameters, { do: 'discord.send' }, { scope, names });
  return 'params' in answer ? answer.params['mention'] : answer;
}

describe('a mention that a text of a platform names', () => {
  test.each(['everyone', 'here', '\u202Ehere', '@@everyone', '@\u202E@@here'])('is never everyone or here: %j', (title) => {
    expect([
      mentionOf(['${{ item.title }}'], title),
      mentionOf(['Live', '@${{ item.title }}'], title),
      mentionOf('${{ item.tags }}', title),
      mentionOf('${{ [item.title, "Live"] }}', title),
      mentionOf(['${{ item.viewerCount > 0 ? item.title : "Live" }}'], title),
      mentionOf(['${{ item.title + "" }}'], title),
      mentionOf(['${{ "@" + item.title }}'], title),
      mentionOf('${{ {item.title: true}.map(role, role) }}', title),
    ]).toEqual([undefined, ['Live'], ['Chess'], ['Live'], undefined, undefined, undefined, undefined]);
  });

  test('is not made of parts', () => {
    expect(mentionOf(['every${{ item.title }}', 'Live'], 'one')).toEqual(['Live']);
    expect(mentionOf(['${{ item.title }}ere', 'Live'], 'h')).toEqual(['Live']);
  });

  test('can be a role', () => {
    expect(mentionOf(['${{ item.title }}'], 'Chess')).toEqual(['Chess']);
  });
});

test('the author of a rule may choose everyone by a text of a platform', () => {
  expect(mentionOf(['${{ vars.roles[?item.title].orValue("Live") }}'], 'Chess')).toEqual(['everyone']);
  expect(mentionOf(['${{ vars.roles[?item.title].orValue("Live") }}'], 'everyone')).toEqual(['Live']);
  expect(mentionOf(['${{ item.title == "Chess" ? "everyone" : "Live" }}'], 'Chess')).toEqual(['everyone']);
  expect(mentionOf(['@${{ vars.all }}'], 'Chess')).toEqual(['@everyone']);
  expect(mentionOf('${{ item.title == "Chess" ? [vars.all] : [] }}', 'Chess')).toEqual(['everyone']);
});

test.each(['@everyone', '@@everyone'])(
  'members who may answer or press are never everyone because of a text of a platform: %s',
  (title) => {
    const scope = scopeOf({ ...ada, title });
    const roles = ['Moderators', '${{ item.title }}'];
    const button = { label: 'Mute', mute: 'item', allow: roles };

    expect(rendered({ channel: 'live', content: 'Post?', choices: ['yes'], roles }, { do: 'discord.ask' }, { scope })).toMatchObject({
      params: { roles: ['Moderators'] },
    });
    expect(rendered({ channel: 'live', content: 'hello', buttons: [button] }, { do: 'discord.send' }, { scope })).toMatchObject({
      params: { buttons: [{ allow: ['Moderators'] }] },
    });
  },
);

import { PermissionsBitField, type ChatInputCommandInteraction } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { toDiscordSettings } from '#src/config/discord-settings.ts';
import { en } from '#src/discord/language/en/index.ts';
import { openRuleCommands } from '#src/discord/rule-commands/open-rule-commands.ts';
import { ruleCommand } from '#src/discord/rule-commands/rule-command.ts';
import type { Caller } from '#src/discord/caller.ts';
import { openStore } from '#src/store/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MINUTE_MS = 60_000;

async function open({ firings = 50, verb = 'discord.answer', questions = {}, fails = false } = {}) {
  const clock = new ManualClock();
  const store = await openStore({ clock });
  const ran: string[] = [];
  const command = { name: 'latest', about: 'Shows it', options: [], isPublic: false, accounts: ['discord'], roles: undefined };
  const rule = { id: 'latest', command, fuse: { firings, perMs: 60 * MINUTE_MS }, then: [{ do: verb }] };
  const commands = openRuleCommands({
    rules: () => [rule as never], // nothing else is read
    scheduler: {
      run: async () => {
        ran.push('latest');
        return fails ? undefined : ({ firings: [{}], decisions: [] } as never); // nothing else is read
      },
    },
    uses: store.commandUses,
    eventBus: { subscribe: () => () => undefined },
    quota: { counts: store.questionCounts, settings: toDiscordSettings({ questions } as never), clock },
    clock,
  });
  const use = async (id: string): Promise<void> => {
    const [offered] = commands.in({ account: 'discord' });
    if (!offered) throw new Error('the command is not offered');
    const caller = { id: '42', server: { id: '1' }, texts: en, may: () => false, locale: 'en', publicLocale: 'en' } as unknown as Caller; // nothing else is read
    const interaction = {
      id,
      applicationId: 'a',
      token: 't',
      user: { id: '42', username: 'ada' },
      channelId: '8',
      options: { data: [] },
      memberPermissions: new PermissionsBitField(),
      deferReply: async () => undefined,
    } as unknown as ChatInputCommandInteraction; // nothing else is read
    await ruleCommand(offered, commands).run(interaction, caller);
  };
  return { clock, commands, ran, use, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

describe('a member', () => {
  test('whose command could not be stored can try again, and reads nothing about a button', async () => {
    await using opened = await open({ fails: true });

    await expect(opened.use('1')).rejects.toThrow(en.ruleCommands.failed);
  });

  test('can use a fifth of the fuse of a rule, so that one member cannot pause it for everyone', async () => {
    await using opened = await open({ firings: 50 });
    const useAll = async (member: string) => {
      const counted = [];
      for (let minute = 0; minute < 30; minute++) {
        counted.push(opened.commands.count(member, 'latest'));
        await opened.clock.advance(MINUTE_MS);
      }
      return counted.filter((reached) => reached === undefined).length;
    };
    const startMs = opened.clock.nowMs();

    expect(await useAll('ada')).toBe(10);
    expect(opened.commands.count('ada', 'latest')).toEqual({ of: 'fuse', freeAtMs: startMs + 60 * MINUTE_MS });
    expect(opened.commands.count('grace', 'latest')).toBeUndefined();
    expect(opened.commands.count('ada', 'other')).toBeUndefined();
    await opened.clock.advance(30 * MINUTE_MS);
    expect(opened.commands.count('ada', 'latest')).toBeUndefined();
  });

  test('can use commands ten times a minute', async () => {
    await using opened = await open({ firings: 1_000 });
    const uses = Array.from({ length: 11 }, () => opened.commands.count('ada', 'latest')?.of);

    expect(uses).toEqual([...Array.from({ length: 10 }, () => undefined), 'minute']);
  });
});

describe('a command that asks the assistant', () => {
  test('counts as a question of the member, because each answer costs money', async () => {
    await using opened = await open({ verb: 'assistant.ask', questions: { person: '2 per 1h' } });

    await opened.use('1');
    await opened.use('2');
    await expect(opened.use('3')).rejects.toThrow(/ask again/u);

    expect(opened.ran).toHaveLength(2);
  });

  test('and no other command does', async () => {
    await using opened = await open({ questions: { person: '2 per 1h' } });

    for (const id of ['1', '2', '3']) await opened.use(id);

    expect(opened.ran).toHaveLength(3);
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { de } from '#src/discord/language/de/index.ts';
import { en } from '#src/discord/language/en/index.ts';
import { openServers, shownIn, type NewServer, type ServersFixture } from './fixture.ts';

let servers: ServersFixture;
let club: NewServer;

beforeAll(async () => {
  // Discord refuses a button to a host without a dot, so /help has no button to the page.
  servers = await openServers(undefined, { environment: { FANFARE_PUBLIC_URL: 'http://fanfare:8080' } });
  club = await servers.invite('Chess Club', servers.app.people[0]);
});

afterAll(() => servers[Symbol.asyncDispose]());

/** The names of commands, as Discord calls them: `/help` offers them as `</name part:id>`. */
async function offered(user: string): Promise<readonly string[]> {
  const answer = await servers.app.interact({ user, guild: club.id, channel: 'general', command: 'help' });
  return [...shownIn(answer).matchAll(/<\/([^:]+):\d+>/gu)].map(([, name = '']) => name);
}

interface Option {
  readonly name: string;
  readonly required?: boolean;
  readonly choices?: readonly { readonly name: string }[];
  readonly options?: readonly Option[];
}

/** A value for each required option of a command. */
function requiredOf(command: string, all: readonly Option[]): Readonly<Record<string, string>> {
  let options = all;
  for (const part of command.split(' ')) options = options.find(({ name }) => name === part)?.options ?? [];
  const required = options.filter((option) => option.required === true);
  return Object.fromEntries(required.map(({ name, choices }) => [name, choices?.[0]?.name ?? (name === 'rule' ? 'followed' : 'ada')]));
}

test('/help offers only commands that are not refused', async () => {
  const [owner, , member] = servers.app.people;
  const { id } = await servers.app.rest<{ id: string }>('/applications/@me');
  const commands = await servers.app.rest<readonly Option[]>(`/applications/${id}/commands`);

  // The owner of the server of the operator may use every command.
  for (const user of [owner, member]) {
    const names = await offered(user);

    expect(names).toContain('live');
    for (const command of names) {
      const options = requiredOf(command, commands);
      const { message } = await servers.app.interact({ user, guild: club.id, channel: 'general', command, options, forged: true });
      const refusals = [en, de].flatMap(({ errors }) => [errors.notAllowed, errors.homeOnly]);
      expect(refusals, `${command} of ${user}`).not.toContain(message?.content);
    }
  }
});

test('/help tells only those who can set the server up to choose the channel', async () => {
  const [owner, , member] = servers.app.people;
  const help = async (user: string) => shownIn(await servers.app.interact({ user, guild: club.id, channel: 'general', command: 'help' }));

  const [ofOwner, ofMember] = [await help(owner), await help(member)];

  expect(ofOwner).toContain(en.help.announce.about);
  expect(ofMember).not.toContain(en.help.announce.about);
  for (const shown of [ofOwner, ofMember]) expect(shown).toContain(en.help.pings.about);
});

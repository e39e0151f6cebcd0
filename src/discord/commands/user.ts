import { channelCard } from '#src/discord/cards/people-cards.ts';
import { accountsFor } from '#src/discord/lookups/accounts.ts';
import { nameField } from '#src/discord/lookups/fields.ts';
import { lookupCommand } from '#src/discord/lookups/lookup-command.ts';
import type { Lookups } from '#src/discord/lookups/lookups.ts';
import { accountView } from '#src/discord/lookups/view.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import type { SlashCommand } from '#src/discord/command.ts';

/** `/user`: the profile of a channel. */
export function userCommand(lookups: Lookups): readonly SlashCommand[] {
  const views = accountView({
    accounts: accountsFor(lookups.streaming, 'getUser'),
    fields: [nameField((texts) => texts.lookups.options.channel, lookups.suggest.channels)],
    explanations: ({ on, values: { streamer: name = '' }, caller }) => ({
      missing: caller.texts.lookups.nobodyCalled(escaped(name, 100), on),
    }),
    async load({ client, values: { streamer: name = '' }, caller }) {
      const found = await client.getUser(name, { signal: caller.signal });
      const links = [{ label: caller.texts.lookups.buttons.channel, url: found.url }];
      return { content: '', embeds: [channelCard(found, caller, 'large')], more: false, links };
    },
  });
  return lookupCommand({ ...lookups, title: (texts) => texts.lookups.user, views });
}

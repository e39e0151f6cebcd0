import { channelCard } from '../cards/people-cards.ts';
import { accountsFor } from '../lookups/accounts.ts';
import { nameField } from '../lookups/fields.ts';
import { lookupCommand } from '../lookups/lookup-command.ts';
import type { Lookups } from '../lookups/lookups.ts';
import { accountView } from '../lookups/view.ts';
import { escaped } from '../text/untrusted-text.ts';
import type { SlashCommand } from '../command.ts';

/** `/user`: the profile of a channel. */
export function userCommand(lookups: Lookups): readonly SlashCommand[] {
  const views = accountView({
    accounts: accountsFor(lookups.streaming, 'getUser'),
    fields: [nameField((texts) => texts.lookups.options.channelName, lookups.suggest.channels)],
    explanations: ({ on, values: { name = '' }, caller }) => ({ missing: caller.texts.lookups.nobodyCalled(escaped(name, 100), on) }),
    async load({ client, values: { name = '' }, caller }) {
      const found = await client.getUser(name, { signal: caller.signal });
      const links = [{ label: caller.texts.lookups.buttons.channel, url: found.url }];
      return { content: '', embeds: [channelCard(found, caller, 'large')], more: false, links };
    },
  });
  return lookupCommand({ ...lookups, title: (texts) => texts.lookups.user, views });
}

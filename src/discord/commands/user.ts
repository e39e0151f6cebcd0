import { channelCard } from '../cards/people-cards.ts';
import { accountView } from '../lookups/account-view.ts';
import { accountsFor } from '../lookups/accounts.ts';
import { channelField } from '../lookups/fields.ts';
import { lookupCommand } from '../lookups/lookup-command.ts';
import type { Lookups } from '../lookups/lookups.ts';
import type { View } from '../lookups/view.ts';
import { escaped } from '../text/foreign-text.ts';
import type { SlashCommand } from './command.ts';

/** `/user`: who somebody with a channel is. */
export function userCommand(lookups: Lookups): readonly SlashCommand[] {
  return lookupCommand({ ...lookups, title: (words) => words.lookups.user, views: user(lookups) });
}

function user(shared: Lookups): readonly View[] {
  return accountView({
    accounts: accountsFor(shared.streaming, 'getUser'),
    fields: [channelField(shared, (words) => words.lookups.options.channelName)],
    explanations: ({ given: { name = '' }, asker }) => ({ missing: asker.words.lookups.nobodyCalled(escaped(name, 100)) }),
    async look({ client, given: { name = '' }, asker }) {
      const found = await client.getUser(name, { signal: asker.signal });
      const links = [{ label: asker.words.lookups.buttons.channel, url: found.url }];
      return { content: '', embeds: [channelCard(found, asker, 'large')], more: false, links };
    },
  });
}

import { channelCard } from '../cards/people-cards.ts';
import { streamCard } from '../cards/stream-card.ts';
import { accountView } from '../lookups/account-view.ts';
import { accountsFor } from '../lookups/accounts.ts';
import { channelField } from '../lookups/fields.ts';
import { lookupCommand } from '../lookups/lookup-command.ts';
import type { Lookups } from '../lookups/lookups.ts';
import { bold } from '../lookups/typed.ts';
import type { View } from '../lookups/view.ts';
import { escaped } from '../text/foreign-text.ts';
import type { SlashCommand } from './command.ts';

/** `/live`: whether somebody is on the air. */
export function liveCommand(lookups: Lookups): readonly SlashCommand[] {
  return lookupCommand({ ...lookups, title: (words) => words.lookups.live, views: live(lookups) });
}

function live(shared: Lookups): readonly View[] {
  return accountView({
    accounts: accountsFor(shared.streaming, 'getStreams', 'users'),
    fields: [channelField(shared)],
    explanations: ({ given: { user = '' }, asker }) => ({ missing: asker.words.lookups.nobodyCalled(escaped(user, 100)) }),
    async look({ client, on, given: { user: name = '' }, asker }) {
      const { isLive, isNotLive, buttons } = asker.words.lookups;
      const { signal } = asker;
      const [stream] = await client.getStreams({ users: [name], signal });
      if (stream) {
        const links = [{ label: buttons.watch, url: stream.url }];
        return { content: isLive(bold(stream.owner.displayName), on), embeds: [streamCard(stream, asker, 'large')], more: false, links };
      }
      const user = await client.getUser(name, { signal });
      const links = [{ label: buttons.channel, url: user.url }];
      return { content: isNotLive(bold(user.displayName), on), embeds: [channelCard(user, asker, 'small')], more: false, links };
    },
  });
}

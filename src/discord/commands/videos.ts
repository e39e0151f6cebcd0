import { videoCard } from '../cards/recording-cards.ts';
import { accountsFor, choicesFor } from '../lookups/accounts.ts';
import { channelField, sortField } from '../lookups/fields.ts';
import { eachAs, listView } from '../lookups/list-view.ts';
import { lookupCommand } from '../lookups/lookup-command.ts';
import type { Lookups } from '../lookups/lookups.ts';
import { chosen, VIDEO_ORDERS, spoken } from '../lookups/orders.ts';
import { bold } from '../lookups/typed.ts';
import type { View } from '../lookups/view.ts';
import { escaped } from '../text/foreign-text.ts';
import type { SlashCommand } from './command.ts';

/** `/videos`: the videos of a channel. */
export function videosCommand(lookups: Lookups): readonly SlashCommand[] {
  return lookupCommand({ ...lookups, title: (words) => words.lookups.videos, views: videos(lookups) });
}

function videos(shared: Lookups): readonly View[] {
  const accounts = accountsFor(shared.streaming, 'getUserVideos');
  return listView({
    accounts,
    fields: [channelField(shared), ...sortField(choicesFor(VIDEO_ORDERS, accounts, 'getUserVideos', 'sort'))],
    pager: shared.pager,
    list({ client, on, given, asker }) {
      const { lookups } = asker.words;
      const { user = '' } = given;
      const sort = chosen(VIDEO_ORDERS, given['sort'], 'TIME');
      return {
        read: (cursor) => client.getUserVideos(user, { sort, cursor, signal: asker.signal }),
        heading: ({ owner }) => lookups.videosOf(bold(owner.displayName), on, '', spoken(VIDEO_ORDERS, sort, asker.words)),
        none: lookups.noVideos(bold(user)),
        missing: lookups.nobodyCalled(escaped(user, 100)),
        cards: eachAs(videoCard),
      };
    },
  });
}
